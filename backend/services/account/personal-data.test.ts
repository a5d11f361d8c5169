/** The list of personal data covers every table and column, and an erasure leaves no trace of the user. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#tests/harness.ts'
import { PERSONAL_DATA, IMPERSONAL_TABLES } from './personal-data.ts'
import { allTables, buildFixture, tablesWith } from '#tests/personal-data.ts'

let app: TestApp

beforeAll(async () => {
  app = await startApp()
})

describe('the list', () => {
  test('names every table, with or without personal data', async () => {
    expect([...PERSONAL_DATA.map((entry) => entry.table as string), ...IMPERSONAL_TABLES].toSorted()).toEqual(
      (await allTables(app)).toSorted(),
    )
  })

  test('names every column that refers to a user', async () => {
    const { rows } = await sql<{ table: string; column: string }>`
      select k.conrelid::regclass::text as "table", a.attname as "column"
      from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any(k.conkey)
      where k.contype = 'f' and k.confrelid = 'users'::regclass`.execute(app.db)
    expect(rows.length).toBeGreaterThan(5)
    const named = PERSONAL_DATA.flatMap(({ table, personColumns }) => personColumns.map((column) => `${table}.${column}`))
    expect(rows.map((row) => `${row.table}.${row.column}`).filter((column) => !named.includes(column))).toEqual([])
  })

  test('exports or withholds every column', async () => {
    for (const { table, exportedColumns, withheldColumns } of PERSONAL_DATA) {
      const { rows } = await sql<{ name: string }>`
        select column_name as name from information_schema.columns where table_schema = 'public' and table_name = ${table}`.execute(app.db)
      expect([...exportedColumns, ...withheldColumns].toSorted(), table).toEqual(rows.map((row) => row.name).toSorted())
    }
  })

  test('withholds every bytea column: they are hashes of secrets', async () => {
    const { rows } = await sql<{ table: string; column: string }>`
      select table_name as "table", column_name as "column" from information_schema.columns
      where table_schema = 'public' and data_type = 'bytea'`.execute(app.db)
    const exported = rows.filter(({ table, column }) =>
      PERSONAL_DATA.find((entry) => entry.table === table)?.exportedColumns.includes(column),
    )
    expect(exported).toEqual([])
  })

  test('relies on no cascading foreign key', async () => {
    const { rows } = await sql<{ name: string }>`
      select conname as name from pg_constraint where contype = 'f' and confrelid = 'users'::regclass and confdeltype <> 'a'`.execute(
      app.db,
    )
    expect(rows).toEqual([])
  })
})

/** Makes the deletion due and waits until no trace is left. */
async function erase(id: string): Promise<void> {
  await app.db
    .updateTable('users')
    .set({ delete_at: new Date(0) })
    .where('id', '=', id)
    .execute()
  await expect.poll(() => tablesWith(app, id), { timeout: 10_000 }).toEqual([])
}

describe('an erasure', () => {
  test('leaves no trace of the user in any column, and keeps everything that belongs to others', async () => {
    const { user, traces, session } = await buildFixture(app, 'zorblatt')
    await expect.poll(() => tablesWith(app, '127.0.0.78')).toContain('announce_attempts')
    await expect.poll(() => tablesWith(app, '127.0.0.79')).toContain('presence')
    expect(await tablesWith(app, user.id)).toEqual(
      expect.arrayContaining(['activity', 'benefit_grants', 'manager_grants', 'all_servers', 'sessions', 'transfers', 'users']),
    )
    expect(await tablesWith(app, 'zorblatt')).toEqual(expect.arrayContaining(['activity', 'all_servers', 'users']))
    expect(await tablesWith(app, session)).toEqual(['sessions'])
    const [userCount, credentialCount, activityCount] = [await countOf('users'), await countOf('credentials'), await countOf('activity')]
    await erase(user.id)
    // The friend's and the owner's names contain the user's name.
    await app.db
      .updateTable('users')
      .set({ username: sql`replace(username, 'zorblatt', '')` })
      .execute()
    for (const trace of traces) expect(await tablesWith(app, trace), trace).toEqual([])
    expect(await countOf('users')).toBe(userCount - 1)
    // Credentials stay, so that announces get "revoked". The activity gains the ends of two grants and two offers, and the erasure.
    expect(await countOf('credentials')).toBe(credentialCount)
    expect(await countOf('activity')).toBe(activityCount + 5)
    expect(await countOf('servers')).toBe(1)
  })

  test('replaces a user by one random ID, so that rows of the same user can still be recognized as such', async () => {
    const { user } = await buildFixture(app, 'quibbler')
    const before = await app.db
      .selectFrom('activity')
      .select('id')
      .where((q) => q.or([q('owner_id', '=', user.id), q('other_id', '=', user.id), q('actor_id', '=', user.id)]))
      .execute()
    expect(before.length).toBeGreaterThan(8)
    await erase(user.id)
    const erasure = await app.db
      .selectFrom('activity')
      .selectAll()
      .where('action', '=', 'ACCOUNT_ERASED')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(erasure).toMatchObject({ role: 'system', actor_id: null, server_id: null, before: null, after: null })
    const { rows } = await sql<{ id: string }>`
      select id from activity where ${erasure.owner_id}::uuid in (owner_id, other_id, actor_id)`.execute(app.db)
    expect(rows.map((row) => row.id)).toEqual(expect.arrayContaining(before.map((row) => row.id)))
    expect(rows.length).toBe(before.length + 5)
    expect(await countOf('activity')).toBeGreaterThan(rows.length)
    const { rows: remaining } = await sql`
      select from activity where owner_id = ${erasure.owner_id}::uuid
        and (server_name is not null or before is not null or after is not null)`.execute(app.db)
    expect(remaining).toEqual([])
  })
})

async function countOf(table: 'users' | 'credentials' | 'activity' | 'servers'): Promise<number> {
  const { rows } = await sql<{ n: string }>`select count(*) as n from ${sql.table(table)}`.execute(app.db)
  return Number(rows[0]?.n)
}
