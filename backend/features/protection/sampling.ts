/**
 * How many players each server has, minute by minute: what the detector of made-up numbers looks at, and what the history of a server is
 * made from. Kept as one row a server and hour, and only of hours in which the server was online.
 */
import type { Deps } from '#backend/deps.ts'
import { transaction } from '#backend/database/transaction.ts'
import { NOBODY_LOOKED, OFFLINE } from './detectors/player-curve.ts'
import { deleteSamplesBefore, listSamples, upsertSamples } from './sampling.queries.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const MINUTES = 60
/** What a kill may lose. */
const FLUSH_MS = 300_000
const MOST_IN_ONE_BATCH = 1000
/** Hours that wait for a database that is away; past it the oldest goes. */
const MOST_WAITING = 6
const KEPT_MS = 7 * 24 * HOUR_MS
/** Rows that are read in one go: so few that nobody waits for what is made of them. */
const MOST_AT_ONCE = 2000

/** A server of the list, as far as it is looked at. */
export interface Looked {
  readonly publicId: string
  readonly online: boolean
  readonly announced: { readonly playersCount: number; readonly maxPlayersCount: number; readonly queueCount: number } | undefined
}

/** @param players -1 while it is offline. @param at wall milliseconds, the beginning of the minute. */
type See = (server: Looked, players: number, at: number) => void

interface Hour {
  /** Wall milliseconds of its beginning. */
  readonly from: number
  readonly byServer: Map<string, Int16Array>
  /** Minutes in which somebody looked: for servers that come online later in the hour. */
  readonly looked: Uint8Array
}

export class Sampling {
  readonly #deps: Pick<Deps, 'db' | 'clock'>
  readonly #servers: () => Iterable<Looked>
  #hour: Hour
  /** Hours that are over and not written yet, oldest first. */
  #waiting: Hour[] = []
  #minute = -1
  #flushAt: number

  constructor(deps: Pick<Deps, 'db' | 'clock'>, servers: () => Iterable<Looked>) {
    this.#deps = deps
    this.#servers = servers
    this.#hour = emptyHour(startOfHour(deps.clock.now()))
    this.#flushAt = deps.clock.uptime() + FLUSH_MS
  }

  /** What an earlier life of the program saw of this hour: it is gone on with, not written over. */
  remember(publicId: string, hour: Date, players: readonly number[]): void {
    if (hour.getTime() !== this.#hour.from) return
    this.#hour.byServer.set(publicId, Int16Array.from(players))
    players.forEach((count, minute) => {
      if (count !== NOBODY_LOOKED) this.#hour.looked[minute] = 1
    })
  }

  /** Looks at every server, once a minute. */
  look(see: See): void {
    const now = this.#deps.clock.now()
    const minute = Math.floor(now / MINUTE_MS)
    if (minute === this.#minute) return
    this.#minute = minute
    if (startOfHour(now) !== this.#hour.from) this.#nextHour(startOfHour(now))
    const { byServer, looked } = this.#hour
    const place = minute % MINUTES
    for (const server of this.#servers()) {
      if (server.announced === undefined) continue
      const players = server.online ? server.announced.playersCount : OFFLINE
      let row = byServer.get(server.publicId)
      if (row === undefined && server.online) {
        row = Int16Array.from(looked, (wasLooked) => (wasLooked === 1 ? OFFLINE : NOBODY_LOOKED))
        byServer.set(server.publicId, row)
      }
      if (row !== undefined) row[place] = players
      see(server, players, minute * MINUTE_MS)
    }
    looked[place] = 1
  }

  forget(publicId: string): void {
    for (const hour of [...this.#waiting, this.#hour]) hour.byServer.delete(publicId)
  }

  get isDue(): boolean {
    return this.#deps.clock.uptime() >= this.#flushAt
  }

  /** Writes what is new; what can't be written now waits. */
  async flush(): Promise<void> {
    this.#flushAt = this.#deps.clock.uptime() + FLUSH_MS
    for (let over = this.#waiting[0]; over !== undefined; over = this.#waiting[0]) {
      await this.#write(over)
      if (this.#waiting[0] === over) this.#waiting.shift()
    }
    await this.#write(this.#hour)
  }

  async #write({ from, byServer }: Hour): Promise<void> {
    const publicIds = [...byServer.keys()].toSorted()
    for (let at = 0; at < publicIds.length; at += MOST_IN_ONE_BATCH) {
      const rows = publicIds.slice(at, at + MOST_IN_ONE_BATCH).flatMap((publicId) => {
        const players = byServer.get(publicId)
        return players === undefined ? [] : [{ publicId, players: `{${players.join(',')}}` }]
      })
      await transaction(this.#deps.db, (trx) => upsertSamples(trx, new Date(from), rows))
    }
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
    const page = await listSamples(db, new Date(startOfHour(from)), after, MOST_AT_ONCE)
    yield page
    after = page.length < MOST_AT_ONCE ? undefined : page.at(-1)
  } while (after !== undefined)
}

/** Deletes what is older than is kept. */
export async function forgetOldSamples({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await deleteSamplesBefore(db, new Date(startOfHour(clock.now() - KEPT_MS)))
}

function startOfHour(at: number): number {
  return at - (at % HOUR_MS)
}

function emptyHour(from: number): Hour {
  return { from, byServer: new Map(), looked: new Uint8Array(MINUTES) }
}
