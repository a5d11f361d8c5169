/** Why the list could not prove an endpoint, and what its owner can do. */
import type { ProofFailure } from '#contract/servers/probes.ts'
import { m } from '#messages'

const FAILURES: Readonly<Record<ProofFailure, () => string>> = {
  UNRESOLVED: m.servers_reach_unresolved,
  PRIVATE: m.servers_reach_private,
  REFUSED: m.servers_reach_refused,
  TIMEOUT: m.servers_reach_timeout,
  WRONG_ANSWER: m.servers_reach_wrong_answer,
  UNREACHABLE: m.servers_reach_unreachable,
}

/** Of a server's own address, not of a host that it names. */
const DIRECT: Readonly<Partial<typeof FAILURES>> = {
  REFUSED: m.servers_reach_direct_closed,
  TIMEOUT: m.servers_reach_direct_closed,
  UNREACHABLE: m.servers_reach_direct_closed,
}

/** @param host what the server names; empty for its own address */
export function failureText(failure: ProofFailure, host: string): string {
  return ((host === '' ? DIRECT[failure] : undefined) ?? FAILURES[failure])()
}
