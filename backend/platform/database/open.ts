/** Opens the database: the embedded Postgres in the data folder, or the one in DATABASE_URL. Both look the same to callers. */
import { Kysely, type LogEvent, PostgresDialect } from 'kysely'
import * as pg from 'pg'
import type { Env } from '#backend/platform/env.ts'
import type { Log } from '#backend/platform/log.ts'
import { connectionTo, hostEmbedded } from './embedded-host.ts'
import { runningEmbeddedPostgres } from './embedded-postgres.ts'
import { DatabaseUnavailable, failureKind, isRetryable } from './failure.ts'
import { DatabaseHealth } from './database-health.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>

export interface Database {
  readonly db: Db
  readonly databaseHealth: DatabaseHealth
  /** Whether only this program uses it, so that its data exists nowhere else. */
  readonly isEmbedded: boolean
  /** Whether another program may run this embedded database. */
  readonly isJoined: boolean
  /** For connections to the same database outside the pool. */
  readonly connection: pg.ClientConfig
  /** Closes the pool, and stops the embedded database if this process runs it. */
  close(): Promise<void>
}

/** Our statements are short. One that takes longer is stuck, and failing is better than hanging. */
const STATEMENT_TIMEOUT_MS = 10_000
/** Locks last milliseconds. A caller that waits longer gets an error, and the connection becomes free for others. */
const LOCK_TIMEOUT_MS = 3000
/** For opening a connection, or waiting for one from the pool. */
const CONNECT_TIMEOUT_MS = 2000
/** Longer than the pause between two clicks, because the first statements on a new connection are much slower. */
const IDLE_TIMEOUT_MS = 60_000
const MAX_CONNECTIONS = 20

const CONNECTION_LOST = 'database connection lost'

/** The database of DATABASE_URL has a problem that an operator can solve. */
export class DatabaseUnusable extends Error {
  override readonly name = 'DatabaseUnusable'
  readonly problem: string
  readonly remedy: string
  constructor(problem: string, remedy: string, cause?: unknown) {
    super(`${problem} ${remedy}`, { cause })
    this.problem = problem
    this.remedy = remedy
  }
}

type DatabaseEnv = Partial<Pick<Env, 'DATABASE_URL'>> & Pick<Env, 'DATA_DIR'>

/** Opens the database for the program. Throws FolderInUse if another program uses the embedded one. */
export async function openDatabase(env: DatabaseEnv, log: Log): Promise<Database> {
  if (env.DATABASE_URL !== undefined) {
    const connection = { connectionString: env.DATABASE_URL }
    await expectUsable(connection)
    return databaseOver(connection, log, false)
  }
  const host = await hostEmbedded(env.DATA_DIR, log)
  return databaseOver(host.connection, log, true, host.close)
}

/** For a command-line tool: connects to a running embedded database, or starts it until `close`. Throws FolderInUse. */
export async function joinDatabase(env: DatabaseEnv, log: Log): Promise<Database> {
  const running = env.DATABASE_URL === undefined ? runningEmbeddedPostgres(env.DATA_DIR) : undefined
  return running === undefined ? openDatabase(env, log) : { ...databaseOver(connectionTo(running), log, true), isJoined: true }
}

function databaseOver(connection: pg.ClientConfig, log: Log, isEmbedded: boolean, stop?: () => Promise<void>): Database {
  const { db, databaseHealth } = connectMonitored(connection, log)
  const close = async () => {
    await db.destroy()
    await stop?.()
  }
  return { db, databaseHealth, isEmbedded, isJoined: false, connection, close }
}

/** Throws a readable error if the database can't be reached, or can't store all of Unicode. */
async function expectUsable(connection: pg.ClientConfig): Promise<void> {
  let client: pg.Client | undefined
  let encoding: string | undefined
  let name: string | undefined
  try {
    client = new pg.Client({ ...connection, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, query_timeout: CONNECT_TIMEOUT_MS })
    client.on('error', () => undefined)
    name = client.database
    await client.connect()
    const { rows } = await client.query<{ server_encoding: string }>('show server_encoding')
    encoding = rows[0]?.server_encoding
  } catch (error) {
    throw new DatabaseUnusable('The database in DATABASE_URL cannot be reached.', remedyFor(error, name ?? 'muster'), error)
  } finally {
    await client?.end().catch(() => undefined)
  }
  if (encoding === 'UTF8') return
  throw new DatabaseUnusable(
    `The database in DATABASE_URL stores text as ${encoding}. Muster needs UTF8.`,
    `Create another with ${createCommand('NAME')}, and name it in DATABASE_URL.`,
  )
}

/** What to do about a failed first connection. By SQLSTATE, or by the system's code. */
function remedyFor(error: unknown, name: string): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  switch (code) {
    case '3D000':
      return `Create it with ${createCommand(name)}, or correct its name in DATABASE_URL.`
    case '28P01':
    case '28000':
      return 'Correct the user and password in DATABASE_URL.'
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'Correct the host in DATABASE_URL, or the name servers of this machine.'
    default:
      return 'Start Postgres, or correct the host and port in DATABASE_URL.'
  }
}

const createCommand = (name: string) => `"createdb --encoding=UTF8 --template=template0 ${name}"`

/** A query builder over a pool of connections, for tools and tests. */
export function connect(connection: pg.PoolConfig, log: Log, max = MAX_CONNECTIONS, statementTimeoutMs = STATEMENT_TIMEOUT_MS): Db {
  const pool = openPool({ ...connection, max }, statementTimeoutMs, 0)
  pool.on('error', (error) => {
    if (!pool.ending) log.warn({ err: error }, CONNECTION_LOST)
  })
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}

/** The same for a server: monitors the database, and rejects queries at once while it is unavailable. */
export function connectMonitored(
  connection: pg.PoolConfig,
  log: Log,
  max = MAX_CONNECTIONS,
): { readonly db: Db; readonly databaseHealth: DatabaseHealth } {
  const databaseHealth = new DatabaseHealth(connection, log, () => {
    const { idleCount: idle, totalCount, waitingCount: waiting } = pool
    return { idle, used: totalCount - idle, waiting, max }
  })
  const pool = openPool({ ...connection, max, stream: () => databaseHealth.openSocket() }, STATEMENT_TIMEOUT_MS, LOCK_TIMEOUT_MS)
  pool.on('error', (error) => {
    if (pool.ending) return
    databaseHealth.markFailed()
    // `DatabaseHealth` logs an outage, once.
    if (!databaseHealth.isLost) log.warn({ err: error }, CONNECTION_LOST)
  })
  pool.on('connect', (client) => {
    databaseHealth.markAnswered()
    client.on('drain', () => databaseHealth.markAnswered())
  })
  const monitoredPool = {
    options: pool.options,
    async connect() {
      try {
        if (databaseHealth.isLost) throw new DatabaseUnavailable()
        return await pool.connect()
      } catch (error) {
        databaseHealth.markFailed()
        if (error instanceof Error) databaseHealth.countFailure('unreachable', error)
        throw error
      }
    },
    end() {
      databaseHealth.stop()
      return pool.end()
    },
  }
  const countFailure = (event: LogEvent) => {
    if (event.level !== 'error' || !(event.error instanceof Error)) return
    // Deadlocks and serialization failures are retried (transaction.ts).
    const kind = isRetryable(event.error) ? undefined : failureKind(event.error)
    if (kind !== undefined) databaseHealth.countFailure(kind, event.error)
  }
  return { db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: monitoredPool }), log: countFailure }), databaseHealth }
}

/** @param lockTimeoutMs 0 for none, as for `statementTimeoutMs`. */
function openPool(config: pg.PoolConfig, statementTimeoutMs: number, lockTimeoutMs: number): pg.Pool {
  const pool = new pg.Pool({
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    ...config,
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    application_name: 'muster',
  })
  // Without a listener a lost connection would crash the process. The pool's covers idle connections, the client's those in use.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}
