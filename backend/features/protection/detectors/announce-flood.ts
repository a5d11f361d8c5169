/** A credential that announces far more often than it was told to. */
import type { Rule } from '#backend/features/protection/finding.ts'

const HOUR_MS = 3_600_000

export const announceFlood: Rule = {
  kind: 'ANNOUNCE_FLOOD',
  title: 'Announces far too often',
  explanation:
    'This server announces far more often than the list asks it to. Announces beyond the limit are refused with 429. They change nothing for its players, and they take from the list what all other servers need.',
  remedy:
    'Announce each nextAnnounceSeconds, as the reply to every announce says, and after a 429 wait as long as its Retry-After header says. Often two copies of the server, or of a plugin that announces, run at once: stop one of them.',
  ladder: [
    { consequence: 'NOTICE', afterMs: 0, afterOccurrences: 1 },
    { consequence: 'UNRANKED', afterMs: 6 * HOUR_MS, afterOccurrences: 2, seenWithinMs: HOUR_MS },
  ],
  quietMs: HOUR_MS,
  ends: 'It resolves by itself once the server has announced at a normal rate for an hour.',
}
