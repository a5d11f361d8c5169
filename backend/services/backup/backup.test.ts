/** A backup of a running program, restored elsewhere. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { listMissingSteps } from '#backend/platform/database/migrate.ts'
import { connect } from '#backend/platform/database/open.ts'
import { SCHEMA_LEVEL } from '#backend/platform/database/migration-steps.ts'
import { createLog } from '#backend/platform/log.ts'
import { createStorage } from '#backend/core/images/storage.ts'
import { type ArchivePart, readArchive, withEdited, withSums, writeArchive } from '#tests/backup-archive.ts'
import { createDatabase, formerDatabase } from '#tests/former-database.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { upload } from '#tests/images/upload.ts'
import { allTables, buildFixture, tablesWith } from '#tests/personal-data.ts'
import { closeAfterTest } from '#tests/running.ts'
import { restoreBackup } from './restore-backup.ts'
import { verifyBackup } from './verify-backup.ts'
import { writeBackup } from './write-backup.ts'

let app: TestApp
let connection: pg.ClientConfig
let folder: string
let file: string
let parts: ArchivePart[]
let image = ''
/** Of each table, as text, when the backup was made. */
let sourceRows: ReadonlyMap<string, readonly string[]>
let sourceSequences: unknown
let fixture: Awaited<ReturnType<typeof buildFixture>>

/** They describe the database or its nodes. */
const OWN_TABLES = ['nodes', 'leases', 'schema_migrations', 'migration_digests']
const sequences = sql`select sequencename, last_value from pg_sequences order by 1`
const ignore = () => undefined
const storeNothing = () => Promise.resolve()

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'muster-backup-'))
  closeAfterTest(() => rmSync(folder, { recursive: true, force: true }))
  app = await startApp()
  fixture = await buildFixture(app, 'flimflam')
  image = (await upload(await app.newUser())).url.split('/').at(-1) ?? ''
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(app.db)
  connection = { ...(await createDatabase()), database: rows[0]?.name }
  file = join(folder, 'backup.tar.zst')
  // While the program is stopped nothing changes, so that the restored rows can be compared with these.
  await app.restart(async () => {
    await writeBackup({ connection, storage: createStorage(app.env) }, file, ignore)
    sourceSequences = (await sequences.execute(app.db)).rows
    const tables = (await allTables(app)).filter((name) => !OWN_TABLES.includes(name))
    sourceRows = new Map(await Promise.all(tables.map(async (table) => [table, await rowsOf(app.db, table)] as const)))
  })
  parts = await readArchive(file)
})

const restore = (target: pg.ClientConfig, from = file, more: Partial<Parameters<typeof restoreBackup>[0]> = {}) =>
  restoreBackup({ file: from, connection: target, storeImage: storeNothing, erased: new Set(), onProgress: ignore, ...more })

/** Queries a database without a program. */
function open(target: pg.ClientConfig) {
  const db = connect(target, createLog('silent'), 1)
  onTestFinished(() => db.destroy())
  return db
}

async function rowsOf(db: TestApp['db'], table: string): Promise<string[]> {
  const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(table)} t order by 1`.execute(db)
  return rows.map(({ row }) => row)
}

test('every row of every table, every sequence and every image is restored', async () => {
  const target = await createDatabase()
  const images = new Map<string, Buffer>()
  const summary = await restore(target, file, { storeImage: async (name, bytes) => void images.set(name, bytes) })
  const db = open(target)
  for (const [table, rows] of sourceRows) expect(await rowsOf(db, table), table).toEqual(rows)
  const total = [...sourceRows.values()].flat().length
  expect(summary).toMatchObject({ rows: total, applied: [], erasedAgain: 0, foreignTables: [] })
  expect((await sequences.execute(db)).rows).toEqual(sourceSequences)
  expect([...images.keys()]).toEqual([image])
  expect(images.get(image)?.length).toBe(statSync(join(app.env.DATA_DIR, 'images', image.slice(0, 2), image)).size)
})

test('the restored schema is the one that migrations create, with its triggers and references', async () => {
  const target = await createDatabase()
  await restore(target)
  const shape = sql`
    select conrelid::regclass::text as "table", conname, pg_get_constraintdef(oid) as definition from pg_constraint
      where connamespace = 'public'::regnamespace
    union all select tgrelid::regclass::text, tgname, tgenabled::text from pg_trigger where not tgisinternal
    union all select tablename, indexname, indexdef from pg_indexes where schemaname = 'public' order by 1, 2, 3`
  expect((await shape.execute(open(target))).rows).toEqual((await shape.execute(app.db)).rows)
})

test('an image without a file is reported, and does not stop the backup or the restore', async () => {
  const listed = parts.find(({ name }) => name === 'missing-images.txt')?.bytes.toString()
  expect(listed).toMatch(/^[0-9a-f-]{36}\.png\n[0-9a-f-]{36}\.png\n$/)
  expect(await restore(await createDatabase())).toMatchObject({ images: 1, missingImages: 2 })
})

test('a backup contains secrets, so only its owner can read it, and it never replaces a file', async () => {
  expect(statSync(file).mode & 0o777).toBe(0o600)
  await expect(writeBackup({ connection, storage: createStorage(app.env) }, file, ignore)).rejects.toThrow(
    `${file} already exists. Choose another name: a backup never replaces a file.`,
  )
  const nowhere = join(folder, 'missing', 'backup.tar.zst')
  await expect(writeBackup({ connection, storage: createStorage(app.env) }, nowhere, ignore)).rejects.toThrow(
    `${nowhere} can't be written.`,
  )
})

test('a failed backup leaves no file', async () => {
  const failing = { open: () => Promise.reject(new Error('the storage is down')) }
  const target = join(folder, 'failing.tar.zst')
  await expect(writeBackup({ connection, storage: failing }, target, ignore)).rejects.toThrow('the storage is down')
  expect(readdirSync(folder).filter((name) => name.startsWith('failing'))).toEqual([])
})

test('a backup without any image is rejected: their folder may not be mounted', async () => {
  const empty = { open: () => Promise.resolve(undefined) }
  await expect(writeBackup({ connection, storage: empty }, join(folder, 'unmounted.tar.zst'), ignore)).rejects.toThrow(
    'None of the 3 images is in the storage. Correct IMAGES_URL, or DATA_DIR and its folder images.',
  )
})

test('a database without Muster is rejected', async () => {
  const source = { connection: await createDatabase(), storage: createStorage(app.env) }
  await expect(writeBackup(source, join(folder, 'empty.tar.zst'), ignore)).rejects.toThrow('There is no Muster in this database.')
})

test('an installation in another schema than public is backed up and restored there', async () => {
  const [from, to] = [await createDatabase(), await createDatabase()]
  for (const { database } of [from, to]) {
    const db = open({ ...connection, database })
    await sql`create schema elsewhere`.execute(db)
    await sql`alter database ${sql.ref(database ?? '')} set search_path = elsewhere, public`.execute(db)
  }
  await restore(from)
  const source = open(from)
  await sql`create table public.users (name text)`.execute(source)
  const onlyOne = {
    open: (name: string) => Promise.resolve(name === image ? { bytes: 1, body: Readable.from([Buffer.from('x')]) } : undefined),
  }
  const other = join(folder, 'schema.tar.zst')
  await writeBackup({ connection: from, storage: onlyOne }, other, ignore)
  const target = open(to)
  expect((await restore(to, other)).rows).toBe([...sourceRows.values()].flat().length)
  expect((await sequences.execute(target)).rows).toEqual((await sequences.execute(source)).rows)
})

test('one of two backups to the same file wins, and the other is rejected', async () => {
  const shared = join(folder, 'shared.tar.zst')
  const write = () => writeBackup({ connection, storage: createStorage(app.env) }, shared, ignore)
  const [first, second] = await Promise.allSettled([write(), write()])
  expect([first.status, second.status].toSorted()).toEqual(['fulfilled', 'rejected'])
  expect((await restore(await createDatabase(), shared)).rows).toBeGreaterThan(100)
})

test('users who were erased since the backup are erased again, without a trace', async () => {
  const target = await createDatabase()
  const { rows } = await sql<{ digest: string }>`
    select encode(sha256(convert_to(id::text, 'UTF8')), 'hex') as digest from users where id = ${fixture.user.id}`.execute(app.db)
  const erased = new Set([...rows.map(({ digest }) => digest), '0'.repeat(64)])
  expect(await restore(target, file, { erased })).toMatchObject({ erasedAgain: 1 })
  const db = open(target)
  const restored = { ...app, db }
  expect(await tablesWith(restored, fixture.user.id)).toEqual([])
  for (const address of ['127.0.0.77', '127.0.0.79']) expect(await tablesWith(restored, address)).toEqual([])
  expect(await rowsOf(db, 'erased_users')).toHaveLength(1)
  expect(await db.selectFrom('users').select('id').execute()).toHaveLength((await rowsOf(app.db, 'users')).length - 1)
})

test('without an embedded Postgres, a backup is verified in another database of the same server, which is deleted', async () => {
  const { host, database } = connection
  const DATABASE_URL = `postgres://postgres@/${database}?host=${encodeURIComponent(host ?? '')}`
  const names = sql<{ name: string }>`select datname as name from pg_database where datname like 'muster_verify_%'`
  const { manifest, rows } = await verifyBackup({ DATABASE_URL }, file, ignore, false)
  expect(manifest.schema_level).toBe(SCHEMA_LEVEL)
  expect(rows).toBeGreaterThan(100)
  expect((await names.execute(app.db)).rows).toEqual([])
})

test('a table that someone added to the database is left out and named', async () => {
  const extra = { name: 'tables/extra%20%22notes%22/000000.copy', bytes: Buffer.from('1\n') }
  const manifest = withEdited(parts, 'manifest.json', (text) =>
    text.replace('"tables": [', '"tables": [{ "name": "extra \\"notes\\"", "columns": ["id"] },'),
  )
  const changed = join(folder, 'extra.tar.zst')
  await writeArchive(changed, withSums([...manifest.slice(0, 1), extra, ...manifest.slice(1)]))
  expect(await restore(await createDatabase(), changed)).toMatchObject({ foreignTables: ['extra "notes"'] })
})

test('a backup of a former schema is restored, and brought up to date', async () => {
  const former = await formerDatabase(28)
  await former.db.insertInto('users').values({ id: uuidv7(), discord_id: '1', username: 'former', avatar: null }).execute()
  const old = join(folder, 'former.tar.zst')
  await writeBackup({ connection: former.connection, storage: createStorage(app.env) }, old, ignore)
  const target = await createDatabase()
  const { manifest, applied } = await restore(target, old)
  expect([manifest.schema_level, applied.slice(0, 2)]).toEqual([28, ['0029_erased_users', '0030_identities']])
  expect(await open(target).selectFrom('users').select('username').execute()).toEqual([{ username: 'former' }])
  expect(await listMissingSteps(open(target))).toEqual([])
})

test('a database that is not empty is rejected', async () => {
  const target = await createDatabase()
  await sql`create table mine (id int)`.execute(open(target))
  await expect(restore(target)).rejects.toThrow('The database is not empty. A restore needs an empty one')
})
