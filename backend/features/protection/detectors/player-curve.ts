/**
 * The course of one server's players, minute by minute, and what in it no real server shows. Empty, small and full servers, restarts,
 * crash loops and evening rushes all look like themselves; what is left is a number that somebody made up.
 */
import type { SeriesPoint } from '#contract/protection.ts'
import { NOBODY_LOOKED } from '#backend/features/history/time.ts'

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

export type Strange = 'FROZEN' | 'LEAPS' | 'SWINGS'

export class PlayerCurve {
  /** The last hour by minute modulo 60; made once there are players enough for anything to be strange. */
  #hour: Int16Array | undefined
  /** Minutes since 1970 of the newest look, and what it saw. */
  #minute = -1
  #players = NOBODY_LOOKED
  #slots = 0
  #frozenFrom = 0
  #frozenMinutes = 0
  /** The last minute in which nobody was there, or it was offline. */
  #emptyAt = -1
  #hasRisen = false
  /** Minutes, oldest first. */
  #leaps: number[] = []
  #falls: number[] = []

  /**
   * @param minute since 1970, growing. @param players OFFLINE and NOBODY_LOOKED too. @param slots 0 where nobody knows. @param isAwaited whether
   * others wait to join. Answers what is strange about it by now.
   */
  look(minute: number, players: number, slots: number, isAwaited = false): Strange | undefined {
    if (players === NOBODY_LOOKED || minute <= this.#minute) return undefined
    const gap = minute - this.#minute
    const before = gap === 1 ? this.#players : NOBODY_LOOKED
    if (gap > 1) this.#passOver(minute)
    this.#freeze(minute, { players, slots, isAwaited }, gap)
    if (players <= 0) this.#emptyAt = minute
    const strange = before > 0 && players > 0 ? this.#move(minute, before, players) : undefined
    this.#keep(minute, players)
    this.#minute = minute
    this.#players = players
    return this.#isFrozen(players, slots) ? 'FROZEN' : strange
  }

  /** Since when the number is the same, wall milliseconds. */
  get frozenSince(): number {
    return this.#frozenFrom * MINUTE_MS
  }

  /** What shows it: of a frozen number its whole time, of the others the last hour. */
  series(strange: Strange, slots: number): SeriesPoint[] {
    const point = (minute: number, players: number): SeriesPoint => ({ at: new Date(minute * MINUTE_MS).toISOString(), players, slots })
    if (strange === 'FROZEN') {
      const step = Math.max(1, Math.ceil((this.#minute - this.#frozenFrom) / MOST_POINTS))
      const steps = Math.floor((this.#minute - this.#frozenFrom) / step)
      return Array.from({ length: steps + 1 }, (_, at) => point(this.#frozenFrom + at * step, this.#players))
    }
    return Array.from({ length: HOUR }, (_, at) => this.#minute - HOUR + 1 + at).flatMap((minute) => {
      const players = this.#hour?.[minute % HOUR] ?? NOBODY_LOOKED
      return players < 0 ? [] : [point(minute, players)]
    })
  }

  /** With other slots another number is to be expected: what was full may have room now. Who is full because others wait is full rightly. */
  #freeze(minute: number, { players, slots, isAwaited }: { players: number; slots: number; isAwaited: boolean }, gap: number): void {
    const isSame = players === this.#players && slots === this.#slots && slots > 0 && gap <= LONGEST_GAP
    this.#slots = slots
    if (isSame && !(isAwaited && players >= slots)) {
      this.#frozenMinutes += 1
      return
    }
    this.#frozenFrom = minute
    this.#frozenMinutes = 0
  }

  #isFrozen(players: number, slots: number): boolean {
    if (players < FROZEN.players || slots === 0) return false
    if (players >= slots) return this.#frozenMinutes >= FULL.minutes
    return this.#frozenMinutes >= (players >= slots * NEARLY_FULL.share ? NEARLY_FULL.minutes : FROZEN.minutes)
  }

  /** Answers what this very minute adds to, so that what is over is not told again. */
  #move(minute: number, before: number, players: number): Strange | undefined {
    const by = players - before
    const much = Math.max(SWING.players, before * SWING.share)
    if (by >= much) this.#hasRisen = true
    if (by >= LEAP.players && players >= before * LEAP.times && this.#isLeap(minute, players)) {
      this.#leaps = [...this.#leaps.filter((at) => minute - at < DAY), minute]
      return this.#leaps.length >= LEAP.count ? 'LEAPS' : undefined
    }
    if (-by < much || players < before * SWING.toAtLeast || !this.#hasRisen) return undefined
    this.#hasRisen = false
    this.#falls = [...this.#falls.filter((at) => minute - at < HOUR), minute]
    return this.#falls.length >= SWING.count ? 'SWINGS' : undefined
  }

  #isLeap(minute: number, players: number): boolean {
    const isRefilling = this.#emptyAt >= 0 && minute - this.#emptyAt <= REFILL_MINUTES
    const most = Math.max(0, ...(this.#hour ?? []))
    return !isRefilling && most > 0 && players >= most * LEAP.overTheHour
  }

  /** Minutes that were passed over hold what was seen an hour before them. */
  #passOver(minute: number): void {
    if (this.#hour === undefined) return
    for (let passed = Math.max(this.#minute + 1, minute - HOUR); passed < minute; passed += 1) this.#hour[passed % HOUR] = NOBODY_LOOKED
  }

  #keep(minute: number, players: number): void {
    if (this.#hour === undefined && players < FROZEN.players) return
    this.#hour ??= new Int16Array(HOUR).fill(NOBODY_LOOKED)
    this.#hour[minute % HOUR] = players
  }
}
