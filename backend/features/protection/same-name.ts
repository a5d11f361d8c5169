/** Two servers whose names look the same by a newer rule of names. Both keep their names, and an administrator decides. */
import type { Finding } from './finding.ts'

/** What the fingerprint of such a finding begins with. No later change of verified or promoted servers resolves it. */
export const SAME_NAME = 'same name as '

interface Named {
  readonly public_id: string
  readonly name: string
}

/** @param at wall milliseconds. */
export function sameNameFinding(server: Named, other: Named, at: number): Finding {
  return {
    kind: 'IMPERSONATION',
    publicId: server.public_id,
    fingerprint: `${SAME_NAME}${other.public_id}`,
    // Nobody did anything: the rule of names changed.
    severity: 'LOW',
    summary: `The name “${server.name}” looks the same as the name of the server “${other.name}”. It was allowed by an earlier rule and stays.`,
    at,
    occurrences: 1,
    items: [
      {
        at: new Date(at).toISOString(),
        observed: `It is called “${server.name}”.`,
        expected: `A name that does not look like “${other.name}” (${other.public_id}).`,
        address: null,
      },
    ],
  }
}
