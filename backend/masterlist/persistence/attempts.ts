/** The last announce attempts of each server. Accepted ones of an online server stay in memory; the others are saved. */
import type { AnnounceAttempt } from '#contract/servers.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { isRejection, wordingOf } from '#backend/masterlist/registry/reasons.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { listAttempts } from './masterlist.queries.ts'
import type { Attempt, ServerAttempt } from './masterlist.writes.ts'

/** How many attempts an owner sees (contract section 5). */
export const ATTEMPTS_KEPT = 50
/** These rejections cost their sender nothing, so a flood of them is recorded only once per `REPEAT_MS`. */
const FLOODS: ReadonlySet<string> = new Set(['TOO_OFTEN', 'UNAVAILABLE'])
const REPEAT_MS = 5000
/** Servers whose attempts wait for the database. Beyond, in a long outage, the oldest are dropped. */
const MAX_PENDING_SERVERS = 5000

const SLOTS_PER_SLAB = 1024
/** Each attempt is 16 bits, the time since the previous one: up to 54 minutes in steps of 100 ms, or, with the highest bit set, in minutes. */
const STEP_MS = 100
const LONG = 0x80_00
const LONG_STEP_MS = 60_000

const newSlab = () => ({
  waits: new Uint16Array(SLOTS_PER_SLAB * ATTEMPTS_KEPT),
  /** Wall milliseconds of each slot's newest attempt. */
  newest: new Float64Array(SLOTS_PER_SLAB),
  /** How many attempts each slot's ring has taken so far. */
  counts: new Uint32Array(SLOTS_PER_SLAB),
})

export class Attempts {
  readonly #slabs: ReturnType<typeof newSlab>[] = []
  readonly #freeSlots: number[] = []
  #nextSlot = 0
  /** Waiting for the database, oldest first. By record, because a server that changed hands is another record with its own attempts. */
  #pending = new Map<ServerRecord, Attempt[]>()
  /** On the way to the database, and possibly there already. */
  #inFlight: readonly ServerAttempt[] = []

  get pending(): number {
    return this.#pending.size
  }

  /** Records an attempt for the database. Returns false where it is one more of a flood. */
  enqueue(server: ServerRecord, attempt: Attempt): boolean {
    const waiting = this.#pending.get(server) ?? []
    const last = waiting.at(-1) ?? this.#inFlight.findLast((row) => row.server === server)
    const isRepeated = last?.code === attempt.code && last.address === attempt.address && Math.abs(attempt.at - last.at) < REPEAT_MS
    if (isRepeated && FLOODS.has(attempt.code)) return false
    if (waiting.length === 0) this.#pending.set(server, waiting)
    waiting.push(attempt)
    if (waiting.length > ATTEMPTS_KEPT) waiting.shift()
    const oldest = this.#pending.keys().next()
    if (this.#pending.size > MAX_PENDING_SERVERS && !oldest.done) this.#pending.delete(oldest.value)
    return true
  }

  /** Records an accepted announce of a server that was online, changed or not: one number in the server's ring. */
  recordRepeat(server: ServerRecord, at: number): void {
    if (server.attemptRing === -1) server.attemptRing = this.#freeSlots.pop() ?? this.#nextSlot++
    const slab = this.#slabOf(server.attemptRing)
    const slot = server.attemptRing % SLOTS_PER_SLAB
    const count = slab.counts[slot] ?? 0
    const previous = count === 0 ? at : (slab.newest[slot] ?? at)
    const steps = Math.max(0, Math.round((at - previous) / STEP_MS))
    const isLong = steps >= LONG
    const wait = isLong ? LONG + Math.min(LONG - 1, Math.round((at - previous) / LONG_STEP_MS)) : steps
    slab.waits[slot * ATTEMPTS_KEPT + (count % ATTEMPTS_KEPT)] = wait
    // The rounded time, so that rounding errors do not add up.
    slab.newest[slot] = isLong ? at : previous + steps * STEP_MS
    slab.counts[slot] = count + 1
  }

  /** How many announces of a server were accepted since the last call. */
  acceptedSinceLastCall(server: ServerRecord): number {
    const count = server.attemptRing === -1 ? 0 : (this.#slabOf(server.attemptRing).counts[server.attemptRing % SLOTS_PER_SLAB] ?? 0)
    const since = count - server.countAtLastPace
    server.countAtLastPace = count
    // A change of address resets the count.
    return since < 0 ? count : since
  }

  /** Moves a server's ring to what waits for the database: the next announce comes from another address. */
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
    return Array.from({ length: Math.min(count, ATTEMPTS_KEPT) }, (_, back) => {
      const attempt = { at, code: 'ACCEPTED', address, detail: '' }
      const wait = slab.waits[slot * ATTEMPTS_KEPT + ((count - 1 - back) % ATTEMPTS_KEPT)] ?? 0
      at -= wait < LONG ? wait * STEP_MS : (wait - LONG) * LONG_STEP_MS
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

  /** Attempts of one server that the database may not have yet, newest first. */
  unsavedOf(server: ServerRecord): Attempt[] {
    return [...this.#inFlight.filter((row) => row.server === server), ...(this.#pending.get(server) ?? [])].toReversed()
  }

  /** Takes what waits of servers that are still `known`, and drops the rest. Call `settle` with the result. */
  drain(known: (server: ServerRecord) => boolean): readonly ServerAttempt[] {
    this.#inFlight = [...this.#pending].flatMap(([server, attempts]) =>
      known(server) ? attempts.map((attempt) => ({ server, ...attempt })) : [],
    )
    this.#pending = new Map()
    return this.#inFlight
  }

  /** What was taken is in the database; what was `lost` waits again, before what came since. */
  settle(lost: readonly ServerAttempt[]): void {
    this.#inFlight = []
    if (lost.length === 0) return
    const since = this.#pending
    this.#pending = new Map()
    for (const { server, ...attempt } of lost) this.enqueue(server, attempt)
    for (const [server, attempts] of since) for (const attempt of attempts) this.enqueue(server, attempt)
  }

  #slabOf(slot: number) {
    return (this.#slabs[Math.floor(slot / SLOTS_PER_SLAB)] ??= newSlab())
  }
}

/**
 * A server's last attempts as its owner sees them, newest first. Repeated accepted ones are those that this node heard.
 * @param server undefined where the list has not read it yet.
 */
export async function attemptsOf(db: Db, attempts: Attempts, publicId: string, server?: ServerRecord): Promise<AnnounceAttempt[]> {
  // Memory first: an attempt that is saved meanwhile is then seen twice, never missed.
  const waiting = server === undefined ? [] : attempts.unsavedOf(server)
  const seen = new Set(waiting.map(keyOf))
  const rows = (await listAttempts(db, publicId, ATTEMPTS_KEPT)).map((row) => ({ ...row, at: row.at.getTime() }))
  const saved = rows.filter((row) => !seen.has(keyOf(row)))
  const repeated = server === undefined ? [] : attempts.repeatsOf(server, server.address)
  return [...repeated, ...waiting, ...saved]
    .toSorted((a, b) => b.at - a.at)
    .slice(0, ATTEMPTS_KEPT)
    .map(present)
}

const keyOf = ({ at, code, address, detail }: Attempt) => `${at} ${code} ${address} ${detail}`

function present({ at, code, address, detail }: Attempt): AnnounceAttempt {
  const { message, remedy } = wordingOf(code)
  return {
    at: new Date(at).toISOString(),
    outcome: isRejection(code) ? 'refused' : 'accepted',
    code,
    message: detail === '' ? message : detail,
    remedy,
    address,
  }
}
