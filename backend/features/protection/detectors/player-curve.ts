/**
 * The course of each server's players, minute by minute, and what in it no real server shows. Empty, small and full servers, restarts,
 * crash loops and evening rushes all look like themselves; what is left is a number that somebody made up.
 *
 * Of every server 32 bytes are kept, by its place in long arrays; the minutes themselves only of those that have begun to look strange.
 */
import type { SeriesPoint } from '#contract/protection.ts'
import { NOBODY_LOOKED } from '#backend/platform/database/tables/player-samples.ts'

const MINUTE_MS = 60_000
const HOUR = 60
const DAY = 24 * HOUR
/** Ten people never stay for six hours without one of them leaving or another coming. One or two do. */
const FROZEN = { players: 10, minutes: 6 * HOUR }
/** A full server is full for hours, and some keep a few slots free: near to full only a day is too long. */
const NEARLY_FULL = { share: 0.95, minutes: DAY }
/** Where one leaves a full server the next one comes, and some minute sees it between; nobody waits and nothing moves for days where nobody is there. */
const FULL = { minutes: 3 * DAY }
/** Loading and queues let people in one by one: no minute brings so many at once, but after a restart, when all come back. */
const LEAP = { players: 75, times: 2, overTheHour: 1.5, count: 3 }
/** Up and down by a quarter, over and over, and never to nearly nobody as at a restart. */
const SWING = { players: 20, share: 0.25, toAtLeast: 0.2, count: 8 }
/** Those who were on before a restart, and those who waited for it, come within this. */
const REFILL_MINUTES = 20
/** What went on in a longer gap is nobody's to say. */
const LONGEST_GAP = 30
const MOST_POINTS = 60
/** The most of the last hour is known by steps of so many minutes; one more than an hour has, so that it is never less than an hour. */
const STEP_MINUTES = 12
const STEPS = HOUR / STEP_MINUTES + 1

const CURVES_IN_A_SLAB = 1024

export type Strange = 'FROZEN' | 'LEAPS' | 'SWINGS'

/** What a minute shows. */
export interface Look {
  /** Minutes since 1970. */
  readonly minute: number
  /** OFFLINE and NOBODY_LOOKED too. */
  readonly players: number
  /** 0 where nobody knows. */
  readonly slots: number
  /** Whether others wait to join. */
  readonly isAwaited: boolean
}

/** What is known of every server; all of it is 0 before the first look. Minutes are since 1970. */
interface State {
  /** Of the newest look, and what it saw. */
  minute: number
  players: number
  slots: number
  frozenFrom: number
  frozenMinutes: number
  /** The last minute in which nobody was there, or it was offline. */
  emptyAt: number
  hasRisen: boolean
  /** Whether there were players enough once for anything to be strange. */
  isKept: boolean
}

/** Minutes since 1970, and what is smaller. */
const TIMES = 3
const NUMBERS = 4
const HIGHEST_COUNT = 0x7f_ff

interface Slab {
  readonly times: Int32Array
  readonly numbers: Int16Array
  /** Of each the highest number in each step of the last hour, by step modulo `STEPS`. */
  readonly most: Int16Array
}

/** Of a server that begins to look strange: when it leapt and fell, oldest first, and its last hour. */
interface Course {
  leaps: number[]
  falls: number[]
  hour: { readonly minute: number; readonly players: number }[]
}

export class PlayerCurves {
  readonly #slabs: Slab[] = []
  readonly #courses = new Map<number, Course>()

  /** Whether nothing is known of the server at this place. */
  isNew(place: number): boolean {
    return this.#read(place).minute === 0
  }

  /** Minutes that are not newer than what is known say nothing. Answers what is strange about it by now. */
  look(place: number, look: Look): Strange | undefined {
    const { minute, players } = look
    const state = this.#read(place)
    if (players === NOBODY_LOOKED || minute <= state.minute) return undefined
    const before = minute - state.minute === 1 ? state.players : NOBODY_LOOKED
    const most = this.#mostOf(place)
    passOver(most, state.minute, minute)
    freeze(state, look)
    if (players <= 0) state.emptyAt = minute
    const strange = before > 0 && players > 0 ? this.#move(place, state, most, { minute, before, players }) : undefined
    state.isKept ||= players >= FROZEN.players
    const step = Math.floor(minute / STEP_MINUTES) % STEPS
    if (state.isKept) most[step] = Math.max(most[step] ?? 0, players)
    state.minute = minute
    state.players = players
    this.#write(place, state)
    this.#follow(place, minute, players)
    return isFrozen(state) ? 'FROZEN' : strange
  }

  /** Since when the number is the same, wall milliseconds. */
  frozenSince(place: number): number {
    return this.#read(place).frozenFrom * MINUTE_MS
  }

  /** What shows it: of a frozen number its whole time, of the others the last hour, or as much as it was followed. */
  series(place: number, strange: Strange, slots: number): SeriesPoint[] {
    const point = (minute: number, players: number): SeriesPoint => ({ at: new Date(minute * MINUTE_MS).toISOString(), players, slots })
    if (strange !== 'FROZEN')
      return this.#courses.get(place)?.hour.flatMap((one) => (one.players < 0 ? [] : [point(one.minute, one.players)])) ?? []
    const { minute, players, frozenFrom } = this.#read(place)
    const step = Math.max(1, Math.ceil((minute - frozenFrom) / MOST_POINTS))
    const steps = Math.floor((minute - frozenFrom) / step)
    return Array.from({ length: steps + 1 }, (_, at) => point(frozenFrom + at * step, players))
  }

  forget(place: number): void {
    this.#courses.delete(place)
    const { times, numbers } = this.#slabOf(place)
    const at = place % CURVES_IN_A_SLAB
    times.fill(0, at * TIMES, (at + 1) * TIMES)
    numbers.fill(0, at * NUMBERS, (at + 1) * NUMBERS)
    this.#mostOf(place).fill(0)
  }

  /** Answers what this very minute adds to, so that what is over is not told again. */
  #move(
    place: number,
    state: State,
    most: Int16Array,
    { minute, before, players }: { readonly minute: number; readonly before: number; readonly players: number },
  ): Strange | undefined {
    const by = players - before
    const much = Math.max(SWING.players, before * SWING.share)
    if (by >= much) state.hasRisen = true
    if (by >= LEAP.players && players >= before * LEAP.times && isLeap(state, most, minute, players)) {
      const course = this.#courseOf(place, state)
      course.leaps = [...course.leaps.filter((at) => minute - at < DAY), minute]
      return course.leaps.length >= LEAP.count ? 'LEAPS' : undefined
    }
    if (-by < much || players < before * SWING.toAtLeast || !state.hasRisen) return undefined
    state.hasRisen = false
    const course = this.#courseOf(place, state)
    course.falls = [...course.falls.filter((at) => minute - at < HOUR), minute]
    return course.falls.length >= SWING.count ? 'SWINGS' : undefined
  }

  /** Begins with the minute before the one that made it strange. */
  #courseOf(place: number, { minute, players }: State): Course {
    const course = this.#courses.get(place) ?? { leaps: [], falls: [], hour: [{ minute, players }] }
    this.#courses.set(place, course)
    return course
  }

  /** Keeps the last hour of one that looks strange, and no more of one that does so no longer. */
  #follow(place: number, minute: number, players: number): void {
    const course = this.#courses.get(place)
    if (course === undefined) return
    course.hour.push({ minute, players })
    while (course.hour[0] !== undefined && course.hour[0].minute <= minute - HOUR) course.hour.shift()
    const isOver = (newest = -Infinity, lasts: number) => minute - newest >= lasts
    if (isOver(course.leaps.at(-1), DAY) && isOver(course.falls.at(-1), HOUR)) this.#courses.delete(place)
  }

  #read(place: number): State {
    const { times, numbers } = this.#slabOf(place)
    const time = (place % CURVES_IN_A_SLAB) * TIMES
    const number = (place % CURVES_IN_A_SLAB) * NUMBERS
    const flags = numbers[number + 3] ?? 0
    return {
      minute: times[time] ?? 0,
      frozenFrom: times[time + 1] ?? 0,
      emptyAt: times[time + 2] ?? 0,
      players: numbers[number] ?? 0,
      slots: numbers[number + 1] ?? 0,
      frozenMinutes: numbers[number + 2] ?? 0,
      hasRisen: (flags & 1) !== 0,
      isKept: (flags & 2) !== 0,
    }
  }

  #write(place: number, state: State): void {
    const { times, numbers } = this.#slabOf(place)
    const time = (place % CURVES_IN_A_SLAB) * TIMES
    const number = (place % CURVES_IN_A_SLAB) * NUMBERS
    times[time] = state.minute
    times[time + 1] = state.frozenFrom
    times[time + 2] = state.emptyAt
    numbers[number] = state.players
    numbers[number + 1] = state.slots
    numbers[number + 2] = Math.min(HIGHEST_COUNT, state.frozenMinutes)
    numbers[number + 3] = Number(state.hasRisen) + 2 * Number(state.isKept)
  }

  #mostOf(place: number): Int16Array {
    const from = (place % CURVES_IN_A_SLAB) * STEPS
    return this.#slabOf(place).most.subarray(from, from + STEPS)
  }

  #slabOf(place: number): Slab {
    return (this.#slabs[Math.floor(place / CURVES_IN_A_SLAB)] ??= {
      times: new Int32Array(CURVES_IN_A_SLAB * TIMES),
      numbers: new Int16Array(CURVES_IN_A_SLAB * NUMBERS),
      most: new Int16Array(CURVES_IN_A_SLAB * STEPS),
    })
  }
}

/** With other slots another number is to be expected: what was full may have room now. Who is full because others wait is full rightly. */
function freeze(state: State, { minute, players, slots, isAwaited }: Look): void {
  const isSame = players === state.players && slots === state.slots && slots > 0 && minute - state.minute <= LONGEST_GAP
  state.slots = slots
  if (isSame && !(isAwaited && players >= slots)) {
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

function isLeap({ emptyAt }: State, mostOf: Int16Array, minute: number, players: number): boolean {
  const most = Math.max(...mostOf)
  return minute - emptyAt > REFILL_MINUTES && most > 0 && players >= most * LEAP.overTheHour
}

/** Steps that have begun since hold what was seen more than an hour before them. */
function passOver(most: Int16Array, from: number, to: number): void {
  const newest = Math.floor(to / STEP_MINUTES)
  for (let step = Math.max(Math.floor(from / STEP_MINUTES), newest - STEPS) + 1; step <= newest; step += 1) most[step % STEPS] = 0
}
