/**
 * Samples each server's players once a minute: one row a server and hour in which it was online, and one an hour for the whole list.
 * Every node samples and one writes; the others keep their samples until they find them written.
 */
import type { Deps } from '#backend/platform/deps.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { breathe } from '#backend/platform/node-internals/breathe.ts'
import { HourRows } from './hour-rows.ts'
import { Places } from '#backend/platform/places.ts'
import { findListHour, isListHourWritten, listSamples, upsertListSamples, upsertSamples } from './sampling.queries.ts'
import { NOBODY_LOOKED, OFFLINE } from '#backend/platform/database/tables/player-samples.ts'
import { HOUR_MS, MINUTES_OF_HOUR, MINUTE_MS, startOf } from './time.ts'

/** What a kill may lose. */
const FLUSH_MS = 300_000
/** Rows made to texts between two breaths of the event loop: about a millisecond. */
const MOST_IN_ONE_BATCH = 250
/** Servers looked at, by everybody who sees them, between two breaths: about a millisecond. */
const SERVERS_IN_A_SLICE = 500
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
  readonly rows: HourRows
  readonly players: Int32Array
  readonly servers: Int32Array
}

export class Sampling {
  /** Of each server that was online in this life of the program; given back when it is forgotten. */
  readonly places = new Places()
  readonly #deps: Pick<Deps, 'db' | 'clock'>
  readonly #servers: () => Iterable<Looked>
  readonly #mayWrite: () => boolean
  #hour: Hour
  /** Hours that are over and not written yet, oldest first. */
  #waiting: Hour[] = []
  /** The one of them, or the present one, that is being written. */
  #writing: Hour | undefined
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
    if (hour.getTime() === this.#hour.from) this.#hour.rows.put(this.places.of(publicId), players)
  }

  /** The same of the whole list. */
  async rememberList(): Promise<void> {
    const hour = this.#hour
    const known = await findListHour(this.#deps.db, new Date(hour.from))
    if (known === undefined) return
    hour.players.set(known.players)
    hour.servers.set(known.servers)
  }

  /** Looks at every server, once a minute, and gets out of the way of everybody else between some of them and the next. */
  async look(see: See): Promise<void> {
    const now = this.#deps.clock.now()
    const minute = Math.floor(now / MINUTE_MS)
    if (minute === this.#minute) return
    this.#minute = minute
    if (startOf(now, HOUR_MS) !== this.#hour.from) this.#nextHour(startOf(now, HOUR_MS))
    const hour = this.#hour
    const place = minute % MINUTES_OF_HOUR
    // Of a server that was not there so far it is known for those minutes in which somebody looked.
    const before = Int16Array.from(hour.players, (seen) => (seen === NOBODY_LOOKED ? NOBODY_LOOKED : OFFLINE))
    let looked = 0
    let listed = 0
    let players = 0
    for (const server of this.#servers()) {
      const count = server.online ? (server.announced?.playersCount ?? 0) : OFFLINE
      this.#note(hour, server, place, count, before)
      if (server.isListed) {
        listed += 1
        players += count
      }
      if (server.announced !== undefined) see(server, count, minute * MINUTE_MS)
      looked += 1
      if (looked % SERVERS_IN_A_SLICE === 0) await breathe()
    }
    hour.players[place] = players
    hour.servers[place] = listed
  }

  /** What this node saw of an hour that the database may not know yet; -2 in the minutes in which it did not look. */
  seenOf(publicId: string, hour: number): ArrayLike<number> | undefined {
    const place = this.places.known(publicId)
    if (place === undefined) return undefined
    return this.#hours(hour)
      .findLast(({ rows }) => rows.has(place))
      ?.rows.of(place)
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
    const place = this.places.known(publicId)
    if (place === undefined) return
    for (const { rows } of [...this.#waiting, this.#hour]) rows.delete(place)
    this.places.giveBack(publicId)
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
      if (writes) await this.#writeHeld(over)
      else if (!(await this.#isWritten(over))) return
      if (this.#waiting[0] === over) this.#waiting.shift()
    }
    if (writes) await this.#writeHeld(this.#hour)
  }

  async #writeHeld(hour: Hour): Promise<void> {
    this.#writing = hour
    await this.#write(hour).finally(() => (this.#writing = undefined))
  }

  /** The whole list goes last: where that stands, the servers do. */
  async #write({ from, rows, players, servers }: Hour): Promise<void> {
    const hour = new Date(from)
    const list = { players: literal(players), servers: literal(servers) }
    let publicIds: string[] = []
    let texts: string[] = []
    const writeSome = async () => {
      if (publicIds.length > 0) await transaction(this.#deps.db, (trx) => upsertSamples(trx, hour, publicIds, texts))
      publicIds = []
      texts = []
    }
    for (const [publicId, place] of this.places.all()) {
      const counts = rows.of(place)
      if (counts === undefined) continue
      publicIds.push(publicId)
      texts.push(literal(counts))
      if (texts.length === MOST_IN_ONE_BATCH) await writeSome()
    }
    await writeSome()
    if (players.some((count) => count !== NOBODY_LOOKED)) await upsertListSamples(this.#deps.db, hour, list)
  }

  #isWritten({ from, players }: Hour): Promise<boolean> {
    return isListHourWritten(this.#deps.db, new Date(from), literal(players))
  }

  #note({ from, rows }: Hour, server: Looked, minute: number, count: number, before: Int16Array): void {
    const known = this.places.known(server.publicId)
    if (known !== undefined && rows.has(known)) {
      rows.set(known, minute, count)
      return
    }
    if (!server.online) return
    const place = this.places.of(server.publicId)
    rows.put(place, before)
    // Nor was it offline before it was registered.
    const firstMinute = Math.min(MINUTES_OF_HOUR, Math.ceil((server.fields.createdAt - from) / MINUTE_MS))
    for (let early = 0; early < firstMinute; early += 1) rows.set(place, early, NOBODY_LOOKED)
    rows.set(place, minute, count)
  }

  #hours(from: number): Hour[] {
    return [...this.#waiting, this.#hour].filter((hour) => hour.from === from)
  }

  #nextHour(from: number): void {
    this.#waiting.push(this.#hour)
    // Of one that is being written the places may not become others': whoever forgets a server looks for it in those that wait.
    if (this.#waiting.length > MOST_WAITING) this.#waiting.splice(this.#waiting[0] === this.#writing ? 1 : 0, 1)
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
  return { from, rows: new HourRows(), players: nobodyLooked(), servers: nobodyLooked() }
}
