/** The columns of servers follow the table of fields, and both views have every column. */
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { INITIAL_FIELDS, SERVER_FIELD_NAMES } from '#contract/servers/server-field-shapes.ts'
import { buildServer } from '#tests/factories.ts'
import { type TestApp, startApp } from '#tests/harness.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})

test('each field has a column, whose default is the initial value', async () => {
  const { public_id: id, name } = await buildServer(await app.newUser())
  const row = await app.db.selectFrom('servers').selectAll().where('public_id', '=', id).executeTakeFirstOrThrow()
  const stored = Object.fromEntries(SERVER_FIELD_NAMES.map((field) => [field, row[field]]))
  expect(stored).toEqual({ ...INITIAL_FIELDS, name })
})

test('both views have every column of the table: a migration that adds one ends with refresh_server_views()', async () => {
  const { rows } = await sql<{ table: string; columns: string[] }>`
    select table_name as table, array_agg(column_name::text order by ordinal_position) as columns from information_schema.columns
    where table_name in ('all_servers', 'servers', 'deleted_servers') group by table_name order by table_name`.execute(app.db)
  const [all, deleted, live] = rows.map(({ columns }) => columns)
  expect([deleted, live]).toEqual([all, all])
})
