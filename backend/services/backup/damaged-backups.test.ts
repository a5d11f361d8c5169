/** A backup that was damaged, cut, made by another program or a newer one is rejected with what is wrong, and changes nothing. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type pg from 'pg'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { connect } from '#backend/platform/database/open.ts'
import { createLog } from '#backend/platform/log.ts'
import { createStorage } from '#backend/core/images/storage.ts'
import { type ArchivePart, readArchive, withEdited, withSums, writeArchive } from '#tests/backup-archive.ts'
import { createDatabase } from '#tests/former-database.ts'
import { startApp } from '#tests/harness.ts'
import { upload } from '#tests/images/upload.ts'
import { buildFixture } from '#tests/personal-data.ts'
import { closeAfterTest } from '#tests/running.ts'
import { restoreBackup } from './restore-backup.ts'
import { writeBackup } from './write-backup.ts'

let folder: string
let file: string
let parts: ArchivePart[]
let image = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'muster-damaged-'))
  closeAfterTest(() => rmSync(folder, { recursive: true, force: true }))
  const app = await startApp()
  await buildFixture(app, 'flimflam')
  // Compression works in blocks of 128 KiB: with several of them, a damage has a place.
  await sql`insert into list_buckets (bucket_minutes, at, sampled, players, servers, players_highest, servers_highest)
    select 5, to_timestamp(n * 300), 5, hashint4(n), n % 977, n % 31, n % 37 from generate_series(1, 10000) n`.execute(app.db)
  image = (await upload(await app.newUser())).url.split('/').at(-1) ?? ''
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(app.db)
  const connection: pg.ClientConfig = { ...(await createDatabase()), database: rows[0]?.name }
  file = join(folder, 'backup.tar.zst')
  await writeBackup({ connection, storage: createStorage(app.env) }, file, () => undefined)
  parts = await readArchive(file)
})

const restore = (connection: pg.ClientConfig, from: string) =>
  restoreBackup({ file: from, connection, storeImage: () => Promise.resolve(), erased: new Set(), onProgress: () => undefined })

const edited = (name: string, change: (text: string) => string) => withEdited(parts, name, change)

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
  ['a flipped bit', flippedBit, /is corrupt in or after (tables\/|images\/|sequences)/],
  ['a changed row', () => edited(USERS, (text) => text.replace('flimflam', 'flimflan')), `${USERS} differs from its checksum`],
  ['a lost part', () => without('tables/list_buckets/000000.copy'), 'tables/list_buckets/000000.copy is missing'],
  [
    'an added part',
    () => withSums([...parts.slice(0, 1), { name: 'tables/supporters/000001.copy', bytes: Buffer.alloc(0) }, ...parts.slice(1)]),
    'not in its place',
  ],
  ['a part of no backup', () => withSums([...parts, { name: 'etc/passwd', bytes: Buffer.alloc(0) }]), 'etc/passwd is not a part'],
  [
    'an image of nobody',
    () => withSums([...parts, { name: `images/${'x'.repeat(24)}.png`, bytes: Buffer.alloc(1) }]),
    'xxxx.png is not a part',
  ],
  ['a part twice', () => parts.flatMap((part) => (part.name === USERS ? [part, part] : [part])), `${USERS} is there twice`],
  ['no checksums', () => without('SHA256SUMS'), 'without SHA256SUMS'],
  ['parts after the checksums', () => [...parts, { name: 'late', bytes: Buffer.alloc(0) }], 'it continues with late after SHA256SUMS'],
  ['no sequences', () => withSums(without('sequences.json')), 'sequences.json is missing'],
  ['a lost image', () => withSums(without(`images/${image}`)), /the image \w+\.png is missing/],
  ['a lost table', () => withSums(edited('manifest.json', lostTable)), 'manifest.json lacks the table users'],
  [
    'a lost column',
    () => withSums(edited('manifest.json', (text) => text.replace('"username",', ''))),
    'has other columns of the table users',
  ],
  ['a manifest of another program', () => withSums(edited('manifest.json', () => '{}')), 'manifest.json is invalid'],
  ['rows without their owner', () => withSums(edited(USERS, () => '')), 'rows that api_keys refers to are missing'],
  ['rows that no table takes', () => withSums(edited(USERS, (text) => `${text}x\n`)), 'the database rejects the rows of users'],
  ['a newer migration', () => withSums(edited('manifest.json', newerMigration)), `is from a newer release, 9.9.9, with schema level 9001`],
  [
    'an edited migration',
    () => withSums(edited('manifest.json', editedMigration)),
    'has a different text of the migration 0001_foundation',
  ],
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
  const db = connect(target, createLog('silent'), 1)
  onTestFinished(() => db.destroy())
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
  expect((await restore(target, file)).rows).toBeGreaterThan(100)
})
