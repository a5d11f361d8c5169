/** Pins: which servers come first in a user's own list. */
import { beforeAll, expect, test } from 'vitest'
import * as managers from '#contract/servers/managers.ts'
import * as pins from '#contract/servers/pins.ts'
import * as servers from '#contract/servers/servers.ts'
import { buildServer, grant } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'

let app: TestApp

beforeAll(async () => {
  app = await startApp()
})

const pin = (user: SignedInUser, id: string) => user.call(pins.pin, { params: { id } })
const unpin = (user: SignedInUser, id: string) => user.call(pins.unpin, { params: { id } })
const pinsOf = async (user: SignedInUser) => (await user.call(servers.list)).data.pinned

test("another user's server and a missing one cannot be pinned or unpinned", async () => {
  const owner = await app.newUser()
  const stranger = await app.newUser()
  const { public_id: id } = await buildServer(owner)
  await pin(owner, id)
  for (const target of [id, 'abcdefg', 'no-id'])
    for (const act of [pin, unpin]) expect((await act(stranger, target)).status, target).toBe(404)
  expect(await pinsOf(stranger)).toEqual([])
  expect(await pinsOf(owner)).toEqual([id])
})

test('pinning and unpinning twice are the same as once', async () => {
  const owner = await app.newUser()
  const { public_id: id } = await buildServer(owner)
  for (let time = 0; time < 2; time += 1) expect((await pin(owner, id)).status).toBe(204)
  expect(await pinsOf(owner)).toEqual([id])
  for (let time = 0; time < 2; time += 1) expect((await unpin(owner, id)).status).toBe(204)
  expect(await pinsOf(owner)).toEqual([])
})

test('a manager pins for themselves, until their access ends', async () => {
  const owner = await app.newUser()
  const manager = await app.newUser()
  const { public_id: id } = await buildServer(owner)
  await grant(owner, manager.id, ['EDIT_DETAILS'])
  expect((await pin(manager, id)).status).toBe(204)
  expect(await pinsOf(manager)).toEqual([id])
  expect(await pinsOf(owner)).toEqual([])
  await owner.call(managers.revoke, { body: { user_id: manager.id } })
  expect(await pinsOf(manager)).toEqual([])
})

test('at most 20 servers are pinned, even with calls at the same time', async () => {
  const owner = await app.newUser()
  const { public_id: first } = await buildServer(owner)
  const columns = await app.db
    .selectFrom('all_servers')
    .select(['owner_id', 'language'])
    .where('public_id', '=', first)
    .executeTakeFirstOrThrow()
  const ids = Array.from({ length: 22 }, (_, index) => `Pin${String(index).padStart(4, '0')}`)
  await app.db
    .insertInto('all_servers')
    .values(ids.map((public_id) => ({ ...columns, public_id, name: `Pinned ${public_id}`, name_key: `pinned ${public_id}` })))
    .execute()
  const statuses = await Promise.all(ids.map(async (id) => (await pin(owner, id)).status))
  expect(statuses.filter((status) => status === 204)).toHaveLength(pins.MAX_PINNED_SERVERS)
  expect(statuses.filter((status) => status === 403)).toHaveLength(2)
  expect(await pinsOf(owner)).toHaveLength(pins.MAX_PINNED_SERVERS)
})
