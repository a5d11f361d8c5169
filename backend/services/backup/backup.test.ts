/** A backup of a running program, restored elsewhere. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type pg from 'pg'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { connect } from '#backend/platform/database/open.ts'
import { SCHEMA_LEVEL } from '#backend/platform/database/migration-steps.ts'
import { createLog } from '#backend/platform/log.ts'
import { createStorage } from '#backend/core/images/storage.ts'
import { type ArchivePart, readArchive, withSums, writeArchive } from '#tests/backup-archive.ts'
import { createDatabase } from '#tests/former-database.ts'
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
  // Compression works in blocks of 128 KiB: with several of them, a damage has a place.
  await sql`insert into list_buckets (bucket_minutes, at, sampled, players, servers, players_highest, servers_highest)
    select 5, to_timestamp(n * 300), 5, hashint4(n), n % 977, n % 31, n % 37 from generate_series(1, 10000) n`.execute(app.db)
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
    `${file} exists already. Choose another name: a backup never replaces a file.`,
  )
  const nowhere = join(folder, 'missing', 'backup.tar.zst')
  await expect(writeBackup({ connection, storage: createStorage(app.env) }, nowhere, ignore)).rejects.toThrow(
    `${nowhere} can't be written.`,
  )
  expect(existsSync(`${nowhere}.part`)).toBe(false)
})

test('a failed backup leaves no file', async () => {
  const failing = { open: () => Promise.reject(new Error('the storage is down')) }
  const target = join(folder, 'failing.tar.zst')
  await expect(writeBackup({ connection, storage: failing }, target, ignore)).rejects.toThrow('the storage is down')
  expect([target, `${target}.part`].map(existsSync)).toEqual([false, false])
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
  const extra = { name: 'tables/extra/000000.copy', bytes: Buffer.from('1\n') }
  const manifest = edited('manifest.json', (text) => text.replace('"tables": [', '"tables": [{ "name": "extra", "columns": ["id"] },'))
  const changed = join(folder, 'extra.tar.zst')
  await writeArchive(changed, withSums([...manifest.slice(0, 1), extra, ...manifest.slice(1)]))
  expect(await restore(await createDatabase(), changed)).toMatchObject({ foreignTables: ['extra'] })
})

test('a backup of a former schema is restored, and brought up to date', async () => {
  // The last migration only adds a table, so without both this is a backup from before it.
  const former = edited('manifest.json', (text) => {
    const manifest = JSON.parse(text) as { tables: { name: string }[]; migrations: unknown[] }
    manifest.migrations.pop()
    manifest.tables = manifest.tables.filter(({ name }) => name !== 'erased_users')
    return JSON.stringify(manifest)
  })
  const changed = join(folder, 'former.tar.zst')
  await writeArchive(changed, withSums(former))
  expect(await restore(await createDatabase(), changed)).toMatchObject({ applied: ['0029_erased_users'] })
})

/** The parts with one of them changed. */
function edited(name: string, change: (text: string) => string): ArchivePart[] {
  return parts.map((part) => (part.name === name ? { name, bytes: Buffer.from(change(part.bytes.toString('latin1')), 'latin1') } : part))
}

const without = (name: string) => parts.filter((part) => part.name !== name)
const USERS = 'tables/users/000000.copy'

/** How a good archive is spoiled, and what the sentence says. */
const SPOILED: readonly (readonly [string, () => readonly ArchivePart[] | Buffer, string | RegExp])[] = [
  ['another file', () => Buffer.from('#!/bin/sh\n'), / is not a backup of Muster\./],
  ['an empty file', () => Buffer.alloc(0), 'it is truncated before manifest.json'],
  ['the archive of another program', () => withSums([{ name: 'dump.sql', bytes: Buffer.from('select 1') }]), 'it begins with dump.sql'],
  [
    'a file cut in half',
    () => readFileSync(file).subarray(0, statSync(file).size / 2),
    /is truncated (before manifest|in or after (tables|images)\/)/,
  ],
  ['a file without its last bytes', () => readFileSync(file).subarray(0, -50), /is truncated in or after (SHA256SUMS|images|tables)/],
  ['a flipped bit', flippedBit, /is corrupt in or after tables\/\w+\/000000\.copy/],
  ['a changed row', () => edited(USERS, (text) => text.replace('flimflam', 'flimflan')), `${USERS} differs from its checksum`],
  ['a lost part', () => without('tables/list_buckets/000000.copy'), 'tables/list_buckets/000000.copy is missing'],
  ['an added part', () => [...parts.slice(0, 1), { name: 'tables/supporters/000001.copy', bytes: Buffer.alloc(0) }], 'not in its place'],
  ['a part of no backup', () => withSums([...parts, { name: 'etc/passwd', bytes: Buffer.alloc(0) }]), 'etc/passwd is not a part'],
  ['a part twice', () => parts.flatMap((part) => (part.name === USERS ? [part, part] : [part])), `${USERS} is there twice`],
  ['no checksums', () => without('SHA256SUMS'), 'without SHA256SUMS'],
  ['parts after the checksums', () => [...parts, { name: 'late', bytes: Buffer.alloc(0) }], 'it continues with late after SHA256SUMS'],
  ['no sequences', () => withSums(without('sequences.json')), 'sequences.json is missing'],
  ['a lost image', () => withSums(without(`images/${image}`)), /the image \w+\.png is missing/],
  ['a lost table', () => withSums(edited('manifest.json', lostTable)), 'manifest.json lacks the table users'],
  ['a manifest of another program', () => withSums(edited('manifest.json', () => '{}')), 'manifest.json is invalid'],
  ['rows without their owner', () => withSums(edited(USERS, () => '')), 'rows that api_keys refers to are missing'],
  ['rows that no table takes', () => withSums(edited(USERS, (text) => `${text}x\n`)), 'the database rejects the rows of users'],
  ['a newer migration', () => withSums(edited('manifest.json', newerMigration)), `is from a newer release, 9.9.9, with schema level 9001`],
  ['an edited migration', () => withSums(edited('manifest.json', editedMigration)), 'has another text of the migration 0001_foundation'],
  ['a newer format', () => withSums(edited('manifest.json', (text) => text.replace('_version": 1', '_version": 2'))), 'has version 2'],
]

function flippedBit(): Buffer {
  const bytes = readFileSync(file)
  const middle = Math.floor(bytes.length / 2)
  bytes[middle] = (bytes[middle] ?? 0) ^ 1
  return bytes
}

function lostTable(text: string): string {
  const manifest = JSON.parse(text) as { tables: { name: string }[] }
  return JSON.stringify({ ...manifest, tables: manifest.tables.filter(({ name }) => name !== 'users') })
}

function newerMigration(text: string): string {
  const manifest = JSON.parse(text) as { migrations: unknown[] }
  const migrations = [...manifest.migrations, { name: '9001_later', digest: '' }]
  return JSON.stringify({ ...manifest, release: '9.9.9', schema_level: 9001, migrations })
}

function editedMigration(text: string): string {
  return text.replace(/("name": "0001_foundation",\s+"digest": ")[0-9a-f]/, '$1x')
}

test('a damaged, truncated, foreign or newer file is rejected with the part named, and changes nothing', async () => {
  const target = await createDatabase()
  const db = open(target)
  for (const [index, [what, spoil, sentence]] of SPOILED.entries()) {
    const spoiled = join(folder, `spoiled-${index}.tar.zst`)
    const content = spoil()
    if (Buffer.isBuffer(content)) writeFileSync(spoiled, content)
    else await writeArchive(spoiled, content)
    const failure = await restore(target, spoiled).then(
      () => 'restored',
      (error: unknown) => String(error),
    )
    expect(failure, what).toMatch(sentence)
    expect((await sql`select from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`.execute(db)).rows, what).toEqual(
      [],
    )
  }
  expect((await restore(target)).rows).toBeGreaterThan(100)
})

test('a database that is not empty is rejected', async () => {
  const target = await createDatabase()
  await sql`create table mine (id int)`.execute(open(target))
  await expect(restore(target)).rejects.toThrow('The database is not empty. A restore needs an empty one')
})
