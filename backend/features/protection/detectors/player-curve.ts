/**
 * Each server's players minute by minute, and what no real server shows. Empty, small and full servers, restarts, crash loops and evening
 * rushes have patterns of their own; what is left is a number that somebody made up.
 *
 * A few numbers are kept of every server, by its place in long arrays; the minutes only of those that have begun to look strange.
 */
import type { SeriesPoint } from '#contract/protection.ts'
import type { PlayerCount } from '#backend/features/protection/detector.ts'
import { NOT_SAMPLED } from '#backend/platform/database/tables/player-samples.ts'

const MINUTE_MS = 60_000
const HOUR = 60
const DAY = 24 * HOUR
/** Ten people never stay for six hours without one of them leaving or another coming. One or two do. */
const FROZEN = { players: 10, minutes: 6 * HOUR }
/** A full server is full for hours, and some keep a few slots free: nearly full, only a day is too long. */
const NEARLY_FULL = { share: 0.95, minutes: DAY }
/** When one leaves a full server the next one joins, and in three days some minute sees it between. */
const FULL = { minutes: 3 * DAY }
/** Loading and queues let people in one by one: only after a restart does a minute bring so many at once. */
const LEAP = { players: 75, times: 2, overTheHour: 1.5, count: 3 }
/** Up and down by a quarter, over and over, and never to nearly nobody as at a restart. */
const SWING = { players: 20, share: 0.25, toAtLeast: 0.2, count: 8 }
/** After a restart, those who were on before and those who waited come within this. */
const REFILL_MINUTES = 20
/** What went on in a longer gap is unknown. */
const MAX_GAP_MINUTES = 30
const MAX_POINTS = 60
/** The highest number of the last hour is kept by steps of so many minutes; one step more, so that it is never less than an hour. */
const STEP_MINUTES = 12
const STEPS = HOUR / STEP_MINUTES + 1

const SERVERS_PER_SLAB = 1024
/** The fields of `State`. */
const FIELDS = 8
const WIDTH = FIELDS + STEPS

export type CurveAnomaly = 'FROZEN' | 'LEAPS' | 'SWINGS'

/** What a minute shows: OFFLINE and NOBODY_LOOKED, too. */
type Sample = Pick<PlayerCount, 'players' | 'slots' | 'hasQueue'>

/** What is known of every server; all of it is 0 before the first look. Minutes are since 1970. */
interface State {
  /** The newest look, and what it saw. */
  minute: number
  players: number
  slots: number
  frozenFrom: number
  frozenMinutes: number
  /** The last minute in which nobody was there, or it was offline. */
  emptyAt: number
  hasRisen: boolean
  /** Whether there were ever enough players for anything to be strange. */
  isTracked: boolean
}

/** Of a server that begins to look strange: when it leapt and fell, oldest first, and its last hour. */
interface RecentHistory {
  leaps: number[]
  falls: number[]
  hour: { readonly minute: number; readonly players: number }[]
}

export class PlayerCurves {
  /** Of each server its state, and the highest number in each step of the last hour, by step modulo `STEPS`. */
  readonly #slabs: Int32Array[] = []
  readonly #histories = new Map<number, RecentHistory>()

  isNew(place: number): boolean {
    return read(this.#rowOf(place)).minute === 0
  }

  /** Returns what is strange by now. Minutes that are not newer than what is known are ignored. */
  observe(place: number, minute: number, look: Sample): CurveAnomaly | undefined {
    const { players } = look
    const row = this.#rowOf(place)
    const state = read(row)
    if (players === NOT_SAMPLED || minute <= state.minute) return undefined
    const before = minute - state.minute === 1 ? state.players : NOT_SAMPLED
    const most = row.subarray(FIELDS)
    clearExpiredSteps(most, state.minute, minute)
    updateFrozen(state, minute, look)
    if (players <= 0) state.emptyAt = minute
    const strange = before > 0 && players > 0 ? this.#detectJump(place, state, most, { minute, before, players }) : undefined
    state.isTracked ||= players >= FROZEN.players
    const step = Math.floor(minute / STEP_MINUTES) % STEPS
    if (state.isTracked) most[step] = Math.max(most[step] ?? 0, players)
    state.minute = minute
    state.players = players
    write(row, state)
    this.#updateHistory(place, minute, players)
    return isFrozen(state) ? 'FROZEN' : strange
  }

  /** Since when the number is the same, wall milliseconds. */
  frozenSince(place: number): number {
    return read(this.#rowOf(place)).frozenFrom * MINUTE_MS
  }

  /** What shows it: of a frozen number its whole time, of the others the last hour, or as much as it was followed. */
  series(place: number, strange: CurveAnomaly, slots: number): SeriesPoint[] {
    const point = (minute: number, players: number): SeriesPoint => ({ at: new Date(minute * MINUTE_MS).toISOString(), players, slots })
    if (strange !== 'FROZEN')
      return this.#histories.get(place)?.hour.flatMap((one) => (one.players < 0 ? [] : [point(one.minute, one.players)])) ?? []
    const { minute, players, frozenFrom } = read(this.#rowOf(place))
    const step = Math.max(1, Math.ceil((minute - frozenFrom) / MAX_POINTS))
    const steps = Math.floor((minute - frozenFrom) / step)
    return Array.from({ length: steps + 1 }, (_, at) => point(frozenFrom + at * step, players))
  }

  forget(place: number): void {
    this.#histories.delete(place)
    this.#rowOf(place).fill(0)
  }

  /** Returns only what this very minute adds to, so that what is over is not found again. */
  #detectJump(
    place: number,
    state: State,
    most: Int32Array,
    { minute, before, players }: { readonly minute: number; readonly before: number; readonly players: number },
  ): CurveAnomaly | undefined {
    const by = players - before
    const much = Math.max(SWING.players, before * SWING.share)
    if (by >= much) state.hasRisen = true
    if (by >= LEAP.players && players >= before * LEAP.times && isLeap(state, most, minute, players)) {
      const course = this.#historyOf(place, state)
      course.leaps = [...course.leaps.filter((at) => minute - at < DAY), minute]
      return course.leaps.length >= LEAP.count ? 'LEAPS' : undefined
    }
    if (-by < much || players < before * SWING.toAtLeast || !state.hasRisen) return undefined
    state.hasRisen = false
    const course = this.#historyOf(place, state)
    course.falls = [...course.falls.filter((at) => minute - at < HOUR), minute]
    return course.falls.length >= SWING.count ? 'SWINGS' : undefined
  }

  /** Begins with the minute before the one that made it strange. */
  #historyOf(place: number, { minute, players }: State): RecentHistory {
    const course = this.#histories.get(place) ?? { leaps: [], falls: [], hour: [{ minute, players }] }
    this.#histories.set(place, course)
    return course
  }

  /** Keeps the last hour of one that looks strange, and no more of one that does so no longer. */
  #updateHistory(place: number, minute: number, players: number): void {
    const course = this.#histories.get(place)
    if (course === undefined) return
    course.hour.push({ minute, players })
    while (course.hour[0] !== undefined && course.hour[0].minute <= minute - HOUR) course.hour.shift()
    const isOver = (newest = -Infinity, lasts: number) => minute - newest >= lasts
    if (isOver(course.leaps.at(-1), DAY) && isOver(course.falls.at(-1), HOUR)) this.#histories.delete(place)
  }

  #rowOf(place: number): Int32Array {
    const slab = (this.#slabs[Math.floor(place / SERVERS_PER_SLAB)] ??= new Int32Array(SERVERS_PER_SLAB * WIDTH))
    const from = (place % SERVERS_PER_SLAB) * WIDTH
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

/** With other slots it counts from zero: what was full may have room now. A server with a queue is rightly full. */
function updateFrozen(state: State, minute: number, { players, slots, hasQueue: isAwaited }: Sample): void {
  const isSame = players === state.players && slots === state.slots && slots > 0 && minute - state.minute <= MAX_GAP_MINUTES
  state.slots = slots
  if (isSame && !(isAwaited === true && players >= slots)) {
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

function isLeap({ emptyAt }: State, mostOf: Int32Array, minute: number, players: number): boolean {
  const most = Math.max(...mostOf)
  return minute - emptyAt > REFILL_MINUTES && most > 0 && players >= most * LEAP.overTheHour
}

/** Steps that have begun since hold what was seen more than an hour before them. */
function clearExpiredSteps(most: Int32Array, from: number, to: number): void {
  const newest = Math.floor(to / STEP_MINUTES)
  for (let step = Math.max(Math.floor(from / STEP_MINUTES), newest - STEPS) + 1; step <= newest; step += 1) most[step % STEPS] = 0
}
