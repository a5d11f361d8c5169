/** Detects more players than slots, and player curves that no real server has. */
import { LRUCache } from 'lru-cache'
import { m } from '#api-messages'
import type { SeriesPoint } from '#contract/protection/protection.ts'
import { STORED } from '#backend/platform/messages/stored-text.ts'
import type { AnnounceAboveSlots, Detector, PlayerCount, RunningDetector } from '#backend/core/protection/detector.ts'
import { type Finding, evidence } from '#backend/core/protection/finding.ts'
import { type CurveAnomaly, PlayerCurves } from './player-curve.ts'
import { RepeatCounter } from './repeat-counter.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export const implausiblePlayers: Detector = {
  kind: 'IMPLAUSIBLE_PLAYERS',
  explanation: () => m.issue_implausible_players_explanation(),
  remedy: () => m.issue_implausible_players_remedy(),
  // A corrected number stops the escalation, but the issue stays open until the number has been plausible for long enough.
  escalationPolicy: [
    { consequence: 'NOTICE', afterMs: 0, afterOccurrences: 1 },
    { consequence: 'UNRANKED', afterMs: 2 * DAY_MS, afterOccurrences: 2, seenWithinMs: 12 * HOUR_MS },
    { consequence: 'UNLISTED', afterMs: 5 * DAY_MS, afterOccurrences: 3, seenWithinMs: 12 * HOUR_MS },
  ],
  autoResolveAfterMs: 7 * DAY_MS,
  // A single typo does not keep an issue open for a week.
  shortLived: { fingerprint: 'ABOVE', maxOccurrences: 3, autoResolveAfterMs: HOUR_MS },
  resolvesWhen: () => m.issue_implausible_players_resolves(),
  marksPlayersUnconfirmed: true,
  dryRun: {
    source: 'samples',
    limitations:
      'Samples of the last 8 days are stored as five minutes each, clamped to the slots and without queues, so jumps within minutes are seen roughly. Only the running list detects numbers above the slots. A dry run assumes today’s slots for every day.',
  },
  create: ({ ttlMs }) => new ImplausiblePlayers(ttlMs),
}

/** An anomaly lasts for hours. */
const REPORT_EVERY_MS = HOUR_MS
const LONG_FROZEN_HOURS = 24

/** Per server. */
const MAX_POINTS = 120
const MAX_GRAPHS = 2000

const ANOMALIES = {
  FROZEN: { summary: m.finding_players_frozen({}, STORED), expected: m.finding_players_frozen_expected({}, STORED) },
  LEAPS: { summary: m.finding_players_leaps({}, STORED), expected: m.finding_players_leaps_expected({}, STORED) },
  SWINGS: { summary: m.finding_players_swings({}, STORED), expected: m.finding_players_swings_expected({}, STORED) },
} as const satisfies Readonly<Record<CurveAnomaly, { readonly summary: string; readonly expected: string }>>

export class ImplausiblePlayers implements RunningDetector {
  readonly #aboveSlots: RepeatCounter
  /** Announces above the slots, oldest first. */
  readonly #graphs = new LRUCache<string, SeriesPoint[]>({ max: MAX_GRAPHS })
  readonly #curves = new PlayerCurves()
  /** When an anomaly was last reported, wall milliseconds. */
  readonly #reportedAt = new LRUCache<string, number>({ max: MAX_GRAPHS })

  /** @param ttlMs how long the list waits for the next announce. */
  constructor(ttlMs: number) {
    this.#aboveSlots = new RepeatCounter(ttlMs)
  }

  aboveSlots({ publicId, at, players, slots }: AnnounceAboveSlots): Finding | undefined {
    const graph = this.#graphs.get(publicId) ?? []
    this.#graphs.set(publicId, graph)
    graph.push({ at: new Date(at).toISOString(), players, slots })
    if (graph.length > MAX_POINTS) graph.shift()
    const item = evidence(at, m.finding_players_above_observed({ players }, STORED), m.finding_players_above_expected({ slots }, STORED))
    this.#aboveSlots.add(publicId, at, item)
    const finding = this.#aboveSlots.report({
      kind: 'IMPLAUSIBLE_PLAYERS',
      publicId,
      fingerprint: 'ABOVE',
      severity: players >= slots * 2 ? 'HIGH' : 'MEDIUM',
      summary: m.finding_players_above({}, STORED),
      at,
    })
    return finding && { ...finding, series: [...graph] }
  }

  players(count: PlayerCount): Finding | undefined {
    const { publicId, at, players, slots } = count
    // A server that was never used takes no memory.
    if (players <= 0 && !this.#curves.has(publicId)) return undefined
    const anomaly = this.#curves.observe(publicId, Math.floor(at / 60_000), count)
    if (anomaly === undefined || count.isReplay || at - (this.#reportedAt.get(publicId) ?? -Infinity) < REPORT_EVERY_MS) return undefined
    this.#reportedAt.set(publicId, at)
    const { summary, expected } = ANOMALIES[anomaly]
    const hours = anomaly === 'FROZEN' ? Math.floor((at - this.#curves.frozenSince(publicId)) / HOUR_MS) : 0
    const observed = anomaly === 'FROZEN' ? m.finding_players_frozen_observed({ players, hours }, STORED) : summary
    return {
      kind: 'IMPLAUSIBLE_PLAYERS',
      publicId,
      fingerprint: anomaly,
      severity: hours >= LONG_FROZEN_HOURS ? 'HIGH' : 'MEDIUM',
      summary,
      at,
      occurrences: 1,
      items: [evidence(at, observed, expected)],
      series: this.#curves.series(publicId, anomaly, slots),
    }
  }

  forget(publicId: string): void {
    this.#aboveSlots.forget(publicId)
    this.#reportedAt.delete(publicId)
    this.#graphs.delete(publicId)
    this.#curves.forget(publicId)
  }
}
