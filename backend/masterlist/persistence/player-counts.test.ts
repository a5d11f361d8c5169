/** A change of counts saves the whole state, unless the database has a later one. */
import { type RawBuilder, sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { ServerWithCredential } from '#contract/servers/servers.ts'
import { buildServer } from '#tests/factories.ts'
import { type TestUser, type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, fleetOwner, readList, readOne } from '#tests/list/send.ts'

let app: TestApp
let owner: TestUser
let server: ServerWithCredential

beforeAll(async () => {
  app = await startApp()
  owner = await fleetOwner(app)
  server = await buildServer(owner)
  await play(1)
})

const saved = () => app.db.selectFrom('presence').selectAll().where('server_id', '=', server.public_id).executeTakeFirstOrThrow()

const announceOf = async () => (await saved()).announce as Record<string, unknown>

async function play(playersCount: number, overrides: Record<string, unknown> = {}): Promise<void> {
  expect((await announceFrom(app, server.credential, { playersCount, queueCount: playersCount + 1, ...overrides })).status).toBe(200)
}

async function expectSaved(players: number): Promise<void> {
  await expect
    .poll(async () => {
      const { playersCount, queueCount } = await announceOf()
      return [playersCount, queueCount, (await saved()).players]
    })
    .toEqual([players, players + 1, players])
}

/** Changes the stored row as another process would. */
async function changeRow(columns: Record<string, RawBuilder<unknown>>): Promise<void> {
  await app.db.updateTable('presence').set(columns).where('server_id', '=', server.public_id).execute()
}

test.each<[string, Record<string, RawBuilder<unknown>>]>([
  ['an older state', { changed_at: sql`changed_at - interval '1 second'`, announce: sql`announce || '{"version": "old"}'` }],
  [
    'a state that this process does not know',
    { changed_at: sql`changed_at + interval '1 ms'`, announce: sql`announce || '{"branch": "x"}'` },
  ],
])('if the database has %s, a change of counts saves the whole published state', async (_, columns) => {
  await play(1)
  await expectSaved(1)
  const before = await announceOf()
  await changeRow(columns)
  await play(10)
  await expectSaved(10)
  expect(await announceOf()).toEqual({ ...before, playersCount: 10, queueCount: 11 })
})

test('if the database has lost the state, a change of counts saves the whole state', async () => {
  const before = await announceOf()
  await app.db.deleteFrom('presence').where('server_id', '=', server.public_id).execute()
  await play(20)
  await expect
    .poll(() => app.db.selectFrom('presence').select('announce').where('server_id', '=', server.public_id).execute())
    .toHaveLength(1)
  expect(await announceOf()).toEqual({ ...before, playersCount: 20, queueCount: 21 })
})

test('a later announce in the database wins over an earlier change of counts', async () => {
  await play(30)
  await expectSaved(30)
  await changeRow({ last_announce_at: sql`last_announce_at + interval '1 minute'` })
  await play(31)
  // Once this announce is published, the save of the other server was attempted.
  const other = await buildServer(owner)
  await announceFrom(app, other.credential, { playersCount: 5 })
  await expect.poll(async () => (await readList(app)).find((row) => row.publicId === other.public_id)?.playersCount).toBe(5)
  expect(await announceOf()).toMatchObject({ playersCount: 30 })
  // The later announce is merged from the database and published.
  await expect.poll(async () => (await readOne(app, server.public_id)).playersCount).toBe(30)
  await expectSaved(30)
  await play(32)
  await expectSaved(32)
})
