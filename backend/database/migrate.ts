/** Brings the schema up to date: plain SQL files in name order, each in a transaction, one process at a time. */
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration'
import type { Tables } from './tables.ts'

const FOLDER = join(import.meta.dirname, 'migrations')

class SqlFiles implements MigrationProvider {
  async getMigrations(): Promise<Record<string, Migration>> {
    const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).toSorted()
    const migrations = names.map(async (name): Promise<[string, Migration]> => {
      const text = await readFile(join(FOLDER, name), 'utf8')
      return [name.replace(/\.sql$/, ''), { up: async (db) => void (await sql.raw(text).execute(db)) }]
    })
    return Object.fromEntries(await Promise.all(migrations))
  }
}

/** Applies what is missing and answers the names of what it applied. Throws where a step fails; nothing of that step stays. */
export async function migrateToLatest(db: Kysely<Tables>): Promise<string[]> {
  const { error, results } = await new Migrator({ db, provider: new SqlFiles() }).migrateToLatest()
  if (error !== undefined) throw new Error('The database could not be brought up to date.', { cause: error })
  return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName)
}
