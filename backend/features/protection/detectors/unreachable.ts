/** The announced address does not answer the reachability check in `detection/reachability/` (docs/decisions/0012). */
import type { Detector } from '#backend/features/protection/detector.ts'

const DAY_MS = 86_400_000

export const unreachable: Detector = {
  kind: 'UNREACHABLE',
  explanation:
    'The master list probed the announced address and port three times in a row and got no valid answer. Players who pick this server from the list will most likely fail to join. Usually a firewall or a router blocks the connection.',
  remedy:
    'Open the announced TCP port in the firewall of the host and forward it in the router. Check that the server listens on the announced port. Check that the server, or its plugin for this list, is recent enough to answer the probe. The list tries again every minute.',
  // With REACHABILITY=require, each finding sets its own consequence.
  escalationPolicy: [{ consequence: 'NOTICE', afterMs: 0, afterOccurrences: 1 }],
  // While the server is online and silent, a finding repeats every ten minutes. This applies to servers that stay offline.
  autoResolveAfterMs: 7 * DAY_MS,
  resolvesWhen: 'It resolves with the first probe that the server answers, within two minutes of becoming reachable.',
}
