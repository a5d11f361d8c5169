/** Players reported the server. The feature `reports` counts them. */
import { m } from '#api-messages'
import type { Detector } from '#backend/core/protection/detector.ts'

const DAY_MS = 86_400_000

export const playerReports: Detector = {
  kind: 'PLAYER_REPORTS',
  explanation: () => m.issue_player_reports_explanation(),
  remedy: () => m.issue_player_reports_remedy(),
  // Reports are claims, however many: only administrators choose a consequence.
  escalationPolicy: [{ consequence: 'NOTICE', afterMs: 0, afterOccurrences: 1 }],
  autoResolveAfterMs: 30 * DAY_MS,
  resolvesWhen: () => m.issue_player_reports_resolves(),
}
