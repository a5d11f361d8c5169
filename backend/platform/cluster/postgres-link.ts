/** The connection between nodes, checked by heartbeats and reopened when lost. It does not know the topics. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { withTimeout } from '#backend/platform/concurrency/with-timeout.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { SCHEMA_LEVEL } from '#backend/platform/database/migration-steps.ts'
import { RELEASE } from '#backend/platform/version.ts'
import type { Gap } from './bus.ts'
import { RECOVERED } from '#backend/platform/outage-log.ts'

const HEARTBEAT_MS = 2000
/** A connection without an answer for this long counts as lost. */
const ANSWER_TIMEOUT_MS = 2500
const CONNECT_TIMEOUT_MS = 3000
const CLOSE_TIMEOUT_MS = 1000
/** Heartbeats without a message from any live node before this node counts as disconnected. A killed node's row expires sooner. */
const DISCONNECTED_AFTER_BEATS = 7
/** Both make `isSilent` true. Heartbeats of two nodes may overtake each other, so a single miss is normal. */
const SILENT_AFTER_BEATS = 2
const SILENT_AFTER_MS = 3000
const MIN_RETRY_MS = 100
/** A database that returns is found within 1.5 s. One attempt per second and node costs it nothing. */
const MAX_RETRY_MS = 1000

/** Names a node's connection, so that the others see when it is gone. At most 63 characters with the id. */
const APPLICATION_PREFIX = 'muster node '

/** One channel per schema keeps installations apart. By name, because a restore changes the schema's id. */
const CHANNEL = `select 'muster_' || left(encode(sha256(convert_to(current_schema(), 'UTF8')), 'hex'), 16) as channel`

/**
 * Renews this node's row, deletes old rows (one node at a time), notifies this node itself, and returns the live nodes by the database's clock.
 * `is_new`: this node's row was missing. After the first heartbeat that means that it was silent for a minute, or that `nodes` was lost in a crash.
 */
const HEARTBEAT = `
  with mine as (
    insert into nodes (id, heartbeat_at, version, schema_level) values ($1, clock_timestamp(), $5, $6)
    on conflict (id) do update set heartbeat_at = excluded.heartbeat_at
    returning xmax = 0 as is_new),
  gone as (
    delete from nodes where id in (select id from nodes where heartbeat_at < clock_timestamp() - interval '1 minute' for update skip locked))
  select (select is_new from mine) as is_new, pg_notify($2, $3), floor(extract(epoch from clock_timestamp()) * 1000)::float8 as now,
    array(select id::text from nodes where id <> $1 and heartbeat_at > clock_timestamp() - interval '10 seconds') as others,
    (select count(*)::int from nodes where id <> $1 and heartbeat_at > clock_timestamp() - interval '10 seconds'
      and $4 || id in (select application_name from pg_stat_activity)) as connected`

interface HeartbeatRow {
  readonly is_new: boolean
  readonly others: readonly string[]
  readonly connected: number
  readonly now: number
}

interface LinkEvents {
  received(payload: string): void
  /** The message that a heartbeat sends to this node itself. */
  echo(): string
  /** Connected. `isFirst`: no connection was lost before. */
  opened(isFirst: boolean): void
  missed(gap: Gap): void
}

/** Statements work, but notifications don't arrive. */
class NotificationsLost extends Error {
  override readonly name = 'NotificationsLost'
}

const WARN_CONNECTION_LOST = 'connection to the other nodes lost, their changes are not visible here'
const WARN_NOTIFICATIONS_LOST =
  'statements work but LISTEN receives nothing from the other nodes, check for a connection pooler in transaction mode'

export class PostgresLink {
  readonly #node: string
  readonly #deps: Pick<Deps, 'clock' | 'log'>
  readonly #connection: pg.ClientConfig
  readonly #events: LinkEvents
  /** The other live nodes; while disconnected, those that were alive before. */
  readonly alive = new Set<string>()
  /** Nodes in `alive` that sent a message but are not in the table yet. True: the node reported a gap. */
  readonly #unconfirmed = new Map<string, boolean>()
  connectedPeers = 0
  disconnectedSince: number | undefined
  /** How far the database's clock is ahead of this node's at least, as heartbeats show. Kept while disconnected. */
  clockOffsetMs = 0
  #channel = ''
  #client: pg.Client | undefined
  #isOpen = false
  #isClosed = false
  #attempts = 0
  /** Whether this node received the echo of its last heartbeat. */
  #hasEcho = false
  #lastEchoAt: number
  /** Ends the wait for the first echo on a connection. */
  #onEcho: () => void = () => undefined
  /** Heartbeats since the last message of another node. */
  #silentBeats = 0
  #lastReceivedAt = -Infinity

  constructor(node: string, deps: Pick<Deps, 'clock' | 'log'>, connection: pg.ClientConfig, events: LinkEvents) {
    this.#node = node
    this.#deps = deps
    this.#connection = connection
    this.#events = events
    this.#lastEchoAt = deps.clock.uptime()
  }

  get isSilent(): boolean {
    return this.#silentBeats >= SILENT_AFTER_BEATS && this.#deps.clock.uptime() - this.#lastReceivedAt > SILENT_AFTER_MS
  }

  /** @param isGap the node reports that it dropped messages. This counts once the table lists the node, as anyone can send on the channel. */
  receivedFrom(node: string, isGap: boolean): void {
    this.#markReceived()
    const isConfirmed = this.alive.has(node) && !this.#unconfirmed.has(node)
    this.alive.add(node)
    if (!isConfirmed) this.#unconfirmed.set(node, isGap || this.#unconfirmed.get(node) === true)
    else if (isGap) this.#events.missed('publisher_lost')
  }

  receivedEcho(): void {
    this.#hasEcho = true
    this.#lastEchoAt = this.#deps.clock.uptime()
    this.#onEcho()
  }

  peerLeft(node: string): void {
    this.#markReceived()
    this.alive.delete(node)
    this.#unconfirmed.delete(node)
  }

  #markReceived(): void {
    this.#silentBeats = 0
    this.#lastReceivedAt = this.#deps.clock.uptime()
  }

  /** False if the messages were not sent, or possibly not. */
  async send(payloads: readonly string[]): Promise<boolean> {
    const client = this.#client
    if (client === undefined || !this.#isOpen) return false
    try {
      await answered(client.query(`select pg_notify($1, payload) from unnest($2::text[]) as payload`, [this.#channel, payloads]))
      return true
    } catch (error) {
      this.#handleLoss(client, error)
      return false
    }
  }

  /** @param goodbye tells the other nodes not to wait for this one. */
  async close(goodbye: string): Promise<void> {
    this.#isClosed = true
    const client = this.#client
    this.#client = undefined
    if (client === undefined) return
    const leave = `with gone as (delete from nodes where id = $1) select pg_notify($2, $3)`
    if (this.#isOpen) await answered(client.query(leave, [this.#node, this.#channel, goodbye]), CLOSE_TIMEOUT_MS).catch(() => undefined)
    await answered(client.end(), CLOSE_TIMEOUT_MS).catch(() => undefined)
  }

  /** Resolves after the first attempt; failed attempts are repeated. */
  async open(): Promise<void> {
    let client: pg.Client | undefined
    try {
      client = this.#newClient()
      await client.connect()
      await this.#listen(client)
    } catch (error) {
      this.#handleLoss(client, error)
      return
    }
    if (client !== this.#client) return
    const isFirst = this.disconnectedSince === undefined
    if (!isFirst) this.#deps.log.warn(RECOVERED, 'connection to the other nodes restored')
    this.disconnectedSince = undefined
    this.#isOpen = true
    this.#events.opened(isFirst)
    void this.#heartbeatLoop(client)
  }

  #newClient(): pg.Client {
    const client = new pg.Client({
      ...this.#connection,
      application_name: APPLICATION_PREFIX + this.#node,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    })
    this.#client = client
    client.on('error', (error) => this.#handleLoss(client, error))
    client.on('end', () => this.#handleLoss(client, new Error('The connection ended.')))
    client.on('notification', ({ payload }) => {
      if (client === this.#client) this.#events.received(payload ?? '')
    })
    return client
  }

  /** Resolves once this node receives its own echo. */
  async #listen(client: pg.Client): Promise<void> {
    const { rows } = await answered(client.query<{ channel: string }>(CHANNEL))
    this.#channel = rows[0]?.channel ?? ''
    await answered(client.query(`listen ${client.escapeIdentifier(this.#channel)}`))
    this.#silentBeats = 0
    const echo = Promise.withResolvers<void>()
    this.#onEcho = echo.resolve
    await this.#heartbeat(client)
    await withTimeout(ANSWER_TIMEOUT_MS, echo.promise, new NotificationsLost('This node did not receive its own notification.'))
  }

  async #heartbeatLoop(client: pg.Client): Promise<void> {
    try {
      for (;;) {
        await sleep(HEARTBEAT_MS, undefined, { ref: false })
        if (client !== this.#client) return
        if (!this.#hasEcho) throw new NotificationsLost('This node no longer receives its own notifications.')
        if (this.#silentBeats >= DISCONNECTED_AFTER_BEATS)
          throw new NotificationsLost('Other nodes are alive but nothing arrives from them.')
        this.#attempts = 0
        await this.#heartbeat(client)
      }
    } catch (error) {
      this.#handleLoss(client, error)
    }
  }

  async #heartbeat(client: pg.Client): Promise<void> {
    this.#hasEcho = false
    // A node that sends a message from now on may be too new for this read.
    const toConfirm = new Set(this.#unconfirmed.keys())
    const { clock } = this.#deps
    const sentAt = clock.now()
    const { rows } = await answered(
      client.query<HeartbeatRow>(HEARTBEAT, [this.#node, this.#channel, this.#events.echo(), APPLICATION_PREFIX, RELEASE, SCHEMA_LEVEL]),
    )
    const { is_new: isNew, others, connected, now } = rows[0] ?? { is_new: false, others: [], connected: 0, now: sentAt }
    // The database read its clock between the two readings here: both bound the offset, and a slow answer changes little.
    this.clockOffsetMs = Math.min(Math.max(this.clockOffsetMs, now - clock.now()), now - sentAt)
    this.connectedPeers = connected
    this.#silentBeats = others.length === 0 ? 0 : this.#silentBeats + 1
    const hasMissed = this.#comparePeers(new Set(others), toConfirm)
    // A connection that opens starts a catch-up anyway.
    if (this.#isOpen && (isNew || hasMissed)) this.#events.missed(isNew ? 'disconnected' : 'publisher_lost')
  }

  /** Whether a node is gone without a goodbye, or a live one reported a gap. */
  #comparePeers(living: ReadonlySet<string>, toConfirm: ReadonlySet<string>): boolean {
    let hasMissed = false
    for (const node of this.alive) {
      const isUnconfirmed = this.#unconfirmed.has(node)
      if (living.has(node)) hasMissed ||= this.#unconfirmed.get(node) === true
      else if (isUnconfirmed && !toConfirm.has(node)) continue
      else {
        this.alive.delete(node)
        hasMissed ||= !isUnconfirmed
      }
      this.#unconfirmed.delete(node)
    }
    for (const node of living) this.alive.add(node)
    return hasMissed
  }

  #handleLoss(client: pg.Client | undefined, error: unknown): void {
    if (client !== this.#client || this.#isClosed) return
    this.#client = undefined
    this.#isOpen = false
    // With an unanswered statement in flight, this closes the socket at once.
    client?.end().catch(() => undefined)
    if (this.disconnectedSince === undefined)
      this.#deps.log.warn({ err: error }, error instanceof NotificationsLost ? WARN_NOTIFICATIONS_LOST : WARN_CONNECTION_LOST)
    this.disconnectedSince ??= this.#lastEchoAt
    const pause = Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** this.#attempts) * (0.5 + Math.random())
    this.#attempts += 1
    setTimeout(() => {
      if (!this.#isClosed) void this.open()
    }, pause).unref()
  }
}

const answered = <T>(action: Promise<T>, ms = ANSWER_TIMEOUT_MS) => withTimeout(ms, action, new Error('The database does not answer.'))
