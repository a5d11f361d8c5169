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
 * Applies what is missing and answers the names of what it applied. Throws where a step fails (nothing of that step stays), and where
 * one that ran here was another text then: what the program expects is not what the database has.
 */
export async function migrateToLatest(db: Kysely<Tables>): Promise<string[]> {
  const steps = await readSteps()
  const { error, results } = await new Migrator({ db, provider: providerOf(steps) }).migrateToLatest()
  if (error !== undefined) throw new Error('The database could not be brought up to date.', { cause: error })
  await compareDigests(db, steps)
  return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName)
}

async function compareDigests(db: Kysely<Tables>, steps: ReadonlyMap<string, string>): Promise<void> {
  const digests = [...steps].map(([name, text]) => ({ name, digest: hash('sha256', text) }))
  await db
    .insertInto('migration_digests')
    .values(digests)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const ran = new Map((await db.selectFrom('migration_digests').selectAll().execute()).map(({ name, digest }) => [name, digest]))
  const changed = digests.filter(({ name, digest }) => ran.get(name) !== digest).map(({ name }) => name)
  if (changed.length === 0) return
  throw new Error(
    `The database was made by another version of ${changed.join(', ')} than this program has. Start the version that made it, or begin with an empty database.`,
  )
}
