/**
 * The last announce attempts of each server. Refused ones and those that changed something go to the database; repeated accepted ones
 * live in memory only, packed into numbers, for each server announces every half minute and nobody needs that on disk.
 */
import type { AttemptRow } from './masterlist.writes.ts'
import type { ServerRecord } from './server-record.ts'

/** How many attempts an owner sees (contract section 5). */
export const ATTEMPTS_KEPT = 50
/** The same refusal from the same address is noted again only after this long, so that a flood writes next to nothing. */
const REPEAT_MS = 5000
/** Notes waiting for the database; past it (a long outage) the oldest go. */
const MOST_PENDING = 20_000

const SLOTS_IN_A_SLAB = 1024
/** Times are kept in steps of 16 ms since the start, so that 32 bits last two years. */
const STEP_MS = 16

interface Slab {
  readonly times: Uint32Array
  /** What each slot's ring has taken in so far. */
  readonly counts: Uint32Array
}

export interface Attempt {
  /** Wall milliseconds. */
  readonly at: number
  readonly code: string
  readonly address: string
}

export class Attempts {
  readonly #epoch: number
  readonly #slabs: Slab[] = []
  readonly #freeSlots: number[] = []
  #nextSlot = 0
  #pending: AttemptRow[] = []
  readonly #lastNoted = new Map<string, Attempt>()

  /** @param now wall milliseconds at the start. */
  constructor(now: number) {
    this.#epoch = now
  }

  get pending(): number {
    return this.#pending.length
  }

  /** Notes an attempt for the database. Answers false where it only repeats the one before. */
  note(publicId: string, attempt: Attempt): boolean {
    const last = this.#lastNoted.get(publicId)
    if (last !== undefined && last.code === attempt.code && last.address === attempt.address && attempt.at - last.at < REPEAT_MS && attempt.at >= last.at) return false
    this.#lastNoted.delete(publicId)
    this.#lastNoted.set(publicId, attempt)
    if (this.#lastNoted.size > MOST_PENDING) this.#forgetOldestNote()
    this.#pending.push({ serverId: publicId, ...attempt })
    // Dropping a tenth at a time keeps the cost of an outage flat.
    if (this.#pending.length > MOST_PENDING) this.#pending.splice(0, MOST_PENDING / 10)
    return true
  }

  /** An accepted announce that changed nothing worth a row: one number in the server's ring. */
  repeat(server: ServerRecord, at: number): void {
    if (server.ring === -1) server.ring = this.#freeSlots.pop() ?? this.#nextSlot++
    const slab = this.#slabOf(server.ring)
    const slot = server.ring % SLOTS_IN_A_SLAB
    const count = slab.counts[slot] ?? 0
    slab.times[slot * ATTEMPTS_KEPT + (count % ATTEMPTS_KEPT)] = Math.max(0, (at - this.#epoch) / STEP_MS)
    slab.counts[slot] = count + 1
  }

  /** Moves a server's ring into the notes, because what comes now comes from another address. */
  spill(server: ServerRecord, address: string): void {
    const attempts = this.repeated(server, address)
    this.forget(server)
    for (const attempt of attempts.toReversed()) this.#pending.push({ serverId: server.publicId, ...attempt })
  }

  /** The accepted announces in the server's ring, newest first. */
  repeated(server: ServerRecord, address: string): Attempt[] {
    if (server.ring === -1) return []
    const slab = this.#slabOf(server.ring)
    const slot = server.ring % SLOTS_IN_A_SLAB
    const count = slab.counts[slot] ?? 0
    return Array.from({ length: Math.min(count, ATTEMPTS_KEPT) }, (_, back) => {
      const step = slab.times[slot * ATTEMPTS_KEPT + ((count - 1 - back) % ATTEMPTS_KEPT)] ?? 0
      return { at: this.#epoch + step * STEP_MS, code: 'ACCEPTED', address }
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

  /** What waits for the database for one server, newest first. */
  pendingOf(publicId: string): Attempt[] {
    return this.#pending.filter((row) => row.serverId === publicId).toReversed()
  }

  /** Hands over what waits, at most the newest 50 of each server, oldest first. */
  take(): AttemptRow[] {
    const taken = this.#pending
    this.#pending = []
    if (taken.length <= ATTEMPTS_KEPT) return taken
    const left = new Map<string, number>()
    return taken
      .toReversed()
      .filter((row) => {
        const room = left.get(row.serverId) ?? ATTEMPTS_KEPT
        left.set(row.serverId, room - 1)
        return room > 0
      })
      .toReversed()
  }

  /** Takes back what could not be written. */
  putBack(rows: readonly AttemptRow[]): void {
    this.#pending = [...rows, ...this.#pending].slice(-MOST_PENDING)
  }

  #slabOf(slot: number): Slab {
    const index = Math.floor(slot / SLOTS_IN_A_SLAB)
    const slab = this.#slabs[index] ?? { times: new Uint32Array(SLOTS_IN_A_SLAB * ATTEMPTS_KEPT), counts: new Uint32Array(SLOTS_IN_A_SLAB) }
    this.#slabs[index] = slab
    return slab
  }

  #forgetOldestNote(): void {
    const oldest = this.#lastNoted.keys().next()
    if (!oldest.done) this.#lastNoted.delete(oldest.value)
  }
}
