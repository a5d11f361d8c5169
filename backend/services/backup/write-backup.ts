/** Backs up a running Muster: the rows of one snapshot of the database, then the images that they name. */
import { buffer } from 'node:stream/consumers'
import type pg from 'pg'
import { MIGRATION_LOCK } from '#backend/platform/database/migrate.ts'
import { levelOf } from '#backend/platform/database/migration-steps.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { sql } from 'kysely'
import { RELEASE } from '#backend/platform/version.ts'
import type { ImageStorage } from '#backend/core/images/storage.ts'
import { MANIFEST, MISSING_IMAGES, type Manifest, SEQUENCES, type TableInBackup, imagePart, newManifest, tablePart } from './archive.ts'
import { ArchiveWriter } from './archive-writer.ts'
import { isSentence, openConnection } from './connection.ts'
import { copyOut, listTables, split } from './copy-tables.ts'

/** A part is in memory as a whole. */
const TABLE_PART_BYTES = 8 * 1024 * 1024
/** A bucket answers slowly, but many requests at once. */
const IMAGES_AT_ONCE = 8

export interface BackupSummary {
  readonly tables: number
  readonly images: number
  /** Files that the database names and the storage doesn't have. */
  readonly missingImages: readonly string[]
}

interface Source {
  readonly connection: pg.ClientConfig
  readonly storage: Pick<ImageStorage, 'open'>
}

/** Throws a sentence, and leaves no file, if anything can't be read or written. @param onProgress what is being written now. */
export async function writeBackup(
  { connection, storage }: Source,
  file: string,
  onProgress: (text: string) => void,
): Promise<BackupSummary> {
  const created = new Date()
  const archive = new ArchiveWriter(file, created)
  try {
    const { tables, images } = await addTables(connection, archive, created, onProgress)
    const missingImages = await addImages(storage, archive, images, onProgress)
    // Such as a folder that is not mounted. Without this, such backups would replace the good ones.
    if (images.length > 0 && missingImages.length === images.length)
      throw new Error(`None of the ${images.length} images is in the storage. Correct IMAGES_URL, or DATA_DIR and its folder images.`)
    await archive.finish()
    return { tables, images: images.length - missingImages.length, missingImages }
  } catch (error) {
    await archive.discard()
    throw isSentence(error) ? error : new Error('The backup failed.', { cause: error })
  }
}

/** Returns the files of the images that the snapshot names. */
async function addTables(
  config: pg.ClientConfig,
  archive: ArchiveWriter,
  created: Date,
  onProgress: (text: string) => void,
): Promise<{ tables: number; images: readonly string[] }> {
  const { client, db, close } = await openConnection(config)
  try {
    // A migration would wait for these tables, and everything else for the migration. So it waits before it locks any.
    await client.query('select pg_advisory_lock_shared($1)', [MIGRATION_LOCK])
    await client.query('begin isolation level repeatable read read only')
    const tables = await listTables(client)
    if (!tables.some(({ name }) => name === 'users'))
      throw new Error('There is no Muster in this database. Correct DATA_DIR or DATABASE_URL, or start Muster once.')
    await archive.add(MANIFEST, jsonOf(await describe(db, created, tables)))
    for (const table of tables) {
      onProgress(table.name)
      await addTable(client, archive, table)
    }
    // After the rows: a sequence is never behind them.
    const { rows: sequences } = await sql<{ name: string; last: string | null }>`
      select sequencename as name, last_value::text as last from pg_sequences where schemaname = current_schema()`.execute(db)
    await archive.add(SEQUENCES, jsonOf(Object.fromEntries(sequences.map(({ name, last }) => [name, last]))))
    const images = await db.selectFrom('images').select('file').distinct().orderBy('file').execute()
    return { tables: tables.length, images: images.map((image) => image.file) }
  } finally {
    await close()
  }
}

async function addTable(client: pg.Client, archive: ArchiveWriter, table: TableInBackup): Promise<void> {
  let index = 0
  try {
    for await (const bytes of split(copyOut(client, table), TABLE_PART_BYTES)) await archive.add(tablePart(table.name, index++), bytes)
  } catch (error) {
    throw isSentence(error) ? error : new Error(`The table ${table.name} can't be read.`, { cause: error })
  }
}

async function describe(db: Db, created: Date, tables: Manifest['tables']): Promise<Manifest> {
  const migrations = await db.selectFrom('schema_migrations').select(['name', 'digest']).orderBy('name').execute()
  return newManifest({
    release: RELEASE,
    schema_level: Math.max(...migrations.map(({ name }) => levelOf(name))),
    created_at: created.toISOString(),
    migrations,
    tables,
  })
}

/** Returns the missing ones. A file is deleted an hour after its last row, so within an hour those of the snapshot are there. */
async function addImages(
  storage: Source['storage'],
  archive: ArchiveWriter,
  files: readonly string[],
  onProgress: (text: string) => void,
): Promise<string[]> {
  const missing: string[] = []
  for (let first = 0; first < files.length; first += IMAGES_AT_ONCE) {
    onProgress(`image ${first + 1} of ${files.length}`)
    const batch = files.slice(first, first + IMAGES_AT_ONCE)
    const contents = await Promise.all(batch.map((file) => readImage(storage, file)))
    for (const [index, file] of batch.entries()) {
      const bytes = contents[index]
      if (bytes === undefined) missing.push(file)
      else await archive.add(imagePart(file), bytes)
    }
  }
  if (missing.length > 0) await archive.add(MISSING_IMAGES, Buffer.from(missing.map((file) => `${file}\n`).join('')))
  return missing
}

export async function readImage(storage: Source['storage'], file: string): Promise<Buffer | undefined> {
  const stored = await storage.open(file)
  return stored === undefined ? undefined : await buffer(stored.body)
}

const jsonOf = (value: unknown) => Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`)
