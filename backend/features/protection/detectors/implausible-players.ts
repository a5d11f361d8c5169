/** More players than slots, or a number of players that no real server shows over the hours. */
import { LRUCache } from 'lru-cache'
import type { SeriesPoint } from '#contract/protection.ts'
import { DenseIndex } from '#backend/platform/dense-index.ts'
import type { AnnounceAboveSlots, Detector, PlayerCount, RunningDetector } from '#backend/features/protection/detector.ts'
import { type Finding, evidence } from '#backend/features/protection/finding.ts'
import { PlayerCurves, type CurveAnomaly } from './player-curve.ts'
import { RepeatCounter } from './repeat-counter.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export const implausiblePlayers: Detector = {
  kind: 'IMPLAUSIBLE_PLAYERS',
  title: 'The number of players cannot be right',
  explanation:
    'The number of players that this server announces is not one a real server shows: more players than slots, or a course over the hours that real players do not make. Players choose servers by this number, so one that is not true harms every other owner. While this is open the number is marked as unconfirmed and does not lift the server on the list.',
  remedy:
    'Announce the number of people who are really connected, without bots and queue, and a maxPlayersCount that the server really has. If a plugin reports the number, switch it off or update it. If the number is right, answer on the page of the issue and say how it comes about.',
  // Once it is put right it escalates no further, though it stays open until the number has been plausible for long enough.
  escalationPolicy: [
    { consequence: 'NOTICE', afterMs: 0, afterOccurrences: 1 },
    { consequence: 'UNRANKED', afterMs: 2 * DAY_MS, afterOccurrences: 2, seenWithinMs: 12 * HOUR_MS },
    { consequence: 'UNLISTED', afterMs: 5 * DAY_MS, afterOccurrences: 3, seenWithinMs: 12 * HOUR_MS },
  ],
  autoResolveAfterMs: 7 * DAY_MS,
  // A number that was mistyped once is not held against anybody for a week.
  shortLived: { fingerprint: 'ABOVE', maxOccurrences: 3, autoResolveAfterMs: HOUR_MS },
  resolvesWhen:
    'It resolves by itself once the announced number has been plausible for 7 days; where it was above the slots no more than three times, for an hour.',
  marksPlayersUnconfirmed: true,
  dryRun: {
    source: 'samples',
    limitations:
      'The samples of the last 8 days are stored, clamped to the slots and without queues: numbers above the slots are found by the running list only, and today’s slots are taken for those of each day.',
  },
  create: ({ ttlMs, places }) => new ImplausiblePlayers(ttlMs, places),
}

/** On a full server a joining player may be counted before the leaving one is gone: one too many, for an announce or two. */
const MIN_REPEATS_ONE_ABOVE = 3
/** A strange curve stays strange for hours. */
const REPORT_EVERY_MS = HOUR_MS
const LONG_FROZEN_HOURS = 24

/** Points of one server's graph, and servers that have one. */
const MAX_POINTS = 120
const MAX_GRAPHS = 2000

const ANOMALIES: Readonly<Record<CurveAnomaly, { readonly summary: string; readonly expected: string }>> = {
  FROZEN: {
    summary: 'The server has announced the same number of players for hours, without one who comes or goes.',
    expected: 'Players who come and go.',
  },
  LEAPS: {
    summary: 'The number of players leapt up several times within a day as no arrivals of real players do.',
    expected: 'Players who join one after another.',
  },
  SWINGS: {
    summary: 'The number of players goes far up and down from one minute to the next.',
    expected: 'Players who join and leave one after another.',
  },
}

export class ImplausiblePlayers implements RunningDetector {
  readonly #aboveSlots: RepeatCounter
  /** What was announced above the slots, oldest first. */
  readonly #graphs = new LRUCache<string, SeriesPoint[]>({ max: MAX_GRAPHS })
  readonly #curves = new PlayerCurves()
  readonly #places: DenseIndex
  /** When a strange curve was reported, wall milliseconds. */
  readonly #reportedAt = new Map<string, number>()

  /** @param ttlMs how long the list waits for the next announce. @param places released by whoever shares them. */
  constructor(ttlMs: number, places = new DenseIndex()) {
    this.#aboveSlots = new RepeatCounter(ttlMs)
    this.#places = places
  }

  aboveSlots({ publicId, at, players, slots, isConsecutive: isInARow }: AnnounceAboveSlots): Finding | undefined {
    const isByOne = players - slots <= 1
    if (isByOne && !isInARow) this.#aboveSlots.forget(publicId)
    const graph = this.#graphs.get(publicId) ?? []
    this.#graphs.set(publicId, graph)
    graph.push({ at: new Date(at).toISOString(), players, slots })
    if (graph.length > MAX_POINTS) graph.shift()
    const item = evidence(at, `${players} players.`, `At most ${slots}, as many as there are slots.`)
    const { count } = this.#aboveSlots.add(publicId, at, item)
    if (isByOne && count < MIN_REPEATS_ONE_ABOVE) return undefined
    const finding = this.#aboveSlots.report({
      kind: 'IMPLAUSIBLE_PLAYERS',
      publicId,
      fingerprint: 'ABOVE',
      severity: players >= slots * 2 ? 'HIGH' : 'MEDIUM',
      summary: 'The server announces more players than it has slots.',
      at,
    })
    return finding && { ...finding, series: [...graph] }
  }

  players(seen: PlayerCount): Finding | undefined {
    const { publicId, at, players, slots } = seen
    const known = this.#places.get(publicId)
    if (players <= 0 && (known === undefined || this.#curves.isNew(known))) return undefined
    const place = known ?? this.#places.assign(publicId)
    const strange = this.#curves.observe(place, Math.floor(at / 60_000), seen)
    if (strange === undefined || seen.isReplay || at - (this.#reportedAt.get(publicId) ?? -Infinity) < REPORT_EVERY_MS) return undefined
    this.#reportedAt.set(publicId, at)
    const { summary, expected } = ANOMALIES[strange]
    const hours = strange === 'FROZEN' ? Math.floor((at - this.#curves.frozenSince(place)) / HOUR_MS) : 0
    const observed = strange === 'FROZEN' ? `Exactly ${players} players for ${hours} hours.` : summary
    return {
      kind: 'IMPLAUSIBLE_PLAYERS',
      publicId,
      fingerprint: strange,
      severity: hours >= LONG_FROZEN_HOURS ? 'HIGH' : 'MEDIUM',
      summary,
      at,
      occurrences: 1,
      items: [evidence(at, observed, expected)],
      series: this.#curves.series(place, strange, slots),
    }
  }

  forget(publicId: string): void {
    this.#aboveSlots.forget(publicId)
    this.#reportedAt.delete(publicId)
    this.#graphs.delete(publicId)
    const place = this.#places.get(publicId)
    if (place !== undefined) this.#curves.forget(place)
  }

  prune(at: number): void {
    this.#aboveSlots.prune(at)
    for (const [publicId, reportedAt] of this.#reportedAt) if (at - reportedAt >= REPORT_EVERY_MS) this.#reportedAt.delete(publicId)
  }
}
