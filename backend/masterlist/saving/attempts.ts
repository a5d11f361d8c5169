/**
 * The last announce attempts of each server. Refused ones and those that changed something go to the database; repeated accepted ones
 * live in memory only, packed into numbers, for each server announces every half minute and nobody needs that on disk.
 */
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import type { AttemptRow } from './masterlist.writes.ts'

/** How many attempts an owner sees (contract section 5). */
export const ATTEMPTS_KEPT = 50
/** What a flood is made of is noted again only after this long: these refusals cost their sender nothing, so nothing bounds them. */
const FLOODS: ReadonlySet<string> = new Set(['TOO_OFTEN', 'UNAVAILABLE'])
const REPEAT_MS = 5000
/** Servers whose notes wait for the database; past it (a long outage) the oldest go. */
const MOST_WAITING = 5000

const SLOTS_IN_A_SLAB = 1024
/**
 * Of each attempt 16 bits say how long it came after the one before it: up to 54 minutes in steps of 100 ms, and beyond, with the
 * highest bit set, in minutes up to 22 days.
 */
const STEP_MS = 100
const LONG = 0x80_00
const LONG_STEP_MS = 60_000

interface Slab {
  readonly waits: Uint16Array
  /** When the newest came: wall milliseconds. */
  readonly newest: Float64Array
  /** What each slot's ring has taken in so far. */
  readonly counts: Uint32Array
}

export interface Attempt {
  /** Wall milliseconds. */
  readonly at: number
  readonly code: string
  readonly address: string
  /** What was wrong exactly, where the code alone does not say it; else empty. */
  readonly detail: string
}

/** An attempt on its way to the database. */
export interface Noted extends AttemptRow {
  readonly server: ServerRecord
}

export class Attempts {
  readonly #slabs: Slab[] = []
  readonly #freeSlots: number[] = []
  #nextSlot = 0
  /**
   * What waits for the database, oldest first, at most 50 of each server. By record: a server that changed hands is another record,
   * and what waits of the former one is not the next owner's to know.
   */
  #pending = new Map<ServerRecord, Attempt[]>()
  /** What is on its way to the database, and may be there already. */
  #inFlight: readonly Noted[] = []

  get pending(): number {
    return this.#pending.size
  }

  /** Notes an attempt for the database. Answers false where it is one more of a flood. */
  note(server: ServerRecord, attempt: Attempt): boolean {
    const waiting = this.#pending.get(server) ?? []
    const last = waiting.at(-1) ?? this.#inFlight.findLast((row) => row.server === server)
    if (
      last !== undefined &&
      FLOODS.has(attempt.code) &&
      last.code === attempt.code &&
      last.address === attempt.address &&
      Math.abs(attempt.at - last.at) < REPEAT_MS
    )
      return false
    if (waiting.length === 0) this.#pending.set(server, waiting)
    waiting.push(attempt)
    if (waiting.length > ATTEMPTS_KEPT) waiting.shift()
    if (this.#pending.size > MOST_WAITING) this.#forgetOldest()
    return true
  }

  /** An accepted announce that changed nothing worth a row: one number in the server's ring. */
  repeat(server: ServerRecord, at: number): void {
    if (server.ring === -1) server.ring = this.#freeSlots.pop() ?? this.#nextSlot++
    const slab = this.#slabOf(server.ring)
    const slot = server.ring % SLOTS_IN_A_SLAB
    const count = slab.counts[slot] ?? 0
    const before = slab.newest[slot] ?? 0
    const steps = Math.max(0, Math.round((at - before) / STEP_MS))
    const isLong = count > 0 && steps >= LONG
    slab.waits[slot * ATTEMPTS_KEPT + (count % ATTEMPTS_KEPT)] =
      count === 0 ? 0 : isLong ? LONG + Math.min(LONG - 1, Math.round((at - before) / LONG_STEP_MS)) : steps
    // What rounding took from one is not taken from all before it.
    slab.newest[slot] = count === 0 || isLong ? at : before + steps * STEP_MS
    slab.counts[slot] = count + 1
  }

  /** How many accepted announces went into the server's ring since it was given one. */
  countOf(server: ServerRecord): number {
    return server.ring === -1 ? 0 : (this.#slabOf(server.ring).counts[server.ring % SLOTS_IN_A_SLAB] ?? 0)
  }

  /** Moves a server's ring into the notes, because what comes now comes from another address. */
  spill(server: ServerRecord, address: string): void {
    const attempts = this.repeated(server, address)
    this.forget(server)
    for (const attempt of attempts.toReversed()) this.note(server, attempt)
  }

  /** The accepted announces in the server's ring, newest first. */
  repeated(server: ServerRecord, address: string): Attempt[] {
    if (server.ring === -1) return []
    const slab = this.#slabOf(server.ring)
    const slot = server.ring % SLOTS_IN_A_SLAB
    const count = slab.counts[slot] ?? 0
    let at = slab.newest[slot] ?? 0
    return Array.from({ length: Math.min(count, ATTEMPTS_KEPT) }, (_, back) => {
      const attempt = { at, code: 'ACCEPTED', address, detail: '' }
      const wait = slab.waits[slot * ATTEMPTS_KEPT + ((count - 1 - back) % ATTEMPTS_KEPT)] ?? 0
      at -= wait < LONG ? wait * STEP_MS : (wait - LONG) * LONG_STEP_MS
      return attempt
    })
  }

  /** Empties and gives back the server's ring. */
  forget(server: ServerRecord): void {
    if (server.ring === -1) return
    const slab = this.#slabOf(server.ring)
    slab.counts[server.ring % SLOTS_IN_A_SLAB] = 0
    this.#freeSlots.push(server.ring)
    server.ring = -1
  }

  /** What the database may not have yet of one server, newest first. */
  waitingOf(server: ServerRecord): Attempt[] {
    return [...this.#inFlight.filter((row) => row.server === server), ...(this.#pending.get(server) ?? [])].toReversed()
  }

  /** Hands over what waits of servers that are still `known`; what waits of others is nobody's. Say with `settle` what became of it. */
  take(known: (server: ServerRecord) => boolean): readonly Noted[] {
    this.#inFlight = [...this.#pending].flatMap(([server, attempts]) =>
      known(server) ? attempts.map((attempt) => ({ server, serverId: server.publicId, ...attempt })) : [],
    )
    this.#pending = new Map()
    return this.#inFlight
  }

  /** What was taken is in the database, or (`lost`) waits again before what came since. */
  settle(lost: readonly Noted[]): void {
    this.#inFlight = []
    if (lost.length === 0) return
    const since = this.#pending
    this.#pending = new Map()
    for (const { server, serverId: _id, ...attempt } of lost) this.note(server, attempt)
    for (const [server, attempts] of since) for (const attempt of attempts) this.note(server, attempt)
  }

  #slabOf(slot: number): Slab {
    const index = Math.floor(slot / SLOTS_IN_A_SLAB)
    const slab = this.#slabs[index] ?? {
      waits: new Uint16Array(SLOTS_IN_A_SLAB * ATTEMPTS_KEPT),
      newest: new Float64Array(SLOTS_IN_A_SLAB),
      counts: new Uint32Array(SLOTS_IN_A_SLAB),
    }
    this.#slabs[index] = slab
    return slab
  }

  #forgetOldest(): void {
    const oldest = this.#pending.keys().next()
    if (!oldest.done) this.#pending.delete(oldest.value)
  }
}
