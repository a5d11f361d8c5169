/** Opens the database: the embedded Postgres in the data folder, or the one that DATABASE_URL names. The code above sees no difference. */
import { Kysely, PostgresDialect, sql } from 'kysely'
import * as pg from 'pg'
import type { Log } from '#backend/log.ts'
import { connectionTo, hostEmbedded } from './embedded-host.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>

export interface Database {
  readonly db: Db
  /** How to reach the same database with a connection outside the pool. */
  readonly connection: pg.ClientConfig
  /** Closes the pool and, where this process holds the embedded one, stops it. */
  close(): Promise<void>
}

/** No statement of ours runs longer than a moment; one that does is stuck, and stuck is worse than failed. */
const STATEMENT_TIMEOUT_MS = 10_000
const CONNECT_TIMEOUT_MS = 5000
interface Where {
  readonly DATABASE_URL?: string | undefined
  readonly DATA_DIR: string
}

/** Opens the database for the program. Throws FolderInUse where another program holds the embedded one. */
export async function openDatabase(where: Where, log: Log): Promise<Database> {
  if (where.DATABASE_URL !== undefined) {
    const connection = { connectionString: where.DATABASE_URL }
    const db = connect(connection, log)
    await answering(db)
    return { db, connection, close: () => db.destroy() }
  }
  const host = await hostEmbedded(where.DATA_DIR, log)
  const db = connect(host.connection, log)
  const close = async () => {
    await db.destroy()
    await host.close()
  }
  return { db, connection: host.connection, close }
}

async function answering(db: Db): Promise<void> {
  try {
    await sql`select 1`.execute(db)
  } catch (error) {
    await db.destroy()
    throw new Error('The database that DATABASE_URL names can not be reached.', { cause: error })
  }
}

/** Opens the database of a program that is running already, for command line tools; closing it leaves that program's database alone. */
export async function joinDatabase(where: Where, log: Log): Promise<Database> {
  const connection =
    where.DATABASE_URL === undefined ? connectionTo(await startEmbeddedPostgres(where.DATA_DIR)) : { connectionString: where.DATABASE_URL }
  const db = connect(connection, log)
  return { db, connection, close: () => db.destroy() }
}

/** A query builder over a pool of connections. Exported for the tests, which bring a database of their own. */
export function connect(connection: pg.PoolConfig, log: Log, max = 20): Db {
  const pool = new pg.Pool({
    ...connection,
    max,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'muster',
  })
  // Without listeners a lost connection would end the process: the pool's is for idle ones, the client's for those in use.
  pool.on('error', (error) => log.warn({ err: error }, 'A database connection was lost.'))
  pool.on('connect', (client) => client.on('error', () => undefined))
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}
