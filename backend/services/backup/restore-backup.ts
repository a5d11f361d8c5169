/**
 * Restores a backup into an empty database, in one transaction: the schema of the backup, its rows, a comparison of both, the migrations
 * since then, and the erasures since then. Anything wrong with the file rolls it back.
 */
import { sql } from 'kysely'
import type pg from 'pg'
import { applySteps, lockMigrations } from '#backend/platform/database/migrate.ts'
import { MIGRATIONS, type MigrationStep, SCHEMA_LEVEL, readSteps } from '#backend/platform/database/migration-steps.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { type Manifest, parseManifest } from './archive.ts'
import { type Part, checkArchive, readParts, unknownPart } from './archive-reader.ts'
import { type Connection, isSentence, openConnection } from './connection.ts'
import { replayErasures } from './erasure-ledger.ts'
import { RestoredImages } from './restored-images.ts'
import { RestoredRows } from './restored-rows.ts'

export interface RestoreSummary {
  readonly manifest: Manifest
  readonly rows: number
  /** Tables of the backup that are not Muster's. They are not restored. */
  readonly foreignTables: readonly string[]
  readonly images: number
  /** Images that the storage didn't have when the backup was made. */
  readonly missingImages: number
  /** Migrations since the backup. */
  readonly applied: readonly string[]
  readonly erasedAgain: number
}

export interface RestoreOptions {
  readonly file: string
  readonly connection: pg.ClientConfig
  /** Stores an image, and throws if it can't be read back. The archive is whole then, and the database names the image. */
  storeImage(file: string, bytes: Buffer): Promise<void>
  /** Digests of users to erase again. */
  readonly erased: ReadonlySet<string>
  /** What is being restored now. */
  onProgress(text: string): void
}

/** Throws a sentence, and leaves the database empty, if the file is damaged, of another program or newer, or the database is not empty. */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreSummary> {
  options.onProgress('checking the file')
  await checkArchive(options.file)
  const connection = await openConnection(options.connection)
  try {
    return await transaction(connection.db, (trx) => restoreIn(connection, trx, options))
  } catch (error) {
    throw isSentence(error) ? error : new Error(`${options.file} can't be restored.`, { cause: error })
  } finally {
    await connection.close()
  }
}

async function restoreIn(connection: Connection, trx: Db, options: RestoreOptions): Promise<RestoreSummary> {
  let restored: Restored | undefined
  try {
    for await (const part of readParts(options.file)) {
      // The first part is always the manifest.
      if (restored === undefined) restored = await begin(connection, trx, options, part)
      else if (!(await restored.rows.take(part))) {
        restored.rows.expectFinished()
        if (!(await restored.images.take(part))) throw unknownPart(options.file, part)
      }
    }
  } finally {
    await restored?.rows.abort()
  }
  if (restored === undefined) throw new Error(`${options.file} is empty.`)
  const { manifest, rows, images, later } = restored
  rows.expectFinished()
  await images.compare()
  await applySteps(trx, later)
  const erasedAgain = await replayErasures(trx, options.erased)
  // Without statistics, the first statements would be slow.
  await sql`analyze`.execute(trx)
  return {
    manifest,
    rows: rows.count,
    foreignTables: rows.foreignTables,
    images: images.stored.size,
    missingImages: images.missing.size,
    applied: later.map(({ name }) => name),
    erasedAgain,
  }
}

interface Restored {
  readonly manifest: Manifest
  readonly rows: RestoredRows
  readonly images: RestoredImages
  /** The migrations since the backup. */
  readonly later: readonly MigrationStep[]
}

/** Creates the schema of the backup. */
async function begin({ client }: Connection, trx: Db, options: RestoreOptions, first: Part): Promise<Restored> {
  const manifest = parseManifest(options.file, first.bytes)
  const { former, later } = await splitSteps(options.file, manifest)
  await lockMigrations(trx)
  await expectEmpty(trx)
  await applySteps(trx, former)
  const rows = await RestoredRows.begin(client, trx, manifest, options)
  return { manifest, rows, images: new RestoredImages(trx, options), later }
}

/** The migrations that the backup has, and those since then. Throws a sentence if this program doesn't know all that it has. */
async function splitSteps(file: string, { migrations, release, schema_level: level }: Manifest) {
  const steps = await readSteps(MIGRATIONS)
  const known = new Map(steps.map((step) => [step.name, step]))
  const unknown = migrations.find(({ name }) => !known.has(name))
  if (unknown !== undefined)
    throw new Error(
      `${file} is from a newer release, ${release}, with schema level ${level}. This program has level ${SCHEMA_LEVEL}. Restore it with that release or a newer one.`,
    )
  const edited = migrations.find(({ name, digest }) => known.get(name)?.digest !== digest)
  if (edited !== undefined)
    throw new Error(`${file} has a different text of the migration ${edited.name} than this program. Restore it with release ${release}.`)
  const isFormer = ({ name }: MigrationStep) => migrations.some((migration) => migration.name === name)
  return { former: steps.filter(isFormer), later: steps.filter((step) => !isFormer(step)) }
}

async function expectEmpty(db: Db): Promise<void> {
  const { rows } = await sql<{ has_tables: boolean }>`
    select exists (select from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')) as has_tables`.execute(
    db,
  )
  if (rows[0]?.has_tables === true)
    throw new Error(
      'The database is not empty. A restore needs an empty one: choose another DATA_DIR, or another database in DATABASE_URL.',
    )
}
