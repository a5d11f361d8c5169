/** Everything about a server field derives from its row: one more row and its column are one more field. */
import { sql } from 'kysely'
import { beforeAll, expect, test, vi } from 'vitest'
import type { z } from 'zod'
import * as account from '#contract/users/account.ts'
import * as managers from '#contract/servers/managers.ts'
import { SERVER_FIELD_NAMES, type ServerFieldName, serverField } from '#contract/servers/server-field-shapes.ts'
import type { ServerField } from '#contract/servers/server-fields.ts'
import * as servers from '#contract/servers/servers.ts'
import { profilesFor } from '#backend/cli/simulate/profiles.ts'
import { announce, buildServer, grant, setTier } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { readList, send } from '#tests/list/send.ts'

/** Adds a field that the program does not have. */
vi.mock(import('#contract/servers/server-fields.ts'), async (importOriginal) => {
  const [original, { z }] = [await importOriginal(), await import('zod')]
  const { wholeNumber, wholeNumberText } = await import('#contract/text/numbers.ts')
  const range = { min: 0, max: 2000 }
  const PING_LIMIT: ServerField = {
    description: 'The highest ping.',
    input: wholeNumber('ping_limit', range),
    reply: z.int(),
    initial: 0,
    label: () => 'Highest ping',
    permission: 'EDIT_DETAILS',
    benefit: null,
    control: 'number',
    list: { name: 'pingLimit', schema: z.int() },
    filter: { name: 'ping_limit', input: wholeNumberText('ping_limit', range), description: 'The highest ping.' },
    csv: 'ping_limit',
    examples: [150, 80],
  }
  return { ...original, SERVER_FIELDS: { ...original.SERVER_FIELDS, ping_limit: PING_LIMIT } }
})

const MIGRATION = `alter table all_servers add column ping_limit integer not null default 0 check (ping_limit between 0 and 2000);
  select refresh_server_views();`

let app: TestApp
let owner: SignedInUser

beforeAll(async () => {
  app = await startApp({}, { migration: MIGRATION })
  owner = await app.newUser()
  await setTier(app, owner.id, 'DIAMOND_ALTRUIST')
})

const CHECK_VIOLATION = '23514'
const OUT_OF_RANGE = 'ping_limit must be a whole number from 0 to 2000.'

const withPing = (ping: unknown): object => ({ ping_limit: ping })
const pingOf = (server: object) => (server as { ping_limit?: unknown }).ping_limit

test('a further field is accepted by create and change', async () => {
  const created = await buildServer(owner, withPing(120))
  expect(pingOf(created)).toBe(120)
  const params = { id: created.public_id }
  const changed = await owner.call(servers.change, { params, body: withPing(90) })
  expect([pingOf(changed.data), changed.data.version]).toEqual([90, created.version + 1])
})

test.each([2001, -1, 1.5, '5', null])('a number rejects %j with a sentence, and nothing changes', async (ping) => {
  const created = await buildServer(owner, withPing(120))
  const params = { id: created.public_id }
  const rejected = await owner.call(servers.change, { params, body: withPing(ping) })
  expect([rejected.status, rejected.error.errors]).toEqual([400, [OUT_OF_RANGE]])
  expect((await owner.call(servers.get, { params })).data).toMatchObject({ ping_limit: 120, version: created.version })
})

test('a further field needs its permission', async () => {
  const manager = await app.newUser()
  const { public_id: serverId } = await buildServer(owner)
  const params = { ownerId: owner.id, serverId }
  await grant(owner, manager.id, ['EDIT_APPEARANCE', 'RESET_ADDRESS', 'REISSUE_CREDENTIAL'])
  expect((await manager.call(managers.changeManaged, { params, body: withPing(5) })).status).toBe(403)
  await grant(owner, manager.id, ['EDIT_DETAILS'])
  expect((await manager.call(managers.changeManaged, { params, body: withPing(5) })).status).toBe(200)
})

test('a further field is in the rows and filters of the list, and follows a change', async () => {
  const { credential, public_id: id } = await buildServer(owner, withPing(77))
  await announce(app, credential)
  const find = async (ping: number) => (await readList(app, `?ping_limit=${ping}`)).map(({ publicId }) => publicId)
  await expect.poll(() => find(77)).toEqual([id])
  expect((await readList(app, '?ping_limit=77'))[0]).toMatchObject({ pingLimit: 77 })
  await owner.call(servers.change, { params: { id }, body: withPing(78) })
  await expect.poll(() => find(78)).toEqual([id])
  expect(await find(77)).toEqual([])
})

test('a filter on a number finds equal numbers', async () => {
  const { credential, public_id: id } = await buildServer(owner, withPing(60))
  await announce(app, credential)
  await expect.poll(async () => (await readList(app, '?ping_limit=0060')).map(({ publicId }) => publicId)).toEqual([id])
})

test.each(['2001', '-1', '1.5', 'abc', '%201', '1e2'])('a filter on a number rejects %s with a sentence', async (text) => {
  const rejected = await send(`${app.listUrl}/servers?ping_limit=${text}`)
  expect([rejected.status, JSON.parse(rejected.text)]).toMatchObject([400, { code: 'QUERY_INVALID', errors: [OUT_OF_RANGE] }])
})

/** By the columns, so that no schema is passed over. */
const numberFields = async () => {
  const { rows } = await sql<{ name: ServerFieldName }>`
    select column_name as name from information_schema.columns
    where table_name = 'all_servers' and numeric_precision is not null and column_name = any(${SERVER_FIELD_NAMES})`.execute(app.db)
  return rows.map(({ name }) => name)
}

test('the column of each number has a CHECK of the range that its schema and its filter accept', async () => {
  const { public_id: id } = await buildServer(owner)
  const names = await numberFields()
  expect(names).toContain('ping_limit')
  for (const name of names) {
    const { input, filter } = serverField(name)
    const { minValue, maxValue } = input as z.ZodNumber
    const [min, max] = [minValue ?? NaN, maxValue ?? NaN]
    const store = (value: number) =>
      app.db
        .updateTable('servers')
        .set({ [name]: value })
        .where('public_id', '=', id)
        .execute()
        .then(
          () => 'stored',
          (error: { code: string }) => error.code,
        )
    const results = [await store(min), await store(max), await store(min - 1), await store(max + 1)]
    expect(results, `${name}: ${min} to ${max}`).toEqual(['stored', 'stored', CHECK_VIOLATION, CHECK_VIOLATION])
    const isFound = [min, max, min - 1, max + 1].map((value) => filter?.input.safeParse(String(value)).success)
    if (filter !== null) expect(isFound, filter.name).toEqual([true, true, false, false])
  }
})

test('a further field is in the export, in the document of the API and in simulated servers', async () => {
  const { public_id: id } = await buildServer(owner, withPing(66))
  const { held } = (await owner.call(account.exportData)).data
  expect(held['servers']?.find((row) => row['public_id'] === id)).toMatchObject({ ping_limit: 66 })
  const document = await (await app.anonymous.fetch('/api/openapi.json')).text()
  expect(document.match(/"ping_?[lL]imit":/g)?.length).toBeGreaterThan(4)
  expect([150, 80]).toContain(pingOf(profilesFor(1, 1)[0]?.input ?? {}))
})
