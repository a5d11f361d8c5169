/** Brings the schema up to date: plain SQL files in name order, each in a transaction, one process at a time. */
import { hash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration'
import type { Tables } from './tables.ts'

const FOLDER = join(import.meta.dirname, 'migrations')

/** The text of each step by its name, in order. */
async function readSteps(): Promise<ReadonlyMap<string, string>> {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).toSorted()
  return new Map(
    await Promise.all(files.map(async (file) => [file.replace(/\.sql$/, ''), await readFile(join(FOLDER, file), 'utf8')] as const)),
  )
}

function providerOf(steps: ReadonlyMap<string, string>): MigrationProvider {
  const migrations = Object.fromEntries(
    [...steps].map(([name, text]): [string, Migration] => [name, { up: async (db) => void (await sql.raw(text).execute(db)) }]),
  )
  return { getMigrations: () => Promise.resolve(migrations) }
}

/**
 * Applies what is missing and answers the names of what it applied. Throws where a step fails (nothing of that step stays), where one that
 * ran here was another text then (what the program expects is not what the database has), and where the database takes no changes.
 */
export async function migrateToLatest(db: Kysely<Tables>): Promise<string[]> {
  await expectWritable(db)
  const steps = await readSteps()
  const { error, results } = await new Migrator({ db, provider: providerOf(steps) }).migrateToLatest()
  if (error !== undefined) throw new Error('The database could not be brought up to date.', { cause: error })
  await compareDigests(db, steps)
  return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName)
}

/** A replica that has not taken over yet has not even the live states: whoever starts us tries again, and until then other nodes answer. */
async function expectWritable(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ is_read_only: boolean }>`
    select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as is_read_only`.execute(db)
  if (rows[0]?.is_read_only === true)
    throw new Error(
      'The database takes no changes: it is set to read-only, or a replica that has not taken over. Start Muster again when it does, or let DATABASE_URL name one that does.',
    )
}

async function readDigests(db: Kysely<Tables>): Promise<ReadonlyMap<string, string>> {
  return new Map((await db.selectFrom('migration_digests').selectAll().execute()).map(({ name, digest }) => [name, digest]))
}

async function compareDigests(db: Kysely<Tables>, steps: ReadonlyMap<string, string>): Promise<void> {
  const digests = [...steps].map(([name, text]) => ({ name, digest: hash('sha256', text) }))
  let ran = await readDigests(db)
  const missing = digests.filter(({ name }) => !ran.has(name))
  if (missing.length > 0) {
    await db
      .insertInto('migration_digests')
      .values(missing)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    // Another program may have been first.
    ran = await readDigests(db)
  }
  const changed = digests.filter(({ name, digest }) => ran.get(name) !== digest).map(({ name }) => name)
  if (changed.length === 0) return
  throw new Error(
    `The database was made by another version of ${changed.join(', ')} than this program has. Start the version that made it, or begin with an empty database.`,
  )
}
