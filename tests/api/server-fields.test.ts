/** Everything about a server field derives from its row: one more row and its column are one more field. */
import { beforeAll, expect, test, vi } from 'vitest'
import * as account from '#contract/users/account.ts'
import * as managers from '#contract/servers/managers.ts'
import type { ServerField } from '#contract/servers/server-fields.ts'
import * as servers from '#contract/servers/servers.ts'
import { profilesFor } from '#backend/cli/simulate/profiles.ts'
import { announce, buildServer, grant, setTier } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { readList } from '#tests/list/send.ts'

/** Adds a field that the program does not have. */
vi.mock(import('#contract/servers/server-fields.ts'), async (importOriginal) => {
  const [original, { z }] = [await importOriginal(), await import('zod')]
  const error = (await import('#contract/text/messages.ts')).mustBeInRange('ping_limit', 0, 2000)
  const PING_LIMIT: ServerField = {
    input: z.int({ error }).min(0, { error }).max(2000, { error }),
    reply: z.int(),
    initial: 0,
    label: () => 'Highest ping',
    otherStarts: [],
    permission: 'EDIT_DETAILS',
    benefit: null,
    control: 'line',
    list: { name: 'pingLimit', schema: z.int() },
    filter: { name: 'ping_limit', maxLength: 4, description: 'The highest ping.' },
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

const withPing = (ping: unknown): object => ({ ping_limit: ping })
const pingOf = (server: object) => (server as { ping_limit?: unknown }).ping_limit

test('a further field is accepted by create and change, and its rule rejects', async () => {
  const created = await buildServer(owner, withPing(120))
  expect(pingOf(created)).toBe(120)
  const params = { id: created.public_id }
  const changed = await owner.call(servers.change, { params, body: withPing(90) })
  expect([pingOf(changed.data), changed.data.version]).toEqual([90, created.version + 1])
  const rejected = await owner.call(servers.change, { params, body: withPing(2001) })
  expect([rejected.status, rejected.error.errors]).toEqual([400, ['ping_limit must be a whole number from 0 to 2000.']])
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

test('a further field is in the export, in the document of the API and in simulated servers', async () => {
  const { public_id: id } = await buildServer(owner, withPing(66))
  const { held } = (await owner.call(account.exportData)).data
  expect(held['servers']?.find((row) => row['public_id'] === id)).toMatchObject({ ping_limit: 66 })
  const document = await (await app.anonymous.fetch('/api/openapi.json')).text()
  expect(document.match(/"ping_?[lL]imit":/g)?.length).toBeGreaterThan(4)
  expect([150, 80]).toContain(pingOf(profilesFor(1, 1)[0]?.input ?? {}))
})
