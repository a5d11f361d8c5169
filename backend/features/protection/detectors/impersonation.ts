/** A new name that looks like the name of a verified or promoted server. */
import type { Rule } from '#backend/features/protection/finding.ts'

const HOUR_MS = 3_600_000

export const impersonation: Rule = {
  kind: 'IMPERSONATION',
  title: "The name looks like another server's",
  explanation:
    'The name of this server can be taken for the name of a verified or promoted server of somebody else: the same letters, or letters that look the same. Players who look for the other server would join this one.',
  remedy:
    'Rename the server so that nobody takes it for the other one. If you run both, or the name is yours by right, answer here and say so; an administrator decides.',
  ladder: [
    { consequence: 'NOTICE', afterMs: 0, afterOccurrences: 1 },
    { consequence: 'UNRANKED', afterMs: 48 * HOUR_MS, afterOccurrences: 1 },
  ],
  quietMs: undefined,
  ends: 'It resolves as soon as the server has a name that is not close to the other one, or by the decision of an administrator.',
}
