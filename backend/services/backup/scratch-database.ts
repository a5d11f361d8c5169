/** A database to restore into, which is deleted afterwards. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as pg from 'pg'
import { connectionTo } from '#backend/platform/database/embedded-host.ts'
import { runningEmbeddedPostgres, startEmbeddedPostgres } from '#backend/platform/database/embedded-postgres.ts'
import { isEmbeddedInstalled } from '#backend/platform/database/embedded-programs.ts'
import { isAlive } from '#backend/platform/database/postmaster-file.ts'
import type { Env } from '#backend/platform/env.ts'
import { onStopSignal } from '#backend/platform/stop-signals.ts'

/** Followed by the ID of the process that verifies. */
const FOLDER = 'muster-verify-'
const DATABASE = 'muster_verify_'
/** Of Postgres: insufficient_privilege. */
const NOT_ALLOWED = '42501'

interface ScratchDatabase {
  readonly connection: pg.ClientConfig
  readonly remove: () => Promise<void>
}

/** An embedded Postgres of its own. The image has none, so there it is another database on the server of DATABASE_URL. */
export async function withScratchDatabase<T>(
  { DATABASE_URL }: Pick<Env, 'DATABASE_URL'>,
  act: (connection: pg.ClientConfig) => Promise<T>,
  hasEmbedded = isEmbeddedInstalled(),
): Promise<T> {
  const creating = DATABASE_URL !== undefined && !hasEmbedded ? createOnServer(DATABASE_URL) : createEmbedded()
  // Also if the signal arrives while it is created.
  const forgetSignals = onStopSignal(() => {
    void creating.then(({ remove }) => remove()).finally(() => process.exit(1))
  })
  try {
    const { connection, remove } = await creating
    try {
      return await act(connection)
    } finally {
      await remove()
    }
  } finally {
    forgetSignals()
  }
}

async function createEmbedded(): Promise<ScratchDatabase> {
  await removeAbandonedFolders()
  let folder: string | undefined
  try {
    folder = mkdtempSync(join(tmpdir(), `${FOLDER}${process.pid}-`))
    const created = folder
    const postgres = await startEmbeddedPostgres(created)
    return { connection: connectionTo(postgres), remove: () => postgres.stop().then(() => removeFolder(created)) }
  } catch (error) {
    if (folder !== undefined) await removeFolder(folder)
    throw new Error(`The scratch database could not be created in ${tmpdir()}. Set TMPDIR to another folder.`, { cause: error })
  }
}

const removeFolder = (folder: string) => rm(folder, { recursive: true, force: true })

/** A killed process leaves its folder, and its Postgres running. */
async function removeAbandonedFolders(): Promise<void> {
  if (!existsSync(tmpdir())) return
  for (const name of readdirSync(tmpdir())) {
    const owner = new RegExp(`^${FOLDER}(\\d+)-`).exec(name)?.[1]
    if (owner === undefined || isAlive(Number(owner))) continue
    const folder = join(tmpdir(), name)
    if (runningEmbeddedPostgres(folder) !== undefined) await (await startEmbeddedPostgres(folder)).stop()
    await removeFolder(folder)
  }
}

async function createOnServer(url: string): Promise<ScratchDatabase> {
  const name = `${DATABASE}${randomBytes(6).toString('hex')}`
  const drop = (each: string) => `drop database if exists ${each} with (force)`
  const connection = await onServer(url, async (client) => {
    // Of killed processes: one that verifies is always connected.
    const { rows } = await client.query<{ datname: string }>(
      `select datname from pg_database d where datname ~ '^${DATABASE}[0-9a-f]+$'
         and not exists (select from pg_stat_activity a where a.datname = d.datname)`,
    )
    for (const { datname } of rows) await client.query(drop(datname))
    await client.query(`create database ${name} encoding 'UTF8' template template0`).catch((error: unknown) => {
      const isNotAllowed = (error as { code?: string }).code === NOT_ALLOWED
      const remedy = isNotAllowed ? ' Run "alter role USER createdb" for the user of DATABASE_URL.' : ''
      throw new Error(`The scratch database could not be created.${remedy}`, { cause: error })
    })
    const { host, port, user, password, ssl } = client
    return { host, port, user, password, ssl, database: name }
  })
  return { connection, remove: () => onServer(url, (client) => client.query(drop(name))).then(() => undefined) }
}

async function onServer<T>(url: string, act: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'muster backup' })
  // The statement that waits for an answer reports it.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await act(client)
  } finally {
    await client.end()
  }
}
