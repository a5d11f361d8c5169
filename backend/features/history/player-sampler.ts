/**
 * Samples each server's players once a minute: one row per server and online hour, and one per hour for the whole list.
 * Every node samples and one writes. The others keep their samples until the database has them.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Deps } from '#backend/platform/deps.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { HourRows } from './hour-rows.ts'
import { DenseIndex } from '#backend/platform/dense-index.ts'
import { type SampleRow, findListHour, isListHourWritten, listSamples, upsertListSamples, upsertSamples } from './player-sampler.queries.ts'
import { NOT_SAMPLED, OFFLINE } from '#backend/platform/database/tables/player-samples.ts'
import { HOUR_MS, MINUTES_OF_HOUR, MINUTE_MS, startOf } from './time.ts'

/** A killed node loses at most this much. */
const FLUSH_MS = 300_000
/** Rows per transaction: about a millisecond to prepare. */
const MAX_BATCH = 250
/** Servers sampled between yields to the event loop: about a millisecond. */
const SERVERS_PER_SLICE = 500
/** Finished hours stay in memory this long after they are written, so that the newest minutes are readable without the database. */
const RECENT_MS = 600_000
/** Finished hours kept while the database is unavailable; the oldest is dropped first. */
const MAX_FINISHED_HOURS = 6
const PAGE_ROWS = 2000

export interface SampledServer {
  readonly publicId: string
  readonly online: boolean
  readonly isListed: boolean
  readonly fields: { readonly createdAt: number }
  readonly announced: { readonly playersCount: number; readonly maxPlayersCount: number; readonly queueCount: number } | undefined
}

/** @param players -1 while offline. @param at start of the minute in wall milliseconds. */
type OnSample = (server: SampledServer, players: number, at: number) => void

interface Hour {
  /** Start in wall milliseconds. */
  readonly from: number
  readonly rows: HourRows
  /** The list's totals by minute: players here, servers in `servers`. */
  readonly players: Int32Array
  readonly servers: Int32Array
  /** The uptime when the database had all of its minutes; undefined while it may not. */
  writtenAt: number | undefined
}

export class PlayerSampler {
  /** An index for each server that was online since the start, until it is forgotten. */
  readonly serverIndex = new DenseIndex()
  readonly #deps: Pick<Deps, 'db' | 'clock'>
  readonly #servers: () => Iterable<SampledServer>
  readonly #mayWrite: () => boolean
  #current: Hour
  /** Finished hours that are unwritten or recent, oldest first, then the current one. */
  readonly #hours: Hour[]
  #writing: Hour | undefined
  #minute = -1
  #isStopping = false
  #flushAt: number
  #flushing: Promise<void> = Promise.resolve()

  constructor(deps: Pick<Deps, 'db' | 'clock'>, servers: () => Iterable<SampledServer>, mayWrite: () => boolean = () => true) {
    this.#deps = deps
    this.#servers = servers
    this.#mayWrite = mayWrite
    this.#current = emptyHour(startOf(deps.clock.now(), HOUR_MS))
    this.#hours = [this.#current]
    this.#flushAt = deps.clock.uptime() + FLUSH_MS
  }

  /** Restores the stored minutes of the current hour after a restart. */
  restore(publicId: string, hour: Date, players: readonly number[]): void {
    if (hour.getTime() === this.#current.from) this.#current.rows.put(this.serverIndex.assign(publicId), players)
  }

  async restoreList(): Promise<void> {
    const hour = this.#current
    const stored = await findListHour(this.#deps.db, new Date(hour.from))
    if (stored === undefined) return
    hour.players.set(stored.players)
    hour.servers.set(stored.servers)
  }

  async sample(onSample: OnSample): Promise<void> {
    const now = this.#deps.clock.now()
    const minute = Math.floor(now / MINUTE_MS)
    if (minute === this.#minute) return
    this.#minute = minute
    if (startOf(now, HOUR_MS) !== this.#current.from) this.#startHour(startOf(now, HOUR_MS))
    const hour = this.#current
    const minuteOfHour = minute % MINUTES_OF_HOUR
    // A server that is new to this hour was offline in the sampled minutes.
    const backfill = Int16Array.from(hour.players, (count) => (count === NOT_SAMPLED ? NOT_SAMPLED : OFFLINE))
    let sampled = 0
    let listed = 0
    let players = 0
    for (const server of this.#servers()) {
      const count = server.online ? (server.announced?.playersCount ?? 0) : OFFLINE
      this.#record(hour, server, minuteOfHour, count, backfill)
      if (server.isListed) {
        listed += 1
        players += count
      }
      if (server.announced !== undefined) onSample(server, count, minute * MINUTE_MS)
      sampled += 1
      if (sampled % SERVERS_PER_SLICE === 0) await yieldToEventLoop()
    }
    hour.players[minuteOfHour] = players
    hour.servers[minuteOfHour] = listed
  }

  /** This node's samples of an hour that is recent or may be unwritten; -2 in minutes without a sample. */
  samplesOf(publicId: string, hour: number): ArrayLike<number> | undefined {
    const index = this.serverIndex.get(publicId)
    if (index === undefined) return undefined
    return this.#hours.findLast(({ from, rows }) => from === hour && rows.has(index))?.rows.of(index)
  }

  listSamplesOf(hour: number): { readonly players: ArrayLike<number>; readonly servers: ArrayLike<number> } | undefined {
    return this.#hours.findLast(({ from }) => from === hour)
  }

  /** Starts of the hours that may be unwritten. */
  get hours(): readonly number[] {
    return [...new Set(this.#hours.filter(({ writtenAt }) => writtenAt === undefined).map(({ from }) => from))]
  }

  /** Makes long tasks return early. */
  stop(): void {
    this.#isStopping = true
  }

  get isStopping(): boolean {
    return this.#isStopping
  }

  forget(publicId: string): void {
    const index = this.serverIndex.get(publicId)
    if (index === undefined) return
    for (const { rows } of this.#hours) rows.delete(index)
    this.serverIndex.release(publicId)
  }

  get isFlushDue(): boolean {
    return this.#deps.clock.uptime() >= this.#flushAt
  }

  /** Writes new samples if this node is the writer; failed writes are retried with the next flush. @param isLast shutdown: every node writes. */
  flush(isLast = false): Promise<void> {
    const flushed = this.#flushing.then(() => this.#flush(isLast))
    this.#flushing = flushed.catch(() => undefined)
    return flushed
  }

  async #flush(isLast: boolean): Promise<void> {
    this.#flushAt = this.#deps.clock.uptime() + FLUSH_MS
    const writes = isLast || this.#mayWrite()
    const nextUnwritten = () => this.#hours.find((hour) => hour.writtenAt === undefined && hour !== this.#current)
    for (let hour = nextUnwritten(); hour !== undefined; hour = nextUnwritten()) {
      if (writes) await this.#write(hour)
      else if (!(await isListHourWritten(this.#deps.db, new Date(hour.from), arrayLiteral(hour.players)))) return
      hour.writtenAt = this.#deps.clock.uptime()
    }
    while ((this.#hours[0]?.writtenAt ?? Infinity) <= this.#deps.clock.uptime() - RECENT_MS) this.#hours.shift()
    if (writes) await this.#write(this.#current)
  }

  async #write(hour: Hour): Promise<void> {
    this.#writing = hour
    // Captured first and written last: a minute in this row means that the servers' rows for it are written.
    const list = { players: arrayLiteral(hour.players), servers: arrayLiteral(hour.servers) }
    try {
      await this.#writeServers(hour)
      if (hour.players.some((count) => count !== NOT_SAMPLED)) await upsertListSamples(this.#deps.db, new Date(hour.from), list)
    } finally {
      this.#writing = undefined
    }
  }

  async #writeServers({ from, rows }: Hour): Promise<void> {
    const batch = new Map<string, string>()
    const writeBatch = async () => {
      if (batch.size > 0)
        await transaction(this.#deps.db, (trx) => upsertSamples(trx, new Date(from), [...batch.keys()], [...batch.values()]))
      batch.clear()
    }
    for (const [publicId, index] of this.serverIndex.entries()) {
      const counts = rows.of(index)
      if (counts === undefined) continue
      batch.set(publicId, arrayLiteral(counts))
      if (batch.size === MAX_BATCH) await writeBatch()
    }
    await writeBatch()
  }

  #record({ from, rows }: Hour, server: SampledServer, minute: number, count: number, backfill: Int16Array): void {
    const existing = this.serverIndex.get(server.publicId)
    if (existing !== undefined && rows.has(existing)) {
      rows.set(existing, minute, count)
      return
    }
    if (!server.online) return
    const index = this.serverIndex.assign(server.publicId)
    rows.put(index, backfill)
    // Minutes before its registration don't count as offline.
    const firstMinute = Math.min(MINUTES_OF_HOUR, Math.ceil((server.fields.createdAt - from) / MINUTE_MS))
    for (let early = 0; early < firstMinute; early += 1) rows.set(index, early, NOT_SAMPLED)
    rows.set(index, minute, count)
  }

  #startHour(from: number): void {
    this.#current = emptyHour(from)
    this.#hours.push(this.#current)
    // Keeps the hour being written: `forget` must find it before an index passes to another server.
    if (this.#hours.length > MAX_FINISHED_HOURS + 1) this.#hours.splice(this.#hours[0] === this.#writing ? 1 : 0, 1)
  }
}

/** Reads stored samples in pages, by server and hour. */
export async function* storedSamples(db: Deps['db'], from: number) {
  let after: SampleRow | undefined
  do {
    const page = await listSamples(db, new Date(startOf(from, HOUR_MS)), after, PAGE_ROWS)
    yield page
    after = page.length < PAGE_ROWS ? undefined : page.at(-1)
  } while (after !== undefined)
}

function arrayLiteral(numbers: Int16Array | Int32Array): string {
  return `{${numbers.join(',')}}`
}

function emptyHour(from: number): Hour {
  const notSampled = () => new Int32Array(MINUTES_OF_HOUR).fill(NOT_SAMPLED)
  return { from, rows: new HourRows(), players: notSampled(), servers: notSampled(), writtenAt: undefined }
}
