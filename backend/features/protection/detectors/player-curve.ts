/**
 * Detects patterns in a server's player count per minute that no real server has. Thresholds allow for empty, small and full servers,
 * restarts, crash loops and evening rushes.
 *
 * Each server takes a few numbers in shared typed arrays. Only suspicious servers keep their minutes.
 */
import type { SeriesPoint } from '#contract/protection.ts'
import type { PlayerCount } from '#backend/features/protection/detector.ts'
import { NOT_SAMPLED } from '#backend/platform/database/tables/player-samples.ts'

const MINUTE_MS = 60_000
const HOUR = 60
const DAY = 24 * HOUR
/** With ten players, someone joins or leaves within six hours. One or two may stay that long. */
const FROZEN = { players: 10, minutes: 6 * HOUR }
/** A server can be nearly full for hours, and some keep a few slots free, so only a whole day is implausible. */
const NEARLY_FULL = { share: 0.95, minutes: DAY }
/** On a full server the next player joins as soon as one leaves, but within three days some minute shows the gap. */
const FULL = { minutes: 3 * DAY }
/** Loading and queues admit players one by one, so only a restart adds this many within a minute. */
const LEAP = { players: 75, factor: 2, hourlyMaxFactor: 1.5, count: 3 }
/** Repeatedly up and down by a quarter, but never almost to zero as at a restart. */
const SWING = { players: 20, share: 0.25, minRemainingShare: 0.2, count: 8 }
/** After a restart, previous and waiting players return within this time. */
const REFILL_MINUTES = 20
/** After a longer gap, the count in between is unknown. */
const MAX_GAP_MINUTES = 30
const MAX_POINTS = 60
/** Maxima of the last hour, one per step. One extra step ensures at least a full hour. */
const STEP_MINUTES = 12
const STEPS = HOUR / STEP_MINUTES + 1

const SERVERS_PER_SLAB = 1024
/** The fields of `State`. */
const FIELDS = 8
const WIDTH = FIELDS + STEPS

export type CurveAnomaly = 'FROZEN' | 'LEAPS' | 'SWINGS'

/** `players` may also be OFFLINE or NOT_SAMPLED. */
type Sample = Pick<PlayerCount, 'players' | 'slots' | 'hasQueue'>

/** The state of every server, all 0 before the first sample. Minutes are since 1970. */
interface State {
  /** Of the newest sample. */
  minute: number
  players: number
  slots: number
  frozenFrom: number
  frozenMinutes: number
  /** The last minute in which the server was empty or offline. */
  emptyAt: number
  hasRisen: boolean
  /** Whether there were ever enough players for an anomaly. */
  isTracked: boolean
}

/** A suspicious server: minutes of its jumps and falls, oldest first, and its last hour. */
interface RecentHistory {
  leaps: number[]
  falls: number[]
  hour: { readonly minute: number; readonly players: number }[]
}

export class PlayerCurves {
  /** One row per server: its state, then the maximum of each step of the last hour, by step modulo `STEPS`. */
  readonly #slabs: Int32Array[] = []
  readonly #histories = new Map<number, RecentHistory>()

  isNew(index: number): boolean {
    return read(this.#rowOf(index)).minute === 0
  }

  /** Ignores minutes that are not newer than the previous one. */
  observe(index: number, minute: number, sample: Sample): CurveAnomaly | undefined {
    const { players } = sample
    const row = this.#rowOf(index)
    const state = read(row)
    if (players === NOT_SAMPLED || minute <= state.minute) return undefined
    const previous = minute - state.minute === 1 ? state.players : NOT_SAMPLED
    const maxima = row.subarray(FIELDS)
    clearExpiredSteps(maxima, state.minute, minute)
    updateFrozen(state, minute, sample)
    if (players <= 0) state.emptyAt = minute
    const jump = previous > 0 && players > 0 ? this.#detectJump(index, state, maxima, { minute, previous, players }) : undefined
    state.isTracked ||= players >= FROZEN.players
    const step = Math.floor(minute / STEP_MINUTES) % STEPS
    if (state.isTracked) maxima[step] = Math.max(maxima[step] ?? 0, players)
    state.minute = minute
    state.players = players
    write(row, state)
    this.#updateHistory(index, minute, players)
    return isFrozen(state) ? 'FROZEN' : jump
  }

  /** When the number last changed, wall milliseconds. */
  frozenSince(index: number): number {
    return read(this.#rowOf(index)).frozenFrom * MINUTE_MS
  }

  /** The evidence: for a frozen number its whole duration, otherwise the tracked part of the last hour. */
  series(index: number, anomaly: CurveAnomaly, slots: number): SeriesPoint[] {
    const point = (minute: number, players: number): SeriesPoint => ({ at: new Date(minute * MINUTE_MS).toISOString(), players, slots })
    if (anomaly !== 'FROZEN')
      return this.#histories.get(index)?.hour.flatMap(({ minute, players }) => (players < 0 ? [] : [point(minute, players)])) ?? []
    const { minute, players, frozenFrom } = read(this.#rowOf(index))
    const step = Math.max(1, Math.ceil((minute - frozenFrom) / MAX_POINTS))
    const steps = Math.floor((minute - frozenFrom) / step)
    return Array.from({ length: steps + 1 }, (_, position) => point(frozenFrom + position * step, players))
  }

  forget(index: number): void {
    this.#histories.delete(index)
    this.#rowOf(index).fill(0)
  }

  /** Returns an anomaly only if this minute contributes to it, so that a past one is not found again. */
  #detectJump(
    index: number,
    state: State,
    maxima: Int32Array,
    { minute, previous, players }: { readonly minute: number; readonly previous: number; readonly players: number },
  ): CurveAnomaly | undefined {
    const difference = players - previous
    const minSwing = Math.max(SWING.players, previous * SWING.share)
    if (difference >= minSwing) state.hasRisen = true
    if (difference >= LEAP.players && players >= previous * LEAP.factor && isLeap(state, maxima, minute, players)) {
      const history = this.#historyOf(index, state)
      history.leaps = [...history.leaps.filter((at) => minute - at < DAY), minute]
      return history.leaps.length >= LEAP.count ? 'LEAPS' : undefined
    }
    if (-difference < minSwing || players < previous * SWING.minRemainingShare || !state.hasRisen) return undefined
    state.hasRisen = false
    const history = this.#historyOf(index, state)
    history.falls = [...history.falls.filter((at) => minute - at < HOUR), minute]
    return history.falls.length >= SWING.count ? 'SWINGS' : undefined
  }

  /** A new history starts with the minute before the current one. */
  #historyOf(index: number, { minute, players }: State): RecentHistory {
    const history = this.#histories.get(index) ?? { leaps: [], falls: [], hour: [{ minute, players }] }
    this.#histories.set(index, history)
    return history
  }

  /** Extends the history of a suspicious server, and deletes it once it has no recent jumps or falls. */
  #updateHistory(index: number, minute: number, players: number): void {
    const history = this.#histories.get(index)
    if (history === undefined) return
    history.hour.push({ minute, players })
    while (history.hour[0] !== undefined && history.hour[0].minute <= minute - HOUR) history.hour.shift()
    const isExpired = (newest = -Infinity, maxAge: number) => minute - newest >= maxAge
    if (isExpired(history.leaps.at(-1), DAY) && isExpired(history.falls.at(-1), HOUR)) this.#histories.delete(index)
  }

  #rowOf(index: number): Int32Array {
    const slab = (this.#slabs[Math.floor(index / SERVERS_PER_SLAB)] ??= new Int32Array(SERVERS_PER_SLAB * WIDTH))
    const from = (index % SERVERS_PER_SLAB) * WIDTH
    return slab.subarray(from, from + WIDTH)
  }
}

function read(row: Int32Array): State {
  return {
    minute: row[0] ?? 0,
    players: row[1] ?? 0,
    slots: row[2] ?? 0,
    frozenFrom: row[3] ?? 0,
    frozenMinutes: row[4] ?? 0,
    emptyAt: row[5] ?? 0,
    hasRisen: row[6] === 1,
    isTracked: row[7] === 1,
  }
}

function write(row: Int32Array, state: State): void {
  row[0] = state.minute
  row[1] = state.players
  row[2] = state.slots
  row[3] = state.frozenFrom
  row[4] = state.frozenMinutes
  row[5] = state.emptyAt
  row[6] = Number(state.hasRisen)
  row[7] = Number(state.isTracked)
}

/** Changed slots restart the count, because a full server may have room now. A server with a queue is legitimately full. */
function updateFrozen(state: State, minute: number, { players, slots, hasQueue }: Sample): void {
  const isSame = players === state.players && slots === state.slots && slots > 0 && minute - state.minute <= MAX_GAP_MINUTES
  state.slots = slots
  if (isSame && !(hasQueue === true && players >= slots)) {
    state.frozenMinutes += 1
    return
  }
  state.frozenFrom = minute
  state.frozenMinutes = 0
}

function isFrozen({ players, slots, frozenMinutes }: State): boolean {
  if (players < FROZEN.players || slots === 0) return false
  if (players >= slots) return frozenMinutes >= FULL.minutes
  return frozenMinutes >= (players >= slots * NEARLY_FULL.share ? NEARLY_FULL.minutes : FROZEN.minutes)
}

function isLeap({ emptyAt }: State, maxima: Int32Array, minute: number, players: number): boolean {
  const max = Math.max(...maxima)
  return minute - emptyAt > REFILL_MINUTES && max > 0 && players >= max * LEAP.hourlyMaxFactor
}

/** Steps that started since the previous sample still hold maxima from more than an hour ago. */
function clearExpiredSteps(maxima: Int32Array, from: number, to: number): void {
  const newest = Math.floor(to / STEP_MINUTES)
  for (let step = Math.max(Math.floor(from / STEP_MINUTES), newest - STEPS) + 1; step <= newest; step += 1) maxima[step % STEPS] = 0
}
