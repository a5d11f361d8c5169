/**
 * Detects patterns in a server's player count per minute that no real server has. Thresholds allow for empty, small and full servers,
 * restarts, crash loops and evening rushes.
 * Only suspicious servers keep their minutes.
 */
import type { SeriesPoint } from '#contract/protection/protection.ts'
import type { PlayerCount } from '#backend/core/protection/detector.ts'

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

export type CurveAnomaly = 'FROZEN' | 'LEAPS' | 'SWINGS'

/** `players` is -1 while the server was offline. */
type Sample = Pick<PlayerCount, 'players' | 'slots' | 'hasQueue'>

/** The state of one server. Minutes are since 1970. */
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
  /** The maximum of each step of the last hour, by step modulo `STEPS`. */
  readonly maxima: number[]
  /** Of a suspicious server. */
  history: RecentHistory | undefined
}

/** A suspicious server: minutes of its jumps and falls, oldest first, and its last hour. */
interface RecentHistory {
  leaps: number[]
  falls: number[]
  hour: { readonly minute: number; readonly players: number }[]
}

export class PlayerCurves {
  readonly #states = new Map<string, State>()

  has(publicId: string): boolean {
    return this.#states.has(publicId)
  }

  /** Ignores minutes that are not newer than the previous one. */
  observe(publicId: string, minute: number, sample: Sample): CurveAnomaly | undefined {
    const { players } = sample
    const state = this.#states.get(publicId) ?? newState()
    if (minute <= state.minute) return undefined
    this.#states.set(publicId, state)
    const previous = minute - state.minute === 1 ? state.players : 0
    clearExpiredSteps(state, minute)
    updateFrozen(state, minute, sample)
    if (players <= 0) state.emptyAt = minute
    const jump = previous > 0 && players > 0 ? detectJump(state, minute, previous, players) : undefined
    state.isTracked ||= players >= FROZEN.players
    const step = Math.floor(minute / STEP_MINUTES) % STEPS
    if (state.isTracked) state.maxima[step] = Math.max(state.maxima[step] ?? 0, players)
    state.minute = minute
    state.players = players
    updateHistory(state)
    return isFrozen(state) ? 'FROZEN' : jump
  }

  /** When the number last changed, wall milliseconds. */
  frozenSince(publicId: string): number {
    return (this.#states.get(publicId)?.frozenFrom ?? 0) * MINUTE_MS
  }

  /** The evidence: for a frozen number its whole duration, otherwise the tracked part of the last hour. */
  series(publicId: string, anomaly: CurveAnomaly, slots: number): SeriesPoint[] {
    const { minute, players, frozenFrom, history } = this.#states.get(publicId) ?? newState()
    const point = (at: number, count: number): SeriesPoint => ({ at: new Date(at * MINUTE_MS).toISOString(), players: count, slots })
    if (anomaly !== 'FROZEN') return history?.hour.flatMap((entry) => (entry.players < 0 ? [] : [point(entry.minute, entry.players)])) ?? []
    const step = Math.max(1, Math.ceil((minute - frozenFrom) / MAX_POINTS))
    const steps = Math.floor((minute - frozenFrom) / step)
    return Array.from({ length: steps + 1 }, (_, position) => point(frozenFrom + position * step, players))
  }

  forget(publicId: string): void {
    this.#states.delete(publicId)
  }
}

const newState = (): State => ({
  minute: 0,
  players: 0,
  slots: 0,
  frozenFrom: 0,
  frozenMinutes: 0,
  emptyAt: 0,
  hasRisen: false,
  isTracked: false,
  maxima: Array.from({ length: STEPS }, () => 0),
  history: undefined,
})

/** Returns an anomaly only if this minute contributes to it, so that a past one is not found again. */
function detectJump(state: State, minute: number, previous: number, players: number): CurveAnomaly | undefined {
  const difference = players - previous
  const minSwing = Math.max(SWING.players, previous * SWING.share)
  if (difference >= minSwing) state.hasRisen = true
  if (difference >= LEAP.players && players >= previous * LEAP.factor && isLeap(state, minute, players)) {
    const history = historyOf(state)
    history.leaps = [...history.leaps.filter((at) => minute - at < DAY), minute]
    return history.leaps.length >= LEAP.count ? 'LEAPS' : undefined
  }
  if (-difference < minSwing || players < previous * SWING.minRemainingShare || !state.hasRisen) return undefined
  state.hasRisen = false
  const history = historyOf(state)
  history.falls = [...history.falls.filter((at) => minute - at < HOUR), minute]
  return history.falls.length >= SWING.count ? 'SWINGS' : undefined
}

/** A new history starts with the minute before the current one. */
function historyOf(state: State): RecentHistory {
  state.history ??= { leaps: [], falls: [], hour: [{ minute: state.minute, players: state.players }] }
  return state.history
}

/** Extends the history of a suspicious server, and deletes it once it has no recent jumps or falls. */
function updateHistory(state: State): void {
  const { history, minute, players } = state
  if (history === undefined) return
  history.hour.push({ minute, players })
  while (history.hour[0] !== undefined && history.hour[0].minute <= minute - HOUR) history.hour.shift()
  const isExpired = (newest = -Infinity, maxAge: number) => minute - newest >= maxAge
  if (isExpired(history.leaps.at(-1), DAY) && isExpired(history.falls.at(-1), HOUR)) state.history = undefined
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

function isLeap({ emptyAt, maxima }: State, minute: number, players: number): boolean {
  const max = Math.max(...maxima)
  return minute - emptyAt > REFILL_MINUTES && max > 0 && players >= max * LEAP.hourlyMaxFactor
}

/** Steps that started since the previous sample still hold maxima from more than an hour ago. */
function clearExpiredSteps({ maxima, minute: previous }: State, minute: number): void {
  const newest = Math.floor(minute / STEP_MINUTES)
  for (let step = Math.max(Math.floor(previous / STEP_MINUTES), newest - STEPS) + 1; step <= newest; step += 1) maxima[step % STEPS] = 0
}
