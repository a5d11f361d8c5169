/** Runs the embedded Postgres: locks its folder against a second program, and restarts it after a kill (calls answer 503 until then). */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import * as pg from 'pg'
import type { Log } from '#backend/platform/log.ts'
import type { Tables } from './tables.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'

/** An advisory lock, which a second program on the same folder does not get. Any number of ours. */
const FOLDER_LOCK = 4_977_310
const REVIVE_AFTER_MS = 500
const TAKE_OVER_TRIES = 5
/** The connection of a killed program may take a moment to be noticed. */
const LOCK_TRIES = 20
const LOCK_RETRY_MS = 50
/** A database that does not answer in this time is stopped or dying. */
const ANSWERS_WITHIN_MS = 5000

class FolderInUse extends Error {
  override readonly name = 'FolderInUse'
  constructor(folder: string) {
    super(`Another Muster is already running on the data folder ${folder}. Stop it first, or choose another folder with DATA_DIR.`)
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

/** Starts the database in the folder and locks it. Throws FolderInUse where another program does. */
export async function hostEmbedded(folder: string, log: Log): Promise<{ connection: pg.ClientConfig; close: () => Promise<void> }> {
  let isClosing = false
  let { postgres, lock } = await startHeld(folder, log)

  const watch = () =>
    lock.once('end', () => {
      if (!isClosing) void revive()
    })
  const revive = async () => {
    log.error('The embedded database ended; it is being started again.')
    while (!isClosing) {
      try {
        await sleep(REVIVE_AFTER_MS)
        ;({ postgres, lock } = await startHeld(folder, log))
        watch()
        return
      } catch (error) {
        log.error({ err: error }, 'The embedded database could not be started; trying again.')
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

/** A database that is taken over may be dying of the same kill as the program before: the next try finds it gone and starts it. */
async function startHeld(folder: string, log: Log): Promise<{ postgres: EmbeddedPostgres; lock: pg.Client }> {
  for (let tries = 1; ; tries += 1) {
    const postgres = await startEmbeddedPostgres(folder)
    try {
      return { postgres, lock: await lockFolder(postgres, folder) }
    } catch (error) {
      if (error instanceof FolderInUse || !postgres.isAdopted || tries === TAKE_OVER_TRIES) throw error
      log.warn({ err: error }, 'The embedded database that still ran is ending; it is being started again.')
      await sleep(REVIVE_AFTER_MS)
    }
  }
}

/** A session lock ends with its connection, so a killed process leaves nothing to clean up. */
async function lockFolder(postgres: EmbeddedPostgres, folder: string): Promise<pg.Client> {
  const client = new pg.Client({ ...connectionTo(postgres), connectionTimeoutMillis: ANSWERS_WITHIN_MS })
  // `end` follows, and has a listener.
  client.on('error', () => undefined)
  await client.connect()
  for (let tries = 0; tries < LOCK_TRIES; tries += 1) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [FOLDER_LOCK])
    if (rows[0]?.locked === true) return client
    await sleep(LOCK_RETRY_MS)
  }
  await client.end()
  throw new FolderInUse(folder)
}
