/** The announced address does not answer the reachability check. */
import type { Rule } from '#backend/features/protection/finding.ts'

export const unreachable: Rule = {
  kind: 'UNREACHABLE',
  title: 'Can not be reached from outside',
  explanation:
    'The master list tried to connect to the address and port that this server announces, and got no answer. Players who choose it from the list will most likely not be able to join.',
  remedy:
    'Open the announced port in the firewall of the host and forward it in the router, and check that the announced port is the one the server listens on. The list tries again by itself.',
  ladder: [{ consequence: 'NOTICE', afterMs: 0, afterOccurrences: 1 }],
  quietMs: undefined,
  ends: 'It resolves with the first connection that succeeds.',
}
