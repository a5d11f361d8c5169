/** Databases of every released version migrate and keep their rows. */
import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { appendFileSync, cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterEach, describe, expect, test } from 'vitest'
import { createDatabase, formerDatabase, stepsUpTo } from '#tests/former-database.ts'
import { createLog } from '#backend/platform/log.ts'
import { migrateToLatest } from './migrate.ts'
import { MIGRATIONS, SCHEMA_LEVEL, levelOf } from './migration-steps.ts'
import { type Db, connect } from './open.ts'

/** All steps, in order. */
const NAMES = readdirSync(MIGRATIONS)
  .flatMap((file) => /^(\d{4}_.*)\.sql$/.exec(file)?.[1] ?? [])
  .toSorted()

async function emptyDatabase(): Promise<Db> {
  return (await newEmptyDatabase())()
}

/** Returns a function that connects to it. */
async function newEmptyDatabase(): Promise<() => Db> {
  const connection = await createDatabase()
  return () => connect({ ...connection, idleTimeoutMillis: 200 }, createLog('silent'), 2)
}

/** Creates the schema of the first release, with its record. */
async function createFirstReleaseSchema(db: Db): Promise<void> {
  await sql.raw(readFileSync(join(import.meta.dirname, 'migrations/0001_foundation.sql'), 'utf8')).execute(db)
  await sql`create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(db)
  await sql`insert into kysely_migration values ('0001_foundation', '2026-11-20T00:00:00.000Z')`.execute(db)
}

test('a database of the first release keeps users, sessions, grants and servers', async () => {
  const db = await emptyDatabase()
  await createFirstReleaseSchema(db)
  const id = '0198c000-0000-7000-8000-000000000001'
  await sql`insert into users (id, discord_id, username, delete_at) values (${id}, '1', 'alice', now())`.execute(db)
  await sql`insert into sessions (id_hash, user_id, expires_at) values ('\\x00', ${id}, now())`.execute(db)
  await sql`insert into benefit_grants (user_id, key) values (${id}, 'ADMIN')`.execute(db)
  await sql`insert into servers (public_id, owner_id, name, name_key) values ('Aaaaaaa', ${id}, 'One', 'one')`.execute(db)
  expect(await migrateToLatest(db)).toEqual(NAMES.slice(1))
  const user = await db.selectFrom('users').selectAll().executeTakeFirstOrThrow()
  expect(user).toMatchObject({ id, username: 'alice', signed_in_at: user.updated_at })
  for (const table of ['sessions', 'benefit_grants', 'servers'] as const)
    expect(await db.selectFrom(table).selectAll().execute()).toHaveLength(1)
  expect(await migrateToLatest(db)).toEqual([])
  await db.destroy()
})

test('rows that a program of each level has written are kept', async () => {
  const { db } = await formerDatabase(0)
  const levels = NAMES.map(levelOf)
  for (const level of levels) {
    await migrateToLatest(db, stepsUpTo(level))
    const id = (kind: number) => `0198c000-0000-7000-8000-0000000${kind}${String(level).padStart(4, '0')}`
    const publicId = `Aaa${String(level).padStart(4, '0')}`
    await sql`insert into users (id, discord_id, username) values (${id(1)}, ${level}::text, ${`user${level}`})`.execute(db)
    await sql`insert into sessions (id_hash, user_id, expires_at) values (${Buffer.from([level])}, ${id(1)}, now())`.execute(db)
    await sql`insert into servers (public_id, owner_id, name, name_key) values (${publicId}, ${id(1)}, ${publicId}, ${publicId})`.execute(
      db,
    )
    await sql`insert into credentials (id, server_id, hash, hint) values (${id(2)}, ${publicId}, ${Buffer.from([level])}, 'hint')`.execute(
      db,
    )
  }
  expect(await migrateToLatest(db)).toEqual([])
  const { rows } = await sql<{ username: string }>`
    select username from users join sessions on user_id = users.id join servers on owner_id = users.id
    join credentials on server_id = public_id and credentials.hash = id_hash order by discord_id::int`.execute(db)
  expect(rows.map(({ username }) => username)).toEqual(levels.map((level) => `user${level}`))
})

test('rejects a step that was edited after it ran, and names it', async () => {
  const db = await emptyDatabase()
  await migrateToLatest(db)
  await sql`update schema_migrations set digest = 'another' where name = '0002_sharing'`.execute(db)
  await expect(migrateToLatest(db)).rejects.toThrow(/different text of 0002_sharing than this program/)
  await db.destroy()
})

describe('a database of a version up to 1.3.0', () => {
  const STEPS_OF_1_3_0 = ['0001_foundation', '0002_sharing', '0003_benefits', '0004_administration', '0005_scale']

  async function formerDatabase(): Promise<Db> {
    const db = await emptyDatabase()
    const texts = STEPS_OF_1_3_0.map((name) => readFileSync(join(MIGRATIONS, `${name}.sql`), 'utf8'))
    await sql`create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(db)
    for (const text of texts) await sql.raw(text).execute(db)
    for (const [index, name] of STEPS_OF_1_3_0.entries()) {
      await sql`insert into kysely_migration values (${name}, '2026-11-22T00:00:00.000Z')`.execute(db)
      await sql`insert into migration_digests values (${name}, ${hash('sha256', texts[index] ?? '')})`.execute(db)
    }
    return db
  }

  /** All columns, constraints and indexes, sorted. */
  async function schemaOf(db: Db): Promise<unknown> {
    const columns = await sql`
      select table_name, column_name, ordinal_position, data_type, udt_name, is_nullable, column_default from information_schema.columns
      where table_schema = 'public' and table_name <> 'kysely_migration' order by 1, 2`.execute(db)
    const constraints = await sql`
      select conrelid::regclass::text as of_table, conname, pg_get_constraintdef(oid) as definition from pg_constraint
      where connamespace = 'public'::regnamespace and conrelid::regclass::text <> 'kysely_migration' order by 1, 2`.execute(db)
    const indexes = await sql`
      select indexdef from pg_indexes where schemaname = 'public' and tablename <> 'kysely_migration' order by 1`.execute(db)
    return { columns: columns.rows, constraints: constraints.rows, indexes: indexes.rows }
  }

  async function freshSchema(): Promise<unknown> {
    const db = await emptyDatabase()
    await migrateToLatest(db)
    const schema = await schemaOf(db)
    await db.destroy()
    return schema
  }

  test('gets the schema of a new database, keeps users and servers, and no longer starts with its own version', async () => {
    const db = await formerDatabase()
    const id = '0198c000-0000-7000-8000-000000000001'
    await sql`insert into users (id, discord_id, username, signed_in_at) values (${id}, '1', 'alice', now())`.execute(db)
    await sql`insert into servers (public_id, owner_id, name, name_key) values ('Aaaaaaa', ${id}, 'One', 'one')`.execute(db)
    await migrateToLatest(db)
    expect(await schemaOf(db)).toEqual(await freshSchema())
    expect(await db.selectFrom('servers').select('name').execute()).toEqual([{ name: 'One' }])
    // Version 1.3.0 makes this call at its start, with five steps.
    const own = Object.fromEntries(STEPS_OF_1_3_0.map((name) => [name, { up: () => Promise.resolve() }]))
    const { error } = await new Migrator({ db, provider: { getMigrations: () => Promise.resolve(own) } }).migrateToLatest()
    expect(error).toMatchObject({ message: 'corrupted migrations: previously executed migration 0008_plain_names is missing' })
    expect(await migrateToLatest(db)).toEqual([])
    await db.destroy()
  })

  test('rejects an unknown step and changes nothing', async () => {
    const db = await formerDatabase()
    await sql`insert into kysely_migration values ('9999_unknown', '2026-11-22T00:00:00.000Z')`.execute(db)
    await expect(migrateToLatest(db)).rejects.toThrow(/no version of Muster contains: 9999_unknown/)
    const { rows } = await sql<{ is_present: boolean }>`select to_regclass('schema_migrations') is not null as is_present`.execute(db)
    expect(rows).toEqual([{ is_present: false }])
    await db.destroy()
  })
})

describe('two programs on one database', () => {
  const folders: string[] = []
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  })

  /** The folder of a later program: the current steps and one more. */
  function laterSteps(step: string): string {
    const folder = mkdtempSync(join(tmpdir(), 'muster-steps-'))
    folders.push(folder)
    cpSync(MIGRATIONS, folder, { recursive: true })
    writeFileSync(join(folder, '9001_later.sql'), step)
    return folder
  }

  test('the older program starts after a compatible step', async () => {
    const db = await emptyDatabase()
    const later = laterSteps(
      `-- compatible-with-level: ${SCHEMA_LEVEL}\nalter table all_servers add column motto text not null default '';\n`,
    )
    await migrateToLatest(db)
    expect(await migrateToLatest(db, later)).toEqual(['9001_later'])
    expect(await migrateToLatest(db)).toEqual([])
    expect(await migrateToLatest(db, later)).toEqual([])
    await db.destroy()
  })

  test('the older program rejects an incompatible step, names the level it needs, and changes nothing', async () => {
    const db = await emptyDatabase()
    const later = laterSteps(`-- compatible-with-level: ${SCHEMA_LEVEL + 1}\nalter table servers rename column name to title;\n`)
    await migrateToLatest(db)
    await migrateToLatest(db, later)
    await expect(migrateToLatest(db)).rejects.toThrow(
      `The database needs a program with schema level ${SCHEMA_LEVEL + 1} or higher; this one has ${SCHEMA_LEVEL}.`,
    )
    expect(await migrateToLatest(db, later)).toEqual([])
    await db.destroy()
  })

  test.each([
    ['no level', ''],
    ['a version', '-- compatible-with: 1.3\n'],
    ['a level above its own', '-- compatible-with-level: 9002\n'],
    ['half a level', '-- compatible-with-level: 17.5\n'],
  ])('a step that declares %s is not applied', async (_what, header) => {
    const db = await emptyDatabase()
    const later = laterSteps(`${header}alter table all_servers add column motto text;\n`)
    await expect(migrateToLatest(db, later)).rejects.toThrow(/Migration 9001_later must begin with "-- compatible-with-level: N"/)
    await db.destroy()
  })

  test('concurrent starts apply each step once', async () => {
    const open = await newEmptyDatabase()
    const databases = [open(), open(), open()]
    const applied = await Promise.all(databases.map((db) => migrateToLatest(db)))
    expect(applied.filter((names) => names.length > 0)).toHaveLength(1)
    await Promise.all(databases.map((db) => db.destroy()))
  })
})

describe('the digests of released steps', () => {
  const checkOf = (folder: string) =>
    spawnSync(process.execPath, [join(import.meta.dirname, '../../../tests/checks/released-migrations.ts'), folder], { encoding: 'utf8' })

  test('match the files, and the check names every edited, added or missing file', () => {
    expect(checkOf(MIGRATIONS)).toMatchObject({ status: 0, stderr: '' })
    const folder = mkdtempSync(join(tmpdir(), 'muster-steps-'))
    cpSync(MIGRATIONS, folder, { recursive: true })
    appendFileSync(join(folder, '0005_scale.sql'), '\n')
    writeFileSync(join(folder, '9001_later.sql'), '-- compatible-with-level: 17\nselect 1;\n')
    rmSync(join(folder, '0002_sharing.sql'))
    const { status, stderr } = checkOf(folder)
    expect(status).toBe(1)
    expect(stderr).toContain('0005_scale.sql changed after its release')
    expect(stderr).toContain('9001_later.sql has no digest')
    expect(stderr).toContain('0002_sharing.sql has a digest and is missing')
    rmSync(folder, { recursive: true })
  })

  test('exist for every migration file', () => {
    const recorded = readFileSync(join(MIGRATIONS, 'SHA256SUMS'), 'utf8')
    for (const file of readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql'))) expect(recorded).toContain(`  ${file}\n`)
  })
})

test('a read-only database is rejected with an explanation, and accepted once it is writable', async () => {
  const open = await newEmptyDatabase()
  const setReadOnly = async (isOn: boolean) => {
    const db = open()
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
    await db.connection().execute(async (own) => {
      await sql`set default_transaction_read_only = off`.execute(own)
      await sql`alter database ${sql.ref(rows[0]?.name ?? '')} set default_transaction_read_only = ${sql.lit(isOn ? 'on' : 'off')}`.execute(
        own,
      )
    })
    await db.destroy()
  }
  const startOnce = async () => {
    const db = open()
    try {
      return await migrateToLatest(db)
    } finally {
      await db.destroy()
    }
  }
  await setReadOnly(true)
  await expect(startOnce()).rejects.toThrow(/^The database is read-only/)
  await setReadOnly(false)
  expect(await startOnce()).not.toEqual([])
  await setReadOnly(true)
  await expect(startOnce()).rejects.toThrow(/^The database is read-only/)
  await setReadOnly(false)
  expect(await startOnce()).toEqual([])
})
