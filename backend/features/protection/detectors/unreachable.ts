/** The announced address does not answer the reachability check (`detection/reachability/` asks; docs/decisions/0022). */
import type { Detector } from '#backend/features/protection/detector.ts'

const DAY_MS = 86_400_000

export const unreachable: Detector = {
  kind: 'UNREACHABLE',
  title: 'Can not be reached from outside',
  explanation:
    "The master list asked the server for an answer at the address and port that it announces, three times in a row, and got none. Players who choose it from the list will most likely not be able to join. It says nothing about anybody's intentions: most often a firewall or a router is in the way.",
  remedy:
    'Open the announced TCP port in the firewall of the host and forward it in the router, check that the announced port is the one the server listens on, and that the server, or its plugin for this list, is new enough to answer the check. The list tries again each minute.',
  // With REACHABILITY=require each finding has its own consequence.
  escalationPolicy: [{ consequence: 'NOTICE', afterMs: 0, afterOccurrences: 1 }],
  // While online and silent it is found again each ten minutes; after so long offline it is asked anew.
  autoResolveAfterMs: 7 * DAY_MS,
  resolvesWhen: 'It resolves with the first check that the server answers, within a minute or two after it can be reached.',
}
