/** The last announce attempts of each server. Accepted ones of an online server stay in memory; all others are saved. */
import type { AnnounceAttempt } from '#contract/servers/servers.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { translateLines } from '#backend/platform/messages/stored-text.ts'
import { isRejection, wordingOf } from '#backend/masterlist/registry/reasons.ts'
import type { Attempt, ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { listAttempts } from './masterlist.queries.ts'
import type { ServerAttempt } from './masterlist.writes.ts'

/** Number of attempts that an owner sees. */
export const MAX_ATTEMPTS_PER_SERVER = 50
/** Rejections that cost the sender nothing, so repeats are recorded only once per `REPEAT_INTERVAL_MS`. */
const THROTTLED_CODES: ReadonlySet<string> = new Set(['TOO_OFTEN', 'UNAVAILABLE'])
const REPEAT_INTERVAL_MS = 5000
/** Servers whose attempts wait for the database. In a long outage the oldest are dropped. */
const MAX_PENDING_SERVERS = 5000

export class Attempts {
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

  /** Records an accepted announce of an online server. These stay in memory. */
  recordRepeat(server: ServerRecord, attempt: Omit<Attempt, 'detail'>): void {
    server.accepted.push(attempt)
    if (server.accepted.length > MAX_ATTEMPTS_PER_SERVER) server.accepted.shift()
    server.acceptedSinceRateRead += 1
  }

  /** Returns how many announces of a server were accepted since the last call. */
  acceptedSinceLastCall(server: ServerRecord): number {
    const { acceptedSinceRateRead: count } = server
    server.acceptedSinceRateRead = 0
    return count
  }

  repeatsOf({ accepted }: ServerRecord): Attempt[] {
    return accepted.map((attempt) => ({ ...attempt, detail: '' }))
  }

  forget(server: ServerRecord): void {
    server.accepted = []
  }

  /** A server's attempts that the database may not have yet, newest first. */
  unsavedOf(server: ServerRecord): Attempt[] {
    return [...this.#inFlight.filter((row) => row.server === server), ...(this.#pending.get(server) ?? [])].toReversed()
  }

  /** Takes the pending attempts of servers that are still `known`, and drops the rest. Call `finishSave` afterwards. */
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
  const repeated = server === undefined ? [] : attempts.repeatsOf(server)
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
