/**
 * Samples each server's players once a minute: one row a server and hour in which it was online, and one an hour for the whole list.
 * Every node samples and one writes; the others keep their samples until they find them written.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Deps } from '#backend/platform/deps.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { HourRows } from './hour-rows.ts'
import { DenseIndex } from '#backend/platform/dense-index.ts'
import { type SampleRow, findListHour, isListHourWritten, listSamples, upsertListSamples, upsertSamples } from './player-sampler.queries.ts'
import { NOT_SAMPLED, OFFLINE } from '#backend/platform/database/tables/player-samples.ts'
import { HOUR_MS, MINUTES_OF_HOUR, MINUTE_MS, startOf } from './time.ts'

/** The most that a kill loses. */
const FLUSH_MS = 300_000
/** Rows written in one transaction: about a millisecond to prepare. */
const MAX_BATCH = 250
/** Servers sampled before the event loop gets a turn: about a millisecond. */
const SERVERS_PER_SLICE = 500
/** Finished hours kept while the database is away; the oldest goes first. */
const MAX_FINISHED_HOURS = 6
const PAGE_ROWS = 2000

export interface SampledServer {
  readonly publicId: string
  readonly online: boolean
  readonly isListed: boolean
  readonly fields: { readonly createdAt: number }
  readonly announced: { readonly playersCount: number; readonly maxPlayersCount: number; readonly queueCount: number } | undefined
}

/** @param players -1 while it is offline. @param at wall milliseconds, the beginning of the minute. */
type OnSample = (server: SampledServer, players: number, at: number) => void

interface Hour {
  /** Wall milliseconds of its beginning. */
  readonly from: number
  readonly rows: HourRows
  /** Of the whole list, as is `servers`. */
  readonly players: Int32Array
  readonly servers: Int32Array
}

export class PlayerSampler {
  /** One for each server that was online since the program started, until it is forgotten. */
  readonly places = new DenseIndex()
  readonly #deps: Pick<Deps, 'db' | 'clock'>
  readonly #servers: () => Iterable<SampledServer>
  readonly #mayWrite: () => boolean
  #current: Hour
  /** Finished hours that are not written yet, oldest first, and last the current one. */
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

  /** Takes over what is stored of this hour from before a restart. */
  restore(publicId: string, hour: Date, players: readonly number[]): void {
    if (hour.getTime() === this.#current.from) this.#current.rows.put(this.places.assign(publicId), players)
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
    // A server that is new to this hour was offline in those minutes in which this node sampled.
    const backfill = Int16Array.from(hour.players, (seen) => (seen === NOT_SAMPLED ? NOT_SAMPLED : OFFLINE))
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

  /** What this node saw of an hour that the database may not know yet; -2 in the minutes in which it did not look. */
  samplesOf(publicId: string, hour: number): ArrayLike<number> | undefined {
    const place = this.places.get(publicId)
    if (place === undefined) return undefined
    return this.#hours.findLast(({ from, rows }) => from === hour && rows.has(place))?.rows.of(place)
  }

  listSamplesOf(hour: number): { readonly players: ArrayLike<number>; readonly servers: ArrayLike<number> } | undefined {
    return this.#hours.findLast(({ from }) => from === hour)
  }

  /** The hours of which this node may know more than the database, by their beginnings. */
  get hours(): readonly number[] {
    return [...new Set(this.#hours.map(({ from }) => from))]
  }

  /** Tells the tasks that take long to end early. */
  stop(): void {
    this.#isStopping = true
  }

  get isStopping(): boolean {
    return this.#isStopping
  }

  forget(publicId: string): void {
    const place = this.places.get(publicId)
    if (place === undefined) return
    for (const { rows } of this.#hours) rows.delete(place)
    this.places.release(publicId)
  }

  get isFlushDue(): boolean {
    return this.#deps.clock.uptime() >= this.#flushAt
  }

  /** Writes what is new where this node writes. What can't be written now waits. @param isLast the program ends: every node writes. */
  flush(isLast = false): Promise<void> {
    const flushed = this.#flushing.then(() => this.#flush(isLast))
    this.#flushing = flushed.catch(() => undefined)
    return flushed
  }

  async #flush(isLast: boolean): Promise<void> {
    this.#flushAt = this.#deps.clock.uptime() + FLUSH_MS
    const writes = isLast || this.#mayWrite()
    for (let hour = this.#hours[0]; hour !== undefined && hour !== this.#current; hour = this.#hours[0]) {
      if (writes) await this.#write(hour)
      else if (!(await isListHourWritten(this.#deps.db, new Date(hour.from), literal(hour.players)))) return
      if (this.#hours[0] === hour) this.#hours.shift()
    }
    if (writes) await this.#write(this.#current)
  }

  async #write(hour: Hour): Promise<void> {
    this.#writing = hour
    // Written last and as of now: to other nodes each minute in it says that the servers' rows are written.
    const list = { players: literal(hour.players), servers: literal(hour.servers) }
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
    for (const [publicId, place] of this.places.entries()) {
      const counts = rows.of(place)
      if (counts === undefined) continue
      batch.set(publicId, literal(counts))
      if (batch.size === MAX_BATCH) await writeBatch()
    }
    await writeBatch()
  }

  #record({ from, rows }: Hour, server: SampledServer, minute: number, count: number, backfill: Int16Array): void {
    const known = this.places.get(server.publicId)
    if (known !== undefined && rows.has(known)) {
      rows.set(known, minute, count)
      return
    }
    if (!server.online) return
    const place = this.places.assign(server.publicId)
    rows.put(place, backfill)
    // Before it was registered it was not offline either.
    const firstMinute = Math.min(MINUTES_OF_HOUR, Math.ceil((server.fields.createdAt - from) / MINUTE_MS))
    for (let early = 0; early < firstMinute; early += 1) rows.set(place, early, NOT_SAMPLED)
    rows.set(place, minute, count)
  }

  #startHour(from: number): void {
    this.#current = emptyHour(from)
    this.#hours.push(this.#current)
    // One that is being written stays, because `forget` has to find it: its places must not become other servers'.
    if (this.#hours.length > MAX_FINISHED_HOURS + 1) this.#hours.splice(this.#hours[0] === this.#writing ? 1 : 0, 1)
  }
}

/** Reads what is stored, by server and hour; the caller gets a turn of the event loop between pages. */
export async function* storedSamples(db: Deps['db'], from: number) {
  let after: SampleRow | undefined
  do {
    const page = await listSamples(db, new Date(startOf(from, HOUR_MS)), after, PAGE_ROWS)
    yield page
    after = page.length < PAGE_ROWS ? undefined : page.at(-1)
  } while (after !== undefined)
}

function literal(numbers: Int16Array | Int32Array): string {
  return `{${numbers.join(',')}}`
}

function emptyHour(from: number): Hour {
  const nobodyLooked = () => new Int32Array(MINUTES_OF_HOUR).fill(NOT_SAMPLED)
  return { from, rows: new HourRows(), players: nobodyLooked(), servers: nobodyLooked() }
}
