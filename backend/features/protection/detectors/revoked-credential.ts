/** A credential that was reissued or revoked and keeps announcing. */
import type { Rule } from '#backend/features/protection/finding.ts'

const DAY_MS = 86_400_000

export const revokedCredential: Rule = {
  kind: 'REVOKED_CREDENTIAL',
  title: 'An old credential is still in use',
  explanation:
    'A credential of this server that was reissued or revoked keeps announcing. Those announces are refused. Usually a second copy of the server still runs with the old configuration; else somebody kept the old credential.',
  remedy:
    'Put the newest credential into every copy of the server configuration, or stop the copy that still runs with the old one. The evidence shows since when it announces.',
  ladder: [{ consequence: 'NOTICE', afterMs: 0, afterOccurrences: 1 }],
  quietMs: 7 * DAY_MS,
  ends: 'It resolves by itself once no old credential of the server has announced for 7 days.',
}
