/** More players than slots, or a number of players that no real server shows over the hours. */
import type { SeriesPoint } from '#contract/protection.ts'
import { Places } from '#backend/platform/places.ts'
import type { AboveSlots, Detector, Players, RunningDetector } from '#backend/features/protection/detector.ts'
import type { Finding } from '#backend/features/protection/finding.ts'
import { PlayerCurves, type Strange } from './player-curve.ts'
import { Tries } from './tries.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export const implausiblePlayers: Detector = {
  kind: 'IMPLAUSIBLE_PLAYERS',
  title: 'The number of players cannot be right',
  explanation:
    'The number of players that this server announces is not one a real server shows: more players than slots, or a course over the hours that real players do not make. Players choose servers by this number, so one that is not true harms every other owner. While this is open the number is marked as unconfirmed and does not lift the server on the list.',
  remedy:
    'Announce the number of people who are really connected, without bots and queue, and a maxPlayersCount that the server really has. If a plugin reports the number, switch it off or update it. If the number is right, answer on the page of the issue and say how it comes about.',
  // Whoever puts it right goes no further, though it stays open until the number has been plausible for long enough.
  ladder: [
    { consequence: 'NOTICE', afterMs: 0, afterOccurrences: 1 },
    { consequence: 'UNRANKED', afterMs: 2 * DAY_MS, afterOccurrences: 2, seenWithinMs: 12 * HOUR_MS },
    { consequence: 'UNLISTED', afterMs: 5 * DAY_MS, afterOccurrences: 3, seenWithinMs: 12 * HOUR_MS },
  ],
  quietMs: 7 * DAY_MS,
  // Somebody who mistyped a number once is not held to it for a week.
  brief: { fingerprint: 'ABOVE', occurrences: 3, quietMs: HOUR_MS },
  ends: 'It resolves by itself once the announced number has been plausible for 7 days; where it was above the slots no more than three times, for an hour.',
  doubtsPlayers: true,
  dryRun: {
    over: 'samples',
    unseen:
      'The samples of the last 8 days are stored, clamped to the slots and without queues: numbers above the slots are found by the running list only, and today’s slots are taken for those of each day.',
  },
  create: ({ ttlMs, places }) => new ImplausiblePlayers(ttlMs, places),
}

/** Somebody who joins a full server before the one who leaves is counted out: one too many, for an announce or two. */
const ONE_TOO_MANY_TRIES = 3
/** What is strange stays so for hours: it is told again once an hour while it does. */
const TELL_AGAIN_MS = HOUR_MS
const FROZEN_FOR_LONG = 24

/** Points of one server's graph, and servers that have one. */
const MOST_POINTS = 120
const MOST_COURSES = 2000

/** The numbers of players that servers announce: those above the slots one by one, and the curve minute by minute. */
export class ImplausiblePlayers implements RunningDetector {
  readonly #above: Tries
  /** What was announced above the slots, oldest first. */
  readonly #courses = new Map<string, SeriesPoint[]>()
  readonly #curves = new PlayerCurves()
  readonly #places: Places
  /** When what is strange about a curve was told, wall milliseconds. */
  readonly #toldAt = new Map<string, number>()

  /**
   * @param ttlMs how long the list waits for the next announce: after so long a number is another matter. @param places where somebody
   * else keeps something of the same servers: he gives them back.
   */
  constructor(ttlMs: number, places = new Places()) {
    this.#above = new Tries(ttlMs)
    this.#places = places
  }

  aboveSlots({ publicId, at, players, slots, isInARow }: AboveSlots): Finding | undefined {
    const isByOne = players - slots <= 1
    if (isByOne && !isInARow) this.#above.forget(publicId)
    const course = this.#courseOf(publicId)
    course.push({ at: new Date(at).toISOString(), players, slots })
    if (course.length > MOST_POINTS) course.shift()
    const { count } = this.#above.add(publicId, at, {
      at: new Date(at).toISOString(),
      observed: `${players} players.`,
      expected: `At most ${slots}, as many as there are slots.`,
      address: null,
    })
    if (isByOne && count < ONE_TOO_MANY_TRIES) return undefined
    const told = this.#above.tell(publicId, at)
    return told === undefined
      ? undefined
      : {
          kind: 'IMPLAUSIBLE_PLAYERS',
          publicId,
          fingerprint: 'ABOVE',
          severity: players >= slots * 2 ? 'HIGH' : 'MEDIUM',
          summary: 'The server announces more players than it has slots.',
          at,
          ...told,
          series: [...course],
        }
  }

  #courseOf(publicId: string): SeriesPoint[] {
    const known = this.#courses.get(publicId)
    if (known !== undefined) return known
    const oldest = this.#courses.keys().next()
    if (this.#courses.size >= MOST_COURSES && !oldest.done) this.#courses.delete(oldest.value)
    const course: SeriesPoint[] = []
    this.#courses.set(publicId, course)
    return course
  }

  players({ publicId, at, players, slots, isAwaited = false, isLearning = false }: Players): Finding | undefined {
    const known = this.#places.known(publicId)
    if (players <= 0 && (known === undefined || this.#curves.isNew(known))) return undefined
    const place = known ?? this.#places.of(publicId)
    const strange = this.#curves.look(place, { minute: Math.floor(at / 60_000), players, slots, isAwaited })
    if (strange === undefined || isLearning || at - (this.#toldAt.get(publicId) ?? -Infinity) < TELL_AGAIN_MS) return undefined
    this.#toldAt.set(publicId, at)
    const hours = Math.floor((at - this.#curves.frozenSince(place)) / HOUR_MS)
    const observed = strange === 'FROZEN' ? `Exactly ${players} players for ${hours} hours.` : SUMMARIES[strange]
    return {
      kind: 'IMPLAUSIBLE_PLAYERS',
      publicId,
      fingerprint: strange,
      severity: strange === 'FROZEN' && hours >= FROZEN_FOR_LONG ? 'HIGH' : 'MEDIUM',
      summary: SUMMARIES[strange],
      at,
      occurrences: 1,
      items: [{ at: new Date(at).toISOString(), observed, expected: EXPECTED[strange], address: null }],
      series: this.#curves.series(place, strange, slots),
    }
  }

  forget(publicId: string): void {
    this.#above.forget(publicId)
    this.#toldAt.delete(publicId)
    const place = this.#places.known(publicId)
    if (place !== undefined) this.#curves.forget(place)
    this.#courses.delete(publicId)
  }

  prune(at: number): void {
    this.#above.prune(at)
    for (const [publicId, toldAt] of this.#toldAt) if (at - toldAt >= TELL_AGAIN_MS) this.#toldAt.delete(publicId)
  }
}

const SUMMARIES: Record<Strange, string> = {
  FROZEN: 'The server has announced the same number of players for hours, without one who comes or goes.',
  LEAPS: 'The number of players leapt up several times within a day as no arrivals of real players do.',
  SWINGS: 'The number of players goes far up and down from one minute to the next.',
}

const EXPECTED: Record<Strange, string> = {
  FROZEN: 'Players who come and go.',
  LEAPS: 'Players who join one after another.',
  SWINGS: 'Players who join and leave one after another.',
}
