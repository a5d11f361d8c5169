/** Administrators dismissed most reports of the user. The feature `reports` finds it. */
import { m } from '#api-messages'
import type { Detector } from '#backend/core/protection/detector.ts'

const DAY_MS = 86_400_000

export const reportAbuse: Detector = {
  kind: 'REPORT_ABUSE',
  explanation: () => m.issue_report_abuse_explanation(),
  remedy: () => m.issue_report_abuse_remedy(),
  escalationPolicy: [{ consequence: 'NOTICE', afterMs: 0, afterOccurrences: 1 }],
  autoResolveAfterMs: 30 * DAY_MS,
  resolvesWhen: () => m.issue_report_abuse_resolves(),
}
