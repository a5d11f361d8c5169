/** Opens the database: the embedded Postgres in the data folder, or the one that DATABASE_URL names. The code above sees no difference. */
import { Kysely, type LogEvent, PostgresDialect, sql } from 'kysely'
import * as pg from 'pg'
import type { Log } from '#backend/platform/log.ts'
import { connectionTo, hostEmbedded } from './embedded-host.ts'
import { runningEmbeddedPostgres } from './embedded-postgres.ts'
import { DatabaseGone, failureKind } from './failure.ts'
import { Pulse } from './pulse.ts'
import { isRetryable } from './transaction.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>

export interface Database {
  readonly db: Db
  /** Whether it is there. */
  readonly pulse: Pulse
  /** Whether it is this program's own. Nobody but one program at a time is on it, and what is to outlive that must be in its log. */
  readonly isEmbedded: boolean
  /** How to reach the same database with a connection outside the pool. */
  readonly connection: pg.ClientConfig
  /** Closes the pool and, where this process holds the embedded one, stops it. */
  close(): Promise<void>
}

/** No statement of ours runs longer than a moment; one that does is stuck, and stuck is worse than failed. */
const STATEMENT_TIMEOUT_MS = 10_000
/** Changes hold their locks for milliseconds. A caller that waits longer gets an answer, and the connection is free for others. */
const LOCK_TIMEOUT_MS = 3000
/** A new connection, or one that somebody else gives back: who waits longer is refused in time. */
const CONNECT_TIMEOUT_MS = 2000
/** What is done on a new connection first takes many times as long: it outlives the pause between two clicks. */
const IDLE_TIMEOUT_MS = 60_000
const MOST_CONNECTIONS = 20

interface Where {
  readonly DATABASE_URL?: string | undefined
  readonly DATA_DIR: string
}

/** Opens the database for the program. Throws FolderInUse where another program holds the embedded one. */
export async function openDatabase(where: Where, log: Log): Promise<Database> {
  if (where.DATABASE_URL !== undefined) {
    const connection = { connectionString: where.DATABASE_URL }
    const { db, pulse } = connectWatched(connection, log)
    await expectUsable(db)
    return { db, pulse, isEmbedded: false, connection, close: () => db.destroy() }
  }
  const host = await hostEmbedded(where.DATA_DIR, log)
  const { db, pulse } = connectWatched(host.connection, log)
  const close = async () => {
    await db.destroy()
    await host.close()
  }
  return { db, pulse, isEmbedded: true, connection: host.connection, close }
}

/** Throws an error with a sentence where the database can't be reached, or can't hold every name in the world. */
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

/**
 * Opens the database for a command line tool: beside the program that is running on it, whose database stays as it is, or alone, and
 * then it is stopped at the end. Throws FolderInUse where a program starts at the same moment.
 */
export async function joinDatabase(where: Where, log: Log): Promise<Database> {
  const running = where.DATABASE_URL === undefined ? runningEmbeddedPostgres(where.DATA_DIR) : undefined
  if (running === undefined) return openDatabase(where, log)
  const connection = connectionTo(running)
  const { db, pulse } = connectWatched(connection, log)
  return { db, pulse, isEmbedded: true, connection, close: () => db.destroy() }
}

/** A query builder over a pool of connections, for tools and tests that bring a database of their own. */
export function connect(connection: pg.PoolConfig, log: Log, max = MOST_CONNECTIONS, statementTimeoutMs = STATEMENT_TIMEOUT_MS): Db {
  const pool = openPool(connection, { max, statementTimeoutMs, lockTimeoutMs: 0 })
  pool.on('error', (error) => {
    if (!pool.ending) log.warn({ err: error }, LOST)
  })
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}

/** The same for a program that answers calls: it knows whether its database is there, and nobody waits for one that is not. */
export function connectWatched(connection: pg.PoolConfig, log: Log, max = MOST_CONNECTIONS): { readonly db: Db; readonly pulse: Pulse } {
  // A connection that is given out is given back with the last answer.
  const pulse = new Pulse(connection, log, () => {
    const { idleCount: idle, totalCount, waitingCount: waiting } = pool
    return { idle, used: totalCount - idle, waiting, max }
  })
  const pool = openPool(
    { ...connection, stream: () => pulse.open() },
    {
      max,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      lockTimeoutMs: LOCK_TIMEOUT_MS,
    },
  )
  // Of one that is lost as a whole it has been said.
  pool.on('error', (error) => {
    if (pool.ending) return
    pulse.failed()
    if (!pulse.isLost) log.warn({ err: error }, LOST)
  })
  pool.on('connect', (client) => {
    pulse.answered()
    client.on('drain', () => pulse.answered())
  })
  const watched = {
    options: pool.options,
    async connect() {
      if (pulse.isLost) {
        const gone = new DatabaseGone()
        pulse.countFailure('unreachable', gone)
        throw gone
      }
      try {
        return await pool.connect()
      } catch (error) {
        pulse.failed()
        if (error instanceof Error) pulse.countFailure('unreachable', error)
        throw error
      }
    },
    end() {
      pulse.stop()
      return pool.end()
    },
  }
  const countFailure = (event: LogEvent) => {
    if (event.level !== 'error' || !(event.error instanceof Error)) return
    // Deadlocks and serialization failures are tried again (transaction.ts).
    const kind = isRetryable(event.error) ? undefined : failureKind(event.error)
    if (kind !== undefined) pulse.countFailure(kind, event.error)
  }
  return { db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: watched }), log: countFailure }), pulse }
}

/** Not of those that the pool lets go of: it is done with them before they are closed, and an embedded database that stops then ends them itself. */
const LOST = 'A database connection was lost.'

interface PoolLimits {
  readonly max: number
  readonly statementTimeoutMs: number
  readonly lockTimeoutMs: number
}

function openPool(connection: pg.PoolConfig, { max, statementTimeoutMs, lockTimeoutMs }: PoolLimits): pg.Pool {
  const pool = new pg.Pool({
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    ...connection,
    max,
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
