/** The last announce attempts of each server. Accepted ones of an online server stay in memory; all others are saved. */
import type { AnnounceAttempt } from '#contract/servers.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { translateLines } from '#backend/platform/messages/stored-text.ts'
import { isRejection, wordingOf } from '#backend/masterlist/registry/reasons.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { listAttempts } from './masterlist.queries.ts'
import type { Attempt, ServerAttempt } from './masterlist.writes.ts'

/** Number of attempts that an owner sees (contract section 5). */
export const MAX_ATTEMPTS_PER_SERVER = 50
/** Rejections that cost the sender nothing, so repeats are recorded only once per `REPEAT_INTERVAL_MS`. */
const THROTTLED_CODES: ReadonlySet<string> = new Set(['TOO_OFTEN', 'UNAVAILABLE'])
const REPEAT_INTERVAL_MS = 5000
/** Servers whose attempts wait for the database. In a long outage the oldest are dropped. */
const MAX_PENDING_SERVERS = 5000

const SLOTS_PER_SLAB = 1024
/** Each attempt takes 16 bits for the time since the previous one: up to 54 minutes in steps of 100 ms or, with the highest bit set, in minutes. */
const STEP_MS = 100
const LONG = 0x80_00
const LONG_STEP_MS = 60_000

const newSlab = () => ({
  intervals: new Uint16Array(SLOTS_PER_SLAB * MAX_ATTEMPTS_PER_SERVER),
  /** Wall milliseconds of each slot's newest attempt. */
  newest: new Float64Array(SLOTS_PER_SLAB),
  /** Total attempts written to each slot's ring. */
  counts: new Uint32Array(SLOTS_PER_SLAB),
})

export class Attempts {
  readonly #slabs: ReturnType<typeof newSlab>[] = []
  readonly #freeSlots: number[] = []
  #nextSlot = 0
  /** Not saved yet, oldest first. By record, because a transferred server is another record with its own attempts. */
  #pending = new Map<ServerRecord, Attempt[]>()
  /** Being saved, and possibly saved already. */
  #inFlight: readonly ServerAttempt[] = []

  get pending(): number {
    return this.#pending.size
  }

  /** Queues an attempt for the database. Returns false for a throttled repeat. */
  enqueue(server: ServerRecord, attempt: Attempt): boolean {
    const pending = this.#pending.get(server) ?? []
    const last = pending.at(-1) ?? this.#inFlight.findLast((row) => row.server === server)
    const isRepeated =
      last?.code === attempt.code && last.address === attempt.address && Math.abs(attempt.at - last.at) < REPEAT_INTERVAL_MS
    if (isRepeated && THROTTLED_CODES.has(attempt.code)) return false
    if (pending.length === 0) this.#pending.set(server, pending)
    pending.push(attempt)
    if (pending.length > MAX_ATTEMPTS_PER_SERVER) pending.shift()
    const oldest = this.#pending.keys().next()
    if (this.#pending.size > MAX_PENDING_SERVERS && !oldest.done) this.#pending.delete(oldest.value)
    return true
  }

  /** Records an accepted announce of an online server as one number in the server's ring. */
  recordRepeat(server: ServerRecord, at: number): void {
    if (server.attemptRing === -1) server.attemptRing = this.#freeSlots.pop() ?? this.#nextSlot++
    const slab = this.#slabOf(server.attemptRing)
    const slot = server.attemptRing % SLOTS_PER_SLAB
    const count = slab.counts[slot] ?? 0
    const previous = count === 0 ? at : (slab.newest[slot] ?? at)
    const steps = Math.max(0, Math.round((at - previous) / STEP_MS))
    const isLong = steps >= LONG
    const interval = isLong ? LONG + Math.min(LONG - 1, Math.round((at - previous) / LONG_STEP_MS)) : steps
    slab.intervals[slot * MAX_ATTEMPTS_PER_SERVER + (count % MAX_ATTEMPTS_PER_SERVER)] = interval
    // Adds the rounded interval, so that rounding errors don't add up.
    slab.newest[slot] = isLong ? at : previous + steps * STEP_MS
    slab.counts[slot] = count + 1
  }

  /** Returns how many announces of a server were accepted since the last call. */
  acceptedSinceLastCall(server: ServerRecord): number {
    const count = server.attemptRing === -1 ? 0 : (this.#slabOf(server.attemptRing).counts[server.attemptRing % SLOTS_PER_SLAB] ?? 0)
    const since = count - server.countAtLastRateRead
    server.countAtLastRateRead = count
    // A changed address resets the count.
    return since < 0 ? count : since
  }

  /** Moves a server's ring to the queue, because its address changes. @param address the previous one. */
  flush(server: ServerRecord, address: string): void {
    const attempts = this.repeatsOf(server, address)
    this.forget(server)
    for (const attempt of attempts.toReversed()) this.enqueue(server, attempt)
  }

  repeatsOf(server: ServerRecord, address: string): Attempt[] {
    if (server.attemptRing === -1) return []
    const slab = this.#slabOf(server.attemptRing)
    const slot = server.attemptRing % SLOTS_PER_SLAB
    const count = slab.counts[slot] ?? 0
    let at = slab.newest[slot] ?? 0
    return Array.from({ length: Math.min(count, MAX_ATTEMPTS_PER_SERVER) }, (_, back) => {
      const attempt = { at, code: 'ACCEPTED', address, detail: '' }
      const interval = slab.intervals[slot * MAX_ATTEMPTS_PER_SERVER + ((count - 1 - back) % MAX_ATTEMPTS_PER_SERVER)] ?? 0
      at -= interval < LONG ? interval * STEP_MS : (interval - LONG) * LONG_STEP_MS
      return attempt
    })
  }

  forget(server: ServerRecord): void {
    if (server.attemptRing === -1) return
    const slab = this.#slabOf(server.attemptRing)
    slab.counts[server.attemptRing % SLOTS_PER_SLAB] = 0
    this.#freeSlots.push(server.attemptRing)
    server.attemptRing = -1
  }

  /** A server's attempts that the database may not have yet, newest first. */
  unsavedOf(server: ServerRecord): Attempt[] {
    return [...this.#inFlight.filter((row) => row.server === server), ...(this.#pending.get(server) ?? [])].toReversed()
  }

  /** Takes the pending attempts of servers that are still `known`, and drops the rest. Call `settle` afterwards. */
  drain(known: (server: ServerRecord) => boolean): readonly ServerAttempt[] {
    this.#inFlight = [...this.#pending].flatMap(([server, attempts]) =>
      known(server) ? attempts.map((attempt) => ({ server, ...attempt })) : [],
    )
    this.#pending = new Map()
    return this.#inFlight
  }

  /** Ends a save. Attempts in `lost` are queued again, before those that were added since. */
  finishSave(lost: readonly ServerAttempt[]): void {
    this.#inFlight = []
    if (lost.length === 0) return
    const newer = this.#pending
    this.#pending = new Map()
    for (const { server, ...attempt } of lost) this.enqueue(server, attempt)
    for (const [server, attempts] of newer) for (const attempt of attempts) this.enqueue(server, attempt)
  }

  #slabOf(slot: number) {
    return (this.#slabs[Math.floor(slot / SLOTS_PER_SLAB)] ??= newSlab())
  }
}

/**
 * A server's last attempts as its owner sees them, newest first. Unchanged accepted ones are only those that this node received.
 * @param server undefined if the list has not loaded it yet.
 */
export async function attemptsOf(db: Db, attempts: Attempts, publicId: string, server?: ServerRecord): Promise<AnnounceAttempt[]> {
  // Memory first, so that an attempt that is being saved is read twice instead of never.
  const pending = server === undefined ? [] : attempts.unsavedOf(server)
  const seen = new Set(pending.map(keyOf))
  const rows = (await listAttempts(db, publicId, MAX_ATTEMPTS_PER_SERVER)).map((row) => ({ ...row, at: row.at.getTime() }))
  const saved = rows.filter((row) => !seen.has(keyOf(row)))
  const repeated = server === undefined ? [] : attempts.repeatsOf(server, server.address)
  return [...repeated, ...pending, ...saved]
    .toSorted((a, b) => b.at - a.at)
    .slice(0, MAX_ATTEMPTS_PER_SERVER)
    .map(present)
}

const keyOf = ({ at, code, address, detail }: Attempt) => `${at} ${code} ${address} ${detail}`

function present({ at, code, address, detail }: Attempt): AnnounceAttempt {
  const { message, remedy } = wordingOf(code)
  return {
    at: new Date(at).toISOString(),
    outcome: isRejection(code) ? 'refused' : 'accepted',
    code,
    message: detail === '' ? message : translateLines(detail),
    remedy,
    address,
  }
}
