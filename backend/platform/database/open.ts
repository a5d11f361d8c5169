/** Opens the database: the embedded Postgres in the data folder, or the one that DATABASE_URL names. The code above sees no difference. */
import { Kysely, type LogEvent, PostgresDialect, sql } from 'kysely'
import * as pg from 'pg'
import type { Env } from '#backend/platform/env.ts'
import type { Log } from '#backend/platform/log.ts'
import { connectionTo, hostEmbedded } from './embedded-host.ts'
import { runningEmbeddedPostgres } from './embedded-postgres.ts'
import { DatabaseUnavailable, failureKind } from './failure.ts'
import { DatabaseHealth } from './database-health.ts'
import { isRetryable } from './transaction.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>

export interface Database {
  readonly db: Db
  readonly databaseHealth: DatabaseHealth
  /** Whether it is this program's own: no other program uses it, and nothing else keeps what its log does not. */
  readonly isEmbedded: boolean
  /** Whether another program may run this embedded database. */
  readonly isJoined: boolean
  /** How to reach the same database with a connection outside the pool. */
  readonly connection: pg.ClientConfig
  /** Closes the pool and, where this process runs the embedded one, stops it. */
  close(): Promise<void>
}

/** Our statements take a moment. One that runs longer is stuck, and stuck is worse than failed. */
const STATEMENT_TIMEOUT_MS = 10_000
/** Changes hold their locks for milliseconds. A caller that waits longer gets an answer, and the connection is free for others. */
const LOCK_TIMEOUT_MS = 3000
/** For a new connection, or one that another caller gives back. */
const CONNECT_TIMEOUT_MS = 2000
/** The first statements on a new connection take many times as long, so it outlives the pause between two clicks. */
const IDLE_TIMEOUT_MS = 60_000
const MAX_CONNECTIONS = 20

const LOST = 'A database connection was lost.'

type Where = Partial<Pick<Env, 'DATABASE_URL'>> & Pick<Env, 'DATA_DIR'>

/** Opens the database for the program. Throws FolderInUse where another program holds the embedded one. */
export async function openDatabase(where: Where, log: Log): Promise<Database> {
  if (where.DATABASE_URL !== undefined) {
    const database = databaseOver({ connectionString: where.DATABASE_URL }, log, false)
    await expectUsable(database.db)
    return database
  }
  const host = await hostEmbedded(where.DATA_DIR, log)
  return databaseOver(host.connection, log, true, host.close)
}

/** For a command line tool: beside the program that runs the embedded one, or alone (and then stopped at the end). Throws FolderInUse. */
export async function joinDatabase(where: Where, log: Log): Promise<Database> {
  const running = where.DATABASE_URL === undefined ? runningEmbeddedPostgres(where.DATA_DIR) : undefined
  return running === undefined ? openDatabase(where, log) : { ...databaseOver(connectionTo(running), log, true), isJoined: true }
}

function databaseOver(connection: pg.ClientConfig, log: Log, isEmbedded: boolean, stop?: () => Promise<void>): Database {
  const { db, databaseHealth } = connectMonitored(connection, log)
  const close = async () => {
    await db.destroy()
    await stop?.()
  }
  return { db, databaseHealth, isEmbedded, isJoined: false, connection, close }
}

/** Throws an error with a sentence where the database can't be reached, or can't store every name in the world. */
async function expectUsable(db: Db): Promise<void> {
  let encoding: string | undefined
  try {
    const { rows } = await sql<{ server_encoding: string }>`show server_encoding`.execute(db)
    encoding = rows[0]?.server_encoding
  } catch (error) {
    await db.destroy()
    throw new Error('The database that DATABASE_URL names cannot be reached.', { cause: error })
  }
  if (encoding === 'UTF8') return
  await db.destroy()
  throw new Error(`The database that DATABASE_URL names stores text as ${encoding}. Muster needs UTF8: create it with ENCODING 'UTF8'.`)
}

/** A query builder over a pool of connections, for tools and tests. */
export function connect(connection: pg.PoolConfig, log: Log, max = MAX_CONNECTIONS, statementTimeoutMs = STATEMENT_TIMEOUT_MS): Db {
  const pool = openPool({ ...connection, max }, statementTimeoutMs, 0)
  pool.on('error', (error) => {
    if (!pool.ending) log.warn({ err: error }, LOST)
  })
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}

/** The same for a program that answers calls: it knows whether its database is there, and refuses at once while it is not. */
export function connectMonitored(
  connection: pg.PoolConfig,
  log: Log,
  max = MAX_CONNECTIONS,
): { readonly db: Db; readonly databaseHealth: DatabaseHealth } {
  const databaseHealth = new DatabaseHealth(connection, log, () => {
    const { idleCount: idle, totalCount, waitingCount: waiting } = pool
    return { idle, used: totalCount - idle, waiting, max }
  })
  const pool = openPool({ ...connection, max, stream: () => databaseHealth.open() }, STATEMENT_TIMEOUT_MS, LOCK_TIMEOUT_MS)
  pool.on('error', (error) => {
    if (pool.ending) return
    databaseHealth.failed()
    // An outage is logged once, by the databaseHealth.
    if (!databaseHealth.isLost) log.warn({ err: error }, LOST)
  })
  pool.on('connect', (client) => {
    databaseHealth.answered()
    client.on('drain', () => databaseHealth.answered())
  })
  const watched = {
    options: pool.options,
    async connect() {
      try {
        if (databaseHealth.isLost) throw new DatabaseUnavailable()
        return await pool.connect()
      } catch (error) {
        databaseHealth.failed()
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
    // Deadlocks and serialization failures are tried again (transaction.ts).
    const kind = isRetryable(event.error) ? undefined : failureKind(event.error)
    if (kind !== undefined) databaseHealth.countFailure(kind, event.error)
  }
  return { db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: watched }), log: countFailure }), databaseHealth }
}

/** @param lockTimeoutMs 0: none, as with the other one. */
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
  // Without listeners a lost connection would end the process: the pool's is for idle ones, the client's for those in use.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}
