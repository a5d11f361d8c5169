/** More players than slots, or a number of players that no real server shows over the hours. */
import type { Rule } from '#backend/features/protection/finding.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export const implausiblePlayers: Rule = {
  kind: 'IMPLAUSIBLE_PLAYERS',
  title: 'The number of players can not be right',
  explanation:
    'The number of players that this server announces is not one a real server shows: more players than slots, or a course over the hours that real players do not make. Players choose servers by this number, so one that is not true harms every other owner. While this is open the number is marked as unconfirmed and does not lift the server on the list.',
  remedy:
    'Announce the number of people who are really connected, without bots and queue, and a maxPlayersCount that the server really has. If a plugin reports the number, switch it off or update it. If the number is right, answer here and say how it comes about.',
  // Whoever puts it right goes no further, though it stays open until the number has been plausible for long enough.
  ladder: [
    { consequence: 'NOTICE', afterMs: 0, afterOccurrences: 1 },
    { consequence: 'UNRANKED', afterMs: 2 * DAY_MS, afterOccurrences: 2, seenWithinMs: 12 * HOUR_MS },
    { consequence: 'UNLISTED', afterMs: 5 * DAY_MS, afterOccurrences: 3, seenWithinMs: 12 * HOUR_MS },
  ],
  quietMs: 7 * DAY_MS,
  ends: 'It resolves by itself once the announced number has been plausible for 7 days.',
}
