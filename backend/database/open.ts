/** Opens the database: the embedded Postgres in the data folder, or the one that DATABASE_URL names. The code above sees no difference. */
import { Kysely, PostgresDialect } from 'kysely'
import * as pg from 'pg'
import type { Log } from '#backend/log.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
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
/** A second process on the same folder fails to get this lock; the number only has to be ours. */
const FOLDER_LOCK = 4_977_310

export class FolderInUse extends Error {
  override readonly name = 'FolderInUse'
  constructor(folder: string) {
    super(`Another Muster is already running on the data folder ${folder}. Stop it first, or choose another folder with DATA_DIR.`)
  }
}

interface Where {
  readonly DATABASE_URL?: string | undefined
  readonly DATA_DIR: string
}

/** Opens the database for the program. Throws FolderInUse where another program holds the embedded one. */
export async function openDatabase(where: Where, log: Log): Promise<Database> {
  if (where.DATABASE_URL !== undefined) {
    const connection = { connectionString: where.DATABASE_URL }
    const db = connect(connection, log)
    return { db, connection, close: () => db.destroy() }
  }
  const postgres = await startEmbeddedPostgres(where.DATA_DIR)
  const connection = connectionTo(postgres)
  const lock = await lockFolder(connection, where.DATA_DIR)
  const db = connect(connection, log)
  const close = async () => {
    await db.destroy()
    await lock.end()
    await postgres.stop()
  }
  return { db, connection, close }
}

/** Opens the database of a program that is running already, for command line tools; closing it leaves that program's database alone. */
export async function joinDatabase(where: Where, log: Log): Promise<Database> {
  const connection = where.DATABASE_URL === undefined ? connectionTo(await startEmbeddedPostgres(where.DATA_DIR)) : { connectionString: where.DATABASE_URL }
  const db = connect(connection, log)
  return { db, connection, close: () => db.destroy() }
}

function connectionTo(postgres: EmbeddedPostgres): pg.ClientConfig {
  return { host: postgres.socketFolder, user: 'postgres', database: 'postgres' }
}

/** A session lock ends with its connection, so a killed process leaves nothing behind that would have to be cleaned. */
async function lockFolder(connection: pg.ClientConfig, folder: string): Promise<pg.Client> {
  const client = new pg.Client(connection)
  // The postmaster may end before us; the pool's own errors tell about it.
  client.on('error', () => undefined)
  await client.connect()
  for (let tries = 0; tries < 20; tries += 1) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [FOLDER_LOCK])
    if (rows[0]?.locked === true) return client
    // A killed process's connection may take a moment to be noticed.
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await client.end()
  throw new FolderInUse(folder)
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
  // Without a listener a lost idle connection would end the process.
  pool.on('error', (error) => log.warn({ err: error }, 'A database connection was lost.'))
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}
