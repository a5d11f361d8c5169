/**
 * How many players each server has, minute by minute: what the detector of made-up numbers looks at, and what the history is made from.
 * Kept as one row a server and hour, and only of hours in which the server was online; and one row an hour for the whole list.
 *
 * Every node looks, and what it saw stays in its memory until it is written. Only one of them writes; the others find theirs written,
 * and where it is not (he is gone), whoever writes next has it.
 */
import type { Deps } from '#backend/deps.ts'
import { transaction } from '#backend/database/transaction.ts'
import { findListHour, isListHourWritten, listSamples, upsertListSamples, upsertSamples } from './sampling.queries.ts'
import { HOUR_MS, MINUTES_OF_HOUR, MINUTE_MS, NOBODY_LOOKED, OFFLINE, startOf } from './time.ts'

/** What a kill may lose. */
const FLUSH_MS = 300_000
const MOST_IN_ONE_BATCH = 1000
/** Hours that wait for a database that is away; past it the oldest goes. */
const MOST_WAITING = 6
/** Rows that are read in one go: so few that nobody waits for what is made of them. */
const MOST_AT_ONCE = 2000

/** A server of the list, as far as it is looked at. */
export interface Looked {
  readonly publicId: string
  readonly online: boolean
  /** Whether players see it: these are what the whole list has. */
  readonly isListed: boolean
  readonly fields: { readonly createdAt: number }
  readonly announced: { readonly playersCount: number; readonly maxPlayersCount: number; readonly queueCount: number } | undefined
}

/** @param players -1 while it is offline. @param at wall milliseconds, the beginning of the minute. */
type See = (server: Looked, players: number, at: number) => void

/** The whole list in each minute of an hour. */
export interface ListHour {
  readonly players: ArrayLike<number>
  readonly servers: ArrayLike<number>
}

interface Hour {
  /** Wall milliseconds of its beginning. */
  readonly from: number
  readonly byServer: Map<string, Int16Array>
  readonly players: Int32Array
  readonly servers: Int32Array
}

export class Sampling {
  readonly #deps: Pick<Deps, 'db' | 'clock'>
  readonly #servers: () => Iterable<Looked>
  readonly #mayWrite: () => boolean
  #hour: Hour
  /** Hours that are over and not written yet, oldest first. */
  #waiting: Hour[] = []
  #minute = -1
  #isStopping = false
  #flushAt: number
  #flushing: Promise<void> = Promise.resolve()

  /** @param mayWrite whether this node is the one that writes. */
  constructor(deps: Pick<Deps, 'db' | 'clock'>, servers: () => Iterable<Looked>, mayWrite: () => boolean = () => true) {
    this.#deps = deps
    this.#servers = servers
    this.#mayWrite = mayWrite
    this.#hour = emptyHour(startOf(deps.clock.now(), HOUR_MS))
    this.#flushAt = deps.clock.uptime() + FLUSH_MS
  }

  /** What an earlier life of the program saw of this hour: it is gone on with, not written over. */
  remember(publicId: string, hour: Date, players: readonly number[]): void {
    if (hour.getTime() === this.#hour.from) this.#hour.byServer.set(publicId, Int16Array.from(players))
  }

  /** The same of the whole list. */
  async rememberList(): Promise<void> {
    const hour = this.#hour
    const known = await findListHour(this.#deps.db, new Date(hour.from))
    if (known === undefined) return
    hour.players.set(known.players)
    hour.servers.set(known.servers)
  }

  /** Looks at every server, once a minute. */
  look(see: See): void {
    const now = this.#deps.clock.now()
    const minute = Math.floor(now / MINUTE_MS)
    if (minute === this.#minute) return
    this.#minute = minute
    if (startOf(now, HOUR_MS) !== this.#hour.from) this.#nextHour(startOf(now, HOUR_MS))
    const place = minute % MINUTES_OF_HOUR
    let listed = 0
    let players = 0
    for (const server of this.#servers()) {
      const count = server.online ? (server.announced?.playersCount ?? 0) : OFFLINE
      this.#note(server, place, count)
      if (server.isListed) {
        listed += 1
        players += count
      }
      if (server.announced !== undefined) see(server, count, minute * MINUTE_MS)
    }
    this.#hour.players[place] = players
    this.#hour.servers[place] = listed
  }

  /** What this node saw of an hour that the database may not know yet; -2 in the minutes in which it did not look. */
  seenOf(publicId: string, hour: number): ArrayLike<number> | undefined {
    return this.#hours(hour)
      .findLast((one) => one.byServer.has(publicId))
      ?.byServer.get(publicId)
  }

  /** The same of the whole list. */
  seenOfList(hour: number): ListHour | undefined {
    return this.#hours(hour).at(-1)
  }

  /** The hours of which this node may know more than the database, by their beginnings. */
  get hours(): readonly number[] {
    return [...new Set([...this.#waiting, this.#hour].map((hour) => hour.from))]
  }

  /** From now on nothing that takes its time is begun any more. */
  stop(): void {
    this.#isStopping = true
  }

  get isStopping(): boolean {
    return this.#isStopping
  }

  forget(publicId: string): void {
    for (const hour of [...this.#waiting, this.#hour]) hour.byServer.delete(publicId)
  }

  get isDue(): boolean {
    return this.#deps.clock.uptime() >= this.#flushAt
  }

  /** Writes what is new, where this node is the one that does; what can't be written now waits. @param isLast whoever ends writes, too. */
  flush(isLast = false): Promise<void> {
    const flushed = this.#flushing.then(() => this.#flush(isLast))
    this.#flushing = flushed.catch(() => undefined)
    return flushed
  }

  async #flush(isLast: boolean): Promise<void> {
    this.#flushAt = this.#deps.clock.uptime() + FLUSH_MS
    const writes = isLast || this.#mayWrite()
    for (let over = this.#waiting[0]; over !== undefined; over = this.#waiting[0]) {
      if (writes) await this.#write(over)
      else if (!(await this.#isWritten(over))) return
      if (this.#waiting[0] === over) this.#waiting.shift()
    }
    if (writes) await this.#write(this.#hour)
  }

  /** The whole list goes last: where that stands, the servers do. */
  async #write({ from, byServer, players, servers }: Hour): Promise<void> {
    const hour = new Date(from)
    const list = { players: literal(players), servers: literal(servers) }
    const publicIds = [...byServer.keys()].toSorted()
    for (let at = 0; at < publicIds.length; at += MOST_IN_ONE_BATCH) {
      const rows = publicIds.slice(at, at + MOST_IN_ONE_BATCH).flatMap((publicId) => {
        const seen = byServer.get(publicId)
        return seen === undefined ? [] : [{ publicId, players: literal(seen) }]
      })
      await transaction(this.#deps.db, (trx) => upsertSamples(trx, hour, rows))
    }
    if (players.some((count) => count !== NOBODY_LOOKED)) await upsertListSamples(this.#deps.db, hour, list)
  }

  #isWritten({ from, players }: Hour): Promise<boolean> {
    return isListHourWritten(this.#deps.db, new Date(from), literal(players))
  }

  #note(server: Looked, place: number, count: number): void {
    const { byServer, players: list, from } = this.#hour
    let row = byServer.get(server.publicId)
    if (row === undefined) {
      if (!server.online) return
      // It was not there, in those minutes in which somebody looked and it was registered.
      const { createdAt } = server.fields
      row = Int16Array.from(list, (seen, minute) =>
        seen === NOBODY_LOOKED || from + minute * MINUTE_MS < createdAt ? NOBODY_LOOKED : OFFLINE,
      )
      byServer.set(server.publicId, row)
    }
    row[place] = count
  }

  #hours(from: number): Hour[] {
    return [...this.#waiting, this.#hour].filter((hour) => hour.from === from)
  }

  #nextHour(from: number): void {
    this.#waiting.push(this.#hour)
    if (this.#waiting.length > MOST_WAITING) this.#waiting.shift()
    this.#hour = emptyHour(from)
  }
}

/** Reads what is stored, by server and hour; the caller gets a turn of the event loop between pages. */
export async function* storedSamples(db: Deps['db'], from: number) {
  let after: Awaited<ReturnType<typeof listSamples>>[number] | undefined
  do {
    const page = await listSamples(db, new Date(startOf(from, HOUR_MS)), after, MOST_AT_ONCE)
    yield page
    after = page.length < MOST_AT_ONCE ? undefined : page.at(-1)
  } while (after !== undefined)
}

function literal(numbers: Int16Array | Int32Array): string {
  return `{${numbers.join(',')}}`
}

function emptyHour(from: number): Hour {
  const nobodyLooked = () => new Int32Array(MINUTES_OF_HOUR).fill(NOBODY_LOOKED)
  return { from, byServer: new Map(), players: nobodyLooked(), servers: nobodyLooked() }
}
