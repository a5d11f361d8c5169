/** The connection over which nodes hear of each other: proved by heartbeats, made again when it is lost. It knows no messages. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { withTimeout } from '#backend/platform/concurrency/with-timeout.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Gap } from './bus.ts'

const BEAT_MS = 2000
/** A connection that doesn't answer for so long counts as lost. */
const ANSWER_WITHIN_MS = 2500
const CONNECT_WITHIN_MS = 3000
const CLOSE_WITHIN_MS = 1000
/** Heartbeats in which others live and are not heard, until this node counts as deaf: more than a killed one stays in `nodes`. */
const UNHEARD_BEATS = 7
/** The same until versions are no more compared with others'. Beats of two nodes that overtake each other miss one now and then. */
const DOUBTED_BEATS = 2
const DOUBTED_AFTER_MS = 3000
const FIRST_RETRY_MS = 100
/** A database that is back is found within 1.5 s. One try a second from each node costs it nothing. */
const LONGEST_RETRY_MS = 1000

/** Names the connection of a node, so that others see when it is gone. At most 63 characters. */
const APPLICATION = 'muster node '

/** Installations in several schemas of one database don't hear each other. The id of a schema would be another one after a restore. */
const CHANNEL = `select 'muster_' || left(encode(sha256(convert_to(current_schema(), 'UTF8')), 'hex'), 16) as channel`

/**
 * Renews this node's row, deletes rows of nodes that are long gone (one node at a time), and returns who lives by the database's clock. `is_new`
 * where its row was not there: after the first time, because the database lost its unlogged tables. It also notifies the node itself.
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

interface Beat {
  readonly is_new: boolean
  readonly others: readonly string[]
  readonly connected: number
  readonly now: number
}

interface LinkEvents {
  heard(payload: string): void
  /** The message that a heartbeat sends to the node itself. */
  echo(): string
  /** The connection is there (again); `isFirst` where none was ever lost. */
  opened(isFirst: boolean): void
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
  /** The other nodes that live; while cut off, those that lived before. */
  readonly alive = new Set<string>()
  /** Those of them that were heard and not seen in the table yet; true where one reported a gap. */
  readonly #unproved = new Map<string, boolean>()
  /** How many of the others had a connection at the last heartbeat. */
  connectedPeers = 0
  disconnectedSince: number | undefined
  /** Milliseconds by which the database's clock is ahead of this node's, as far as heartbeats have proved it; kept while cut off. */
  clockOffsetMs = 0
  #channel = ''
  #client: pg.Client | undefined
  #isOpen = false
  #isClosed = false
  #tries = 0
  /** Whether this node heard its last heartbeat. */
  #hasHeardItself = false
  #provedAt: number
  /** Resolves the wait for the first one of a connection. */
  #onEcho: () => void = () => undefined
  /** Heartbeats since another node was heard, and when that was. */
  #unheardBeats = 0
  #heardAt = -Infinity

  constructor(node: string, deps: Pick<Deps, 'clock' | 'log'>, connection: pg.ClientConfig, events: LinkEvents) {
    this.#node = node
    this.#deps = deps
    this.#connection = connection
    this.#events = events
    this.#provedAt = deps.clock.uptime()
  }

  get isSilent(): boolean {
    return this.#unheardBeats >= DOUBTED_BEATS && this.#deps.clock.uptime() - this.#heardAt > DOUBTED_AFTER_MS
  }

  /** @param isGap whether it reports that it dropped something. It is believed once the table says that it lives. */
  heardOf(node: string, isGap: boolean): void {
    this.#heardOther()
    const isProved = this.alive.has(node) && !this.#unproved.has(node)
    this.alive.add(node)
    if (!isProved) this.#unproved.set(node, isGap || this.#unproved.get(node) === true)
    else if (isGap) this.#events.missed('publisher_lost')
  }

  heardItself(): void {
    this.#hasHeardItself = true
    this.#provedAt = this.#deps.clock.uptime()
    this.#onEcho()
  }

  /** It said goodbye. */
  leftBy(node: string): void {
    this.#heardOther()
    this.alive.delete(node)
    this.#unproved.delete(node)
  }

  #heardOther(): void {
    this.#unheardBeats = 0
    this.#heardAt = this.#deps.clock.uptime()
  }

  /** Whether it was sent, as far as can be known. */
  async send(payloads: readonly string[]): Promise<boolean> {
    const client = this.#client
    if (client === undefined || !this.#isOpen) return false
    try {
      await answer(client.query(`select pg_notify($1, said) from unnest($2::text[]) as said`, [this.#channel, payloads]))
      return true
    } catch (error) {
      this.#lose(client, error)
      return false
    }
  }

  /** @param goodbye so that no node waits for this one any more. */
  async close(goodbye: string): Promise<void> {
    this.#isClosed = true
    const client = this.#client
    this.#client = undefined
    if (client === undefined) return
    const leave = `with gone as (delete from nodes where id = $1) select pg_notify($2, $3)`
    if (this.#isOpen) await answer(client.query(leave, [this.#node, this.#channel, goodbye]), CLOSE_WITHIN_MS).catch(() => undefined)
    await answer(client.end(), CLOSE_WITHIN_MS).catch(() => undefined)
  }

  /** Resolves once the first try has succeeded or failed; it goes on trying. */
  async open(): Promise<void> {
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
    const isFirst = this.disconnectedSince === undefined
    if (!isFirst) this.#deps.log.info('The other nodes on this database are heard again.')
    this.disconnectedSince = undefined
    this.#isOpen = true
    this.#events.opened(isFirst)
    void this.#keepBeating(client)
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

  /** Resolves once the node hears itself. */
  async #listen(client: pg.Client): Promise<void> {
    const { rows } = await answer(client.query<{ channel: string }>(CHANNEL))
    this.#channel = rows[0]?.channel ?? ''
    await answer(client.query(`listen ${client.escapeIdentifier(this.#channel)}`))
    this.#unheardBeats = 0
    const echo = Promise.withResolvers<void>()
    this.#onEcho = echo.resolve
    await this.#beat(client)
    await withTimeout(ANSWER_WITHIN_MS, echo.promise, new Deaf('The node does not hear itself.'))
  }

  async #keepBeating(client: pg.Client): Promise<void> {
    try {
      for (;;) {
        await sleep(BEAT_MS, undefined, { ref: false })
        if (client !== this.#client) return
        if (!this.#hasHeardItself) throw new Deaf('The node does not hear itself any more.')
        if (this.#unheardBeats >= UNHEARD_BEATS) throw new Deaf('Other nodes live and are not heard.')
        this.#tries = 0
        await this.#beat(client)
      }
    } catch (error) {
      this.#lose(client, error)
    }
  }

  async #beat(client: pg.Client): Promise<void> {
    this.#hasHeardItself = false
    // A node that is heard from now on may be too new for this read.
    const toProve = new Set(this.#unproved.keys())
    const { clock } = this.#deps
    const sentAt = clock.now()
    const { rows } = await answer(client.query<Beat>(BEAT, [this.#node, this.#channel, this.#events.echo(), APPLICATION]))
    const { is_new: isNew, others, connected, now } = rows[0] ?? { is_new: false, others: [], connected: 0, now: sentAt }
    // The database read its clock in between, so a slow answer proves little and changes nothing.
    this.clockOffsetMs = Math.min(Math.max(this.clockOffsetMs, now - clock.now()), now - sentAt)
    this.connectedPeers = connected
    this.#unheardBeats = others.length === 0 ? 0 : this.#unheardBeats + 1
    const hasMissed = this.#compare(new Set(others), toProve)
    // While it opens, what was missed is caught up with anyway.
    if (this.#isOpen && (isNew || hasMissed)) this.#events.missed(isNew ? 'disconnected' : 'publisher_lost')
  }

  /** Whether a node went without goodbye, or one that lives has reported a gap. */
  #compare(living: ReadonlySet<string>, toProve: ReadonlySet<string>): boolean {
    let hasMissed = false
    for (const node of this.alive) {
      const isUnproved = this.#unproved.has(node)
      if (living.has(node)) hasMissed ||= this.#unproved.get(node) === true
      else if (isUnproved && !toProve.has(node)) continue
      else {
        this.alive.delete(node)
        hasMissed ||= !isUnproved
      }
      this.#unproved.delete(node)
    }
    for (const node of living) this.alive.add(node)
    return hasMissed
  }

  #lose(client: pg.Client | undefined, error: unknown): void {
    if (client !== this.#client || this.#isClosed) return
    this.#client = undefined
    this.#isOpen = false
    // With an unanswered statement under way, this ends the socket at once.
    client?.end().catch(() => undefined)
    if (this.disconnectedSince === undefined) this.#deps.log.warn({ err: error }, error instanceof Deaf ? WARNING_DEAF : WARNING_LOST)
    this.disconnectedSince ??= this.#provedAt
    const pause = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#tries) * (0.5 + Math.random())
    this.#tries += 1
    setTimeout(() => {
      if (!this.#isClosed) void this.open()
    }, pause).unref()
  }
}

const answer = <T>(action: Promise<T>, ms = ANSWER_WITHIN_MS) => withTimeout(ms, action, new Error('The database does not answer.'))
