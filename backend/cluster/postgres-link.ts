/**
 * One connection to the shared database over which nodes hear of each other, kept open: a heartbeat proves that it lives, a lost one is
 * made anew. Says nothing of its own; `postgres-bus.ts` knows what messages mean.
 */
import pg from 'pg'
import type { Deps } from '#backend/deps.ts'

const CHANNEL = 'muster'
const BEAT_MS = 2000
/** A statement that takes longer is taken for a connection in which nothing arrives any more. */
const ANSWER_WITHIN_MS = 2500
const CONNECT_WITHIN_MS = 3000
const CLOSE_WITHIN_MS = 1000
const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 5000

/**
 * Says that this node lives and answers which others do, by the database's clock. `is_new` where its row was not there: after the first time,
 * because the database lost what is not in its log. Rows of who is long gone are deleted, by one node at a time.
 */
const BEAT = `
  with mine as (
    insert into nodes (id, seen_at) values ($1, clock_timestamp()) on conflict (id) do update set seen_at = excluded.seen_at
    returning xmax = 0 as is_new),
  gone as (
    delete from nodes where id in (select id from nodes where seen_at < clock_timestamp() - interval '1 minute' for update skip locked))
  select (select is_new from mine) as is_new,
    array(select id::text from nodes where id <> $1 and seen_at > clock_timestamp() - interval '10 seconds') as others`

interface Beat {
  readonly is_new: boolean
  readonly others: readonly string[]
}

export interface LinkEvents {
  heard(payload: string): void
  /** The connection is there (again); `isFirst` where none was ever lost. */
  opened(isFirst: boolean): void
  /** Another node went without a word, or the database forgot: something may never have been said. */
  missed(): void
}

export class PostgresLink {
  readonly #node: string
  readonly #deps: Pick<Deps, 'clock' | 'log'>
  readonly #connection: pg.ClientConfig
  readonly #events: LinkEvents
  readonly #alive = new Set<string>()
  #client: pg.Client | undefined
  #isOpen = false
  #isClosed = false
  #timer: NodeJS.Timeout | undefined
  #tries = 0
  #provedAt: number
  #cutOffSince: number | undefined

  constructor(node: string, deps: Pick<Deps, 'clock' | 'log'>, connection: pg.ClientConfig, events: LinkEvents) {
    this.#node = node
    this.#deps = deps
    this.#connection = connection
    this.#events = events
    this.#provedAt = deps.clock.uptime()
  }

  /** The other nodes that live; while cut off, those that lived before. */
  get alive(): ReadonlySet<string> {
    return this.#alive
  }

  get cutOffSince(): number | undefined {
    return this.#cutOffSince
  }

  /** Resolves once the first try has succeeded or failed; it goes on trying. */
  start(): Promise<void> {
    return this.#open()
  }

  heardOf(node: string): void {
    this.#alive.add(node)
  }

  /** It said that it goes. */
  leftBy(node: string): void {
    this.#alive.delete(node)
  }

  /** Answers whether it was sent, as far as anybody can know. */
  async send(payloads: readonly string[]): Promise<boolean> {
    const client = this.#client
    if (client === undefined || !this.#isOpen) return false
    try {
      await within(ANSWER_WITHIN_MS, client.query(`select pg_notify('${CHANNEL}', said) from unnest($1::text[]) as said`, [payloads]))
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
    const leave = `with gone as (delete from nodes where id = $1) select pg_notify('${CHANNEL}', $2)`
    if (this.#isOpen) await within(CLOSE_WITHIN_MS, client.query(leave, [this.#node, goodbye])).catch(() => undefined)
    await within(CLOSE_WITHIN_MS, client.end()).catch(() => undefined)
  }

  async #open(): Promise<void> {
    const client = new pg.Client({
      ...this.#connection,
      application_name: 'muster nodes',
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      keepAlive: true,
    })
    this.#client = client
    client.on('error', (error) => this.#lose(client, error))
    client.on('end', () => this.#lose(client, new Error('The connection was ended.')))
    client.on('notification', ({ payload }) => {
      if (client === this.#client) this.#events.heard(payload ?? '')
    })
    try {
      await client.connect()
      await within(ANSWER_WITHIN_MS, client.query(`listen ${CHANNEL}`))
      await this.#beat(client)
    } catch (error) {
      this.#lose(client, error)
      return
    }
    if (client !== this.#client) return
    const isFirst = this.#cutOffSince === undefined
    if (!isFirst) this.#deps.log.info('The other nodes on this database are heard again.')
    this.#cutOffSince = undefined
    this.#tries = 0
    this.#isOpen = true
    this.#timer = setTimeout(() => void this.#keepBeating(client), BEAT_MS)
    this.#events.opened(isFirst)
  }

  async #keepBeating(client: pg.Client): Promise<void> {
    try {
      await this.#beat(client)
    } catch (error) {
      this.#lose(client, error)
      return
    }
    if (client === this.#client) this.#timer = setTimeout(() => void this.#keepBeating(client), BEAT_MS)
  }

  async #beat(client: pg.Client): Promise<void> {
    const { rows } = await within(ANSWER_WITHIN_MS, client.query<Beat>(BEAT, [this.#node]))
    const { is_new: isNew, others } = rows[0] ?? { is_new: false, others: [] }
    this.#provedAt = this.#deps.clock.uptime()
    const living = new Set(others)
    const silent = [...this.#alive].filter((node) => !living.has(node))
    for (const node of silent) this.#alive.delete(node)
    for (const node of others) this.#alive.add(node)
    // While it opens, what was missed is asked for anyway.
    if (this.#isOpen && (isNew || silent.length > 0)) this.#events.missed()
  }

  #lose(client: pg.Client, error: unknown): void {
    if (client !== this.#client || this.#isClosed) return
    this.#client = undefined
    this.#isOpen = false
    clearTimeout(this.#timer)
    // With a statement under way that is not answered, this ends the socket at once.
    client.end().catch(() => undefined)
    if (this.#cutOffSince === undefined)
      this.#deps.log.warn({ err: error }, 'The connection to the other nodes was lost: what they do is not seen here until it is back.')
    this.#cutOffSince ??= this.#provedAt
    const pause = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#tries) * (0.5 + Math.random())
    this.#tries += 1
    this.#timer = setTimeout(() => void this.#open(), pause)
  }
}

/** Rejects where it takes longer. */
async function within<T>(ms: number, doing: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('The database does not answer.')), ms)
  try {
    return await Promise.race([doing, late])
  } finally {
    clearTimeout(timer)
    // Whatever becomes of it after its time is nobody's concern.
    doing.catch(() => undefined)
  }
}
