/** The announced address does not answer the reachability check in `detection/reachability/` (docs/decisions/0012). */
import { m } from '#api-messages'
import type { Detector } from '#backend/core/protection/detector.ts'

const DAY_MS = 86_400_000

export const unreachable: Detector = {
  kind: 'UNREACHABLE',
  explanation: () => m.issue_unreachable_explanation(),
  remedy: () => m.issue_unreachable_remedy(),
  // With REACHABILITY=require, each finding sets its own consequence.
  escalationPolicy: [{ consequence: 'NOTICE', afterMs: 0, afterOccurrences: 1 }],
  // While the server is online and silent, a finding repeats every ten minutes. This applies to servers that stay offline.
  autoResolveAfterMs: 7 * DAY_MS,
  resolvesWhen: () => m.issue_unreachable_resolves(),
}
