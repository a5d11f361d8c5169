/** Runs the embedded Postgres: locks its folder against a second program, and restarts it after a crash (requests get 503 until then). */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import * as pg from 'pg'
import type { Log } from '#backend/platform/log.ts'
import type { Tables } from './tables.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { RECOVERED } from '#backend/platform/outage-log.ts'

/** The key of the advisory lock on the folder. An arbitrary number. */
const FOLDER_LOCK = 4_977_310
const HOLDER = 'muster process '
const RESTART_DELAY_MS = 500
const MAX_START_ATTEMPTS = 5
/** PostgreSQL may take a moment to notice that a killed program is gone. */
const MAX_LOCK_ATTEMPTS = 20
const LOCK_RETRY_MS = 50
/** A database that does not accept a connection in this time is stopping or hung. */
const CONNECT_TIMEOUT_MS = 5000

class FolderInUse extends Error {
  override readonly name = 'FolderInUse'
  /** @param pid the process that uses the folder, if known */
  constructor(folder: string, pid: string | undefined) {
    const holder = pid === undefined ? '' : `, as process ${pid}`
    super(`Another Muster is already running on the data folder ${folder}${holder}. Stop it first, or choose another folder with DATA_DIR.`)
  }
}

/** Whether a program holds the folder of this database. */
export async function isFolderLocked(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ is_locked: boolean }>`
    select exists (
      select from pg_locks
      where locktype = 'advisory' and objid = ${sql.lit(FOLDER_LOCK)} and classid = 0 and granted
        and database = (select oid from pg_database where datname = current_database())
    ) as is_locked`.execute(db)
  return rows[0]?.is_locked === true
}

export function connectionTo(postgres: Pick<EmbeddedPostgres, 'socketFolder'>): pg.ClientConfig {
  return { host: postgres.socketFolder, user: 'postgres', database: 'postgres' }
}

/** Starts the database in the folder and locks it. Throws FolderInUse if another program uses it. */
export async function hostEmbedded(folder: string, log: Log): Promise<{ connection: pg.ClientConfig; close: () => Promise<void> }> {
  let isClosing = false
  let { postgres, lock } = await startLocked(folder, log)

  const watch = () =>
    lock.once('end', () => {
      if (!isClosing) void restart()
    })
  const restart = async () => {
    log.error('embedded database exited, restarting it')
    while (!isClosing) {
      try {
        await sleep(RESTART_DELAY_MS)
        ;({ postgres, lock } = await startLocked(folder, log))
        watch()
        log.error(RECOVERED, 'embedded database runs again')
        return
      } catch (error) {
        log.error({ err: error }, 'embedded database failed to start, will retry')
      }
    }
  }
  watch()
  return {
    connection: connectionTo(postgres),
    async close() {
      isClosing = true
      await lock.end().catch(() => undefined)
      await postgres.stop()
    },
  }
}

/** An adopted database may be shutting down after the crash of the previous program. Then the next attempt starts a new one. */
async function startLocked(folder: string, log: Log): Promise<{ postgres: EmbeddedPostgres; lock: pg.Client }> {
  for (let attempt = 1; ; attempt += 1) {
    const postgres = await startEmbeddedPostgres(folder)
    try {
      return { postgres, lock: await lockFolder(postgres, folder) }
    } catch (error) {
      if (error instanceof FolderInUse || !postgres.isAdopted || attempt === MAX_START_ATTEMPTS) throw error
      log.warn({ err: error }, 'adopted embedded database is shutting down, restarting it')
      await sleep(RESTART_DELAY_MS)
    }
  }
}

/** A session lock ends with its connection, so a killed program leaves nothing to clean up. */
async function lockFolder(postgres: EmbeddedPostgres, folder: string): Promise<pg.Client> {
  const client = new pg.Client({
    ...connectionTo(postgres),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // Names this program to the next one.
    application_name: `${HOLDER}${process.pid}`,
  })
  // An `end` event follows and is handled.
  client.on('error', () => undefined)
  await client.connect()
  for (let attempt = 0; attempt < MAX_LOCK_ATTEMPTS; attempt += 1) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [FOLDER_LOCK])
    if (rows[0]?.locked === true) return client
    await sleep(LOCK_RETRY_MS)
  }
  const { rows } = await client.query<{ name: string }>(`
    select application_name as name from pg_stat_activity join pg_locks using (pid)
    where locktype = 'advisory' and objid = ${FOLDER_LOCK} and classid = 0 and granted`)
  await client.end()
  throw new FolderInUse(folder, rows[0]?.name.split(HOLDER)[1])
}
