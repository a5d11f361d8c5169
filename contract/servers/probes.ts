/** Codes for the endpoint of a game server: how the list can probe it, and why it is not proven. */

/** How the list can probe a game server. */
export const PROBES = ['tcp', 'udp', 'none'] as const
export type Probe = (typeof PROBES)[number]

/**
 * Why an endpoint is not proven: its name does not resolve, it is in a private network, nothing listens there, nothing answers, another program
 * answers, or there is no route to it.
 */
export const PROOF_FAILURES = ['UNRESOLVED', 'PRIVATE', 'REFUSED', 'TIMEOUT', 'WRONG_ANSWER', 'UNREACHABLE'] as const
export type ProofFailure = (typeof PROOF_FAILURES)[number]
