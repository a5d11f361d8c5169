/** A database of each released version, with something in it, comes up to date and keeps what it held. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { createLog } from '#backend/log.ts'
import { migrateToLatest } from './migrate.ts'
import { type Db, connect } from './open.ts'

async function emptyDatabase(): Promise<Db> {
  return (await newEmptyDatabase())()
}

/** Answers how to connect to it. */
async function newEmptyDatabase(): Promise<() => Db> {
  const server = { host: inject('socketFolder'), user: 'postgres' }
  const database = `test_${randomBytes(8).toString('hex')}`
  const client = new pg.Client({ ...server, database: 'postgres' })
  await client.connect()
  await client.query(`create database ${database}`)
  await client.end()
  return () => connect({ ...server, database, idleTimeoutMillis: 200 }, createLog('silent'), 2)
}

/** The schema as the first release made it, with its mark that it is there. */
async function asFirstReleased(db: Db): Promise<void> {
  await sql.raw(readFileSync(join(import.meta.dirname, 'migrations/0001_foundation.sql'), 'utf8')).execute(db)
  await sql`create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(db)
  await sql`insert into kysely_migration values ('0001_foundation', '2026-11-20T00:00:00.000Z')`.execute(db)
}

test('from the first release: people, sessions, grants and servers stay as they were', async () => {
  const db = await emptyDatabase()
  await asFirstReleased(db)
  const id = '0198c000-0000-7000-8000-000000000001'
  await sql`insert into users (id, discord_id, username, delete_at) values (${id}, '1', 'alice', now())`.execute(db)
  await sql`insert into sessions (id_hash, user_id, expires_at) values ('\\x00', ${id}, now())`.execute(db)
  await sql`insert into benefit_grants (user_id, key) values (${id}, 'ADMIN')`.execute(db)
  await sql`insert into servers (public_id, owner_id, name, name_key) values ('Aaaaaaa', ${id}, 'One', 'one')`.execute(db)
  expect(await migrateToLatest(db)).toEqual(['0002_sharing', '0003_benefits', '0004_administration', '0005_scale'])
  const user = await db.selectFrom('users').selectAll().executeTakeFirstOrThrow()
  expect(user).toMatchObject({ id, username: 'alice', signed_in_at: user.updated_at })
  for (const table of ['sessions', 'benefit_grants', 'servers'] as const)
    expect(await db.selectFrom(table).selectAll().execute()).toHaveLength(1)
  expect(await migrateToLatest(db)).toEqual([])
  await db.destroy()
})

test('a step that was edited after it ran stops the start, and says which', async () => {
  const db = await emptyDatabase()
  await migrateToLatest(db)
  await sql`update migration_digests set digest = 'another' where name = '0002_sharing'`.execute(db)
  await expect(migrateToLatest(db)).rejects.toThrow(/another version of 0002_sharing than this program has/)
  await db.destroy()
})

test('a database that takes no changes stops the start with a sentence, and is as before once it does', async () => {
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
  await expect(startOnce()).rejects.toThrow(/^The database takes no changes/)
  await setReadOnly(false)
  expect(await startOnce()).not.toEqual([])
  await setReadOnly(true)
  await expect(startOnce()).rejects.toThrow(/^The database takes no changes/)
  await setReadOnly(false)
  expect(await startOnce()).toEqual([])
})
