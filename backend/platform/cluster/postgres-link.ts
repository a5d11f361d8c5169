/**
 * One connection to the shared database over which nodes hear of each other, kept open: a heartbeat proves that it lives, a lost one is
 * made anew. Says nothing of its own; `postgres-bus.ts` knows what messages mean.
 */
import pg from 'pg'
import type { Deps } from '#backend/platform/deps.ts'
import type { Gap } from './bus.ts'

const BEAT_MS = 2000
/** A statement that takes longer is taken for a connection in which nothing arrives any more. */
const ANSWER_WITHIN_MS = 2500
const CONNECT_WITHIN_MS = 3000
const CLOSE_WITHIN_MS = 1000
/** Heartbeats of this node, each with others that live, after which one that hears none of theirs is deaf: more than they are taken to live for. */
const UNHEARD_BEATS = 7
/** After so many nobody relies on it any more. Two nodes whose beats overtake each other miss one now and then: that is not silence. */
const DOUBTED_BEATS = 2
const DOUBTED_AFTER_MS = 3000
const FIRST_RETRY_MS = 100
/** A database that is back is found within 1.5 s. One try a second from each node costs one that comes back nothing. */
const LONGEST_RETRY_MS = 1000

/** Installations in several schemas of one database don't hear each other. The id of a schema would be another one after a restore. */
const CHANNEL = `select 'muster_' || left(encode(sha256(convert_to(current_schema(), 'UTF8')), 'hex'), 16) as channel`

/**
 * Says that this node lives and answers which others do, by the database's clock. `is_new` where its row was not there: after the first time,
 * because the database lost what is not in its log. Rows of who is long gone are deleted, by one node at a time. The node hears its own
 * word, too, if it hears at all.
 */
const BEAT = `
  with mine as (
    insert into nodes (id, seen_at) values ($1, clock_timestamp()) on conflict (id) do update set seen_at = excluded.seen_at
    returning xmax = 0 as is_new),
  gone as (
    delete from nodes where id in (select id from nodes where seen_at < clock_timestamp() - interval '1 minute' for update skip locked))
  select (select is_new from mine) as is_new, pg_notify($2, $3), floor(extract(epoch from clock_timestamp()) * 1000)::float8 as now,
    array(select id::text from nodes where id <> $1 and seen_at > clock_timestamp() - interval '10 seconds') as others,
    (select count(*)::int from nodes where id <> $1 and seen_at > clock_timestamp() - interval '10 seconds'
      and $4 || id in (select application_name from pg_stat_activity)) as connected`

/** Names the connection of a node, so that others see when it is gone. At most 63 characters. */
const APPLICATION = 'muster node '

interface Beat {
  readonly is_new: boolean
  readonly others: readonly string[]
  readonly connected: number
  /** Wall milliseconds. */
  readonly now: number
}

export interface LinkEvents {
  heard(payload: string): void
  /** What this node says to be heard by itself. */
  echo(): string
  /** The connection is there (again); `isFirst` where none was ever lost. */
  opened(isFirst: boolean): void
  /** Another node went without a word, or the database forgot: something may never have been said. */
  missed(why: Gap): void
}

/** Notifications don't come through, though statements do. */
class Deaf extends Error {
  override readonly name = 'Deaf'
}

const WARNING_LOST = 'The connection to the other nodes was lost: what they do is not seen here until it is back.'
const WARNING_DEAF =
  'The other nodes on this database are not heard: statements come through and LISTEN hears nothing. Is there a pooler in transaction mode between?'

export class PostgresLink {
  readonly #node: string
  readonly #deps: Pick<Deps, 'clock' | 'log'>
  readonly #connection: pg.ClientConfig
  readonly #events: LinkEvents
  readonly #alive = new Set<string>()
  /** Those of them that are only heard of, not seen in the table yet; true where one has not said all that it did. */
  readonly #unproved = new Map<string, boolean>()
  #channel = ''
  #client: pg.Client | undefined
  #isOpen = false
  #isClosed = false
  #timer: NodeJS.Timeout | undefined
  #tries = 0
  /** Whether this node heard its last heartbeat. */
  #hasHeardItself = false
  /** Resolves the first wait for that. */
  #onEcho: () => void = () => undefined
  /** Heartbeats since another node was heard, and when that was. */
  #unheardBeats = 0
  #heardAt = -Infinity
  #connected = 0
  #provedAt: number
  #cutOffSince: number | undefined
  #clockAhead = 0

  constructor(node: string, deps: Pick<Deps, 'clock' | 'log'>, connection: pg.ClientConfig, events: LinkEvents) {
    this.#node = node
    this.#deps = deps
    this.#connection = connection
    this.#events = events
    this.#provedAt = deps.clock.uptime()
  }

  get connected(): number {
    return this.#connected
  }

  /** The other nodes that live; while cut off, those that lived before. */
  get alive(): ReadonlySet<string> {
    return this.#alive
  }

  get cutOffSince(): number | undefined {
    return this.#cutOffSince
  }

  /** As far as the heartbeats have proved it; kept while cut off. */
  get clockAhead(): number {
    return this.#clockAhead
  }

  get isUnheard(): boolean {
    return this.#unheardBeats >= DOUBTED_BEATS && this.#deps.clock.uptime() - this.#heardAt > DOUBTED_AFTER_MS
  }

  /** Resolves once the first try has succeeded or failed; it goes on trying. */
  start(): Promise<void> {
    return this.#open()
  }

  /** @param isGap whether it says that it could not say all. It is believed once the table says that it lives. */
  heardOf(node: string, isGap: boolean): void {
    this.#heardOther()
    const isProved = this.#alive.has(node) && !this.#unproved.has(node)
    this.#alive.add(node)
    if (!isProved) this.#unproved.set(node, isGap || this.#unproved.get(node) === true)
    else if (isGap) this.#events.missed('unsaid')
  }

  heardItself(): void {
    this.#hasHeardItself = true
    this.#provedAt = this.#deps.clock.uptime()
    this.#onEcho()
  }

  /** It said that it goes. */
  leftBy(node: string): void {
    this.#heardOther()
    this.#alive.delete(node)
    this.#unproved.delete(node)
  }

  #heardOther(): void {
    this.#unheardBeats = 0
    this.#heardAt = this.#deps.clock.uptime()
  }

  /** Answers whether it was sent, as far as anybody can know. */
  async send(payloads: readonly string[]): Promise<boolean> {
    const client = this.#client
    if (client === undefined || !this.#isOpen) return false
    try {
      await within(ANSWER_WITHIN_MS, client.query(`select pg_notify($1, said) from unnest($2::text[]) as said`, [this.#channel, payloads]))
      return true
    } catch (error) {
      this.#lose(client, error)
      return false
    }
  }

  /** @param goodbye so that nobody waits for this node any more. */
  async close(goodbye: string): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    const client = this.#client
    this.#client = undefined
    if (client === undefined) return
    const leave = `with gone as (delete from nodes where id = $1) select pg_notify($2, $3)`
    if (this.#isOpen) await within(CLOSE_WITHIN_MS, client.query(leave, [this.#node, this.#channel, goodbye])).catch(() => undefined)
    await within(CLOSE_WITHIN_MS, client.end()).catch(() => undefined)
  }

  async #open(): Promise<void> {
    let client: pg.Client | undefined
    try {
      client = this.#newClient()
      await client.connect()
      await this.#listen(client)
    } catch (error) {
      this.#lose(client, error)
      return
    }
    if (client !== this.#client) return
    const isFirst = this.#cutOffSince === undefined
    if (!isFirst) this.#deps.log.info('The other nodes on this database are heard again.')
    this.#cutOffSince = undefined
    this.#isOpen = true
    this.#beatSoon(client)
    this.#events.opened(isFirst)
  }

  #newClient(): pg.Client {
    const client = new pg.Client({
      ...this.#connection,
      application_name: APPLICATION + this.#node,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      keepAlive: true,
    })
    this.#client = client
    client.on('error', (error) => this.#lose(client, error))
    client.on('end', () => this.#lose(client, new Error('The connection was ended.')))
    client.on('notification', ({ payload }) => {
      if (client === this.#client) this.#events.heard(payload ?? '')
    })
    return client
  }

  /** From now on this node hears what is said: itself first. */
  async #listen(client: pg.Client): Promise<void> {
    const { rows } = await within(ANSWER_WITHIN_MS, client.query<{ channel: string }>(CHANNEL))
    this.#channel = rows[0]?.channel ?? ''
    await within(ANSWER_WITHIN_MS, client.query(`listen ${client.escapeIdentifier(this.#channel)}`))
    this.#unheardBeats = 0
    const echo = Promise.withResolvers<void>()
    this.#onEcho = echo.resolve
    await this.#beat(client)
    await within(ANSWER_WITHIN_MS, echo.promise, new Deaf('The node does not hear itself.'))
  }

  #beatSoon(client: pg.Client): void {
    this.#timer = setTimeout(() => void this.#keepBeating(client), BEAT_MS)
  }

  async #keepBeating(client: pg.Client): Promise<void> {
    try {
      if (!this.#hasHeardItself) throw new Deaf('The node does not hear itself any more.')
      if (this.#unheardBeats >= UNHEARD_BEATS) throw new Deaf('Other nodes live and are not heard.')
      this.#tries = 0
      await this.#beat(client)
    } catch (error) {
      this.#lose(client, error)
      return
    }
    if (client === this.#client) this.#beatSoon(client)
  }

  async #beat(client: pg.Client): Promise<void> {
    this.#hasHeardItself = false
    // Who is heard from now on may be too new for what is read.
    const toProve = new Map(this.#unproved)
    const { clock } = this.#deps
    const sentAt = clock.now()
    const { rows } = await within(ANSWER_WITHIN_MS, client.query<Beat>(BEAT, [this.#node, this.#channel, this.#events.echo(), APPLICATION]))
    const { is_new: isNew, others, connected, now } = rows[0] ?? { is_new: false, others: [], connected: 0, now: sentAt }
    // The database read its clock in between, so a slow answer proves little and changes nothing.
    this.#clockAhead = Math.min(Math.max(this.#clockAhead, now - clock.now()), now - sentAt)
    this.#connected = connected
    this.#unheardBeats = others.length === 0 ? 0 : this.#unheardBeats + 1
    const hasMissed = this.#compare(new Set(others), toProve)
    // While it opens, what was missed is asked for anyway.
    if (this.#isOpen && (isNew || hasMissed)) this.#events.missed(isNew ? 'deaf' : 'unsaid')
  }

  /** Answers whether somebody who was there went without a word, or somebody who is there has not said all. */
  #compare(living: ReadonlySet<string>, toProve: ReadonlyMap<string, boolean>): boolean {
    let hasMissed = false
    for (const node of this.#alive) {
      const isUnproved = this.#unproved.has(node)
      if (living.has(node)) hasMissed ||= this.#unproved.get(node) === true
      else if (isUnproved && !toProve.has(node)) continue
      else {
        this.#alive.delete(node)
        hasMissed ||= !isUnproved
      }
      this.#unproved.delete(node)
    }
    for (const node of living) this.#alive.add(node)
    return hasMissed
  }

  #lose(client: pg.Client | undefined, error: unknown): void {
    if (client !== this.#client || this.#isClosed) return
    this.#client = undefined
    this.#isOpen = false
    clearTimeout(this.#timer)
    // With a statement under way that is not answered, this ends the socket at once.
    client?.end().catch(() => undefined)
    if (this.#cutOffSince === undefined) this.#deps.log.warn({ err: error }, error instanceof Deaf ? WARNING_DEAF : WARNING_LOST)
    this.#cutOffSince ??= this.#provedAt
    const pause = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#tries) * (0.5 + Math.random())
    this.#tries += 1
    this.#timer = setTimeout(() => void this.#open(), pause)
  }
}

/** Rejects where it takes longer. */
async function within<T>(ms: number, doing: Promise<T>, late = new Error('The database does not answer.')): Promise<T> {
  const { promise: over, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(late), ms)
  try {
    return await Promise.race([doing, over])
  } finally {
    clearTimeout(timer)
    // Whatever becomes of it after its time is nobody's concern.
    doing.catch(() => undefined)
  }
}
