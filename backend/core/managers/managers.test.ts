/** Managers: granting, permissions, managing, revoking and resigning. */
import { beforeAll, describe, expect, test } from 'vitest'
import * as managers from '#contract/servers/managers.ts'
import type { Permission } from '#contract/servers/permissions.ts'
import { PERMISSION_KEYS } from '#contract/servers/permissions.ts'
import * as servers from '#contract/servers/servers.ts'
import * as users from '#contract/users/users.ts'
import { announce, ban, buildServer, grant, scheduleDeletion, setTier } from '#tests/factories.ts'
import { type TestUser, type SignedInUser, startApp, type TestApp } from '#tests/harness.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})

const newUser = () => app.newUser()
const grantTo = (owner: TestUser, user_id: unknown, permissions: unknown) =>
  owner.call(managers.grant, { body: { user_id, permissions } as { user_id: string; permissions: Permission[] } })
const me = async (user: TestUser) => (await user.call(users.me)).data

async function createPair(...permissions: Permission[]) {
  const [owner, manager] = [await newUser(), await newUser()]
  const server = await buildServer(owner)
  const given = permissions.length > 0 ? await grant(owner, manager.id, permissions) : undefined
  return { owner, manager, server, given, params: { ownerId: owner.id, serverId: server.public_id } }
}

describe('granting', () => {
  test('shows the grant to both sides, with the public profile of the other', async () => {
    const { owner, manager, given } = await createPair('EDIT_DETAILS', 'RESET_ADDRESS')
    const gived = (await me(owner)).gived_managements
    const recieved = (await me(manager)).recieved_managements
    expect(gived).toEqual([given])
    expect(gived[0]).toMatchObject({ manager_id: manager.id, manager: { id: manager.id }, permissions: ['EDIT_DETAILS', 'RESET_ADDRESS'] })
    expect(recieved).toMatchObject([{ id: given?.id, owner_id: owner.id, owner: { id: owner.id } }])
    expect(Object.keys(recieved[0]?.owner ?? {}).toSorted()).toEqual(['discord', 'id'])
  })

  test('again to the same user changes the permissions and keeps the grant', async () => {
    const { owner, manager, given } = await createPair('EDIT_DETAILS')
    const again = await grant(owner, manager.id, ['REISSUE_CREDENTIAL', 'EDIT_APPEARANCE'])
    expect(again).toEqual({ ...given, permissions: ['EDIT_APPEARANCE', 'REISSUE_CREDENTIAL'] })
    expect((await me(owner)).gived_managements).toHaveLength(1)
  })

  test('is rejected at the limit of managers, while existing ones can still be changed', async () => {
    const owner = await newUser()
    const [first, second, third] = [await newUser(), await newUser(), await newUser()]
    await grant(owner, first.id, ['EDIT_DETAILS'])
    await grant(owner, second.id, ['EDIT_DETAILS'])
    const rejected = await grantTo(owner, third.id, ['EDIT_DETAILS'])
    expect([rejected.status, rejected.error.errors]).toEqual([403, ['You have reached your limit of 2 managers.']])
    expect((await grantTo(owner, second.id, ['RESET_ADDRESS'])).status).toBe(200)
    await setTier(app, owner.id, 'BRONZE')
    expect((await grantTo(owner, third.id, ['EDIT_DETAILS'])).status).toBe(200)
  })

  test.each([
    ['to themselves', (owner: SignedInUser) => [owner.id, ['EDIT_DETAILS']], 400, /your own servers/],
    ['to an unknown user', () => ['0198c000-0000-7000-8000-000000000000', ['EDIT_DETAILS']], 404, /no such user/],
    ['to an invalid id', () => ['bob', ['EDIT_DETAILS']], 400, /user_id must be the ID of a user/],
    ['without a permission', (_: SignedInUser, other: SignedInUser) => [other.id, []], 400, /at least one permission/],
    ['with an unknown permission', (_: SignedInUser, other: SignedInUser) => [other.id, ['DELETE']], 400, /must be one of EDIT_DETAILS/],
    [
      'with a permission twice',
      (_: SignedInUser, other: SignedInUser) => [other.id, ['EDIT_DETAILS', 'EDIT_DETAILS']],
      400,
      /only be given once|given only once/,
    ],
    [
      'with permissions as a string',
      (_: SignedInUser, other: SignedInUser) => [other.id, 'EDIT_DETAILS'.repeat(3)],
      400,
      /^Permissions must be a list\.$/,
    ],
    ['with permissions that are not a list', (_: SignedInUser, other: SignedInUser) => [other.id, 'EDIT_DETAILS'], 400, /must be a list/],
  ])('is rejected %s', async (_, args, status, sentence) => {
    const [owner, other] = [await newUser(), await newUser()]
    const [userId, permissions] = args(owner, other)
    const rejected = await grantTo(owner, userId, permissions)
    expect(rejected.status, rejected.text).toBe(status)
    expect(rejected.error.errors.join(' ')).toMatch(sentence)
    expect((await me(owner)).gived_managements).toEqual([])
  })

  test('is rejected with the same message for banned users and those awaiting deletion', async () => {
    const [owner, banned, leaving] = [await newUser(), await newUser(), await newUser()]
    await ban(app, banned.id)
    await scheduleDeletion(app, leaving.id)
    const responses = [await grantTo(owner, banned.id, ['EDIT_DETAILS']), await grantTo(owner, leaving.id, ['EDIT_DETAILS'])]
    expect(responses.map((response) => response.status)).toEqual([400, 400])
    expect(new Set(responses.map((response) => response.text)).size).toBe(1)
  })

  test('accepts an id in upper case for the same user', async () => {
    const { owner, manager } = await createPair('EDIT_DETAILS')
    expect((await grantTo(owner, manager.id.toUpperCase(), ['EDIT_DETAILS'])).status).toBe(200)
    expect((await grantTo(owner, owner.id.toUpperCase(), ['EDIT_DETAILS'])).status).toBe(400)
  })
})

describe('managing', () => {
  test.each(PERMISSION_KEYS)('with %s shows the server, its owner and the permissions', async (permission) => {
    const { owner, manager, server, params } = await createPair(permission)
    const { credential: _, ...shown } = server
    const response = await manager.call(managers.managed, { params })
    expect(response.status).toBe(200)
    expect(response.data).toMatchObject({ ...shown, user_id: owner.id, owner: { id: owner.id }, permissions: [permission] })
    expect(response.text).not.toContain(server.credential)
    const { data: list } = await manager.call(servers.list)
    expect(list.management).toEqual([response.data])
    expect(list.owned).toEqual([])
    expect((await owner.call(servers.list)).data.management).toEqual([])
  })

  const calls = {
    EDIT_DETAILS: (m: TestUser, params: Params) => m.call(managers.changeManaged, { params, body: { description: 'By a manager' } }),
    EDIT_APPEARANCE: (m: TestUser, params: Params) => m.call(managers.changeManaged, { params, body: { promoted: false } }),
    REISSUE_CREDENTIAL: (m: TestUser, params: Params) => m.call(managers.reissueManaged, { params }),
    RESET_ADDRESS: (m: TestUser, params: Params) => m.call(managers.resetManagedAddress, { params }),
  } as const
  type Params = { ownerId: string; serverId: string }

  test.each(PERMISSION_KEYS.flatMap((held) => PERMISSION_KEYS.map((needed) => [held, needed] as const)))(
    'with %s, an action that needs %s is allowed only if they are the same',
    async (held, needed) => {
      const { manager, params } = await createPair(held)
      const response = await calls[needed](manager, params)
      expect(response.status, response.text).toBe(held === needed ? 200 : 403)
      if (held !== needed) expect(response.error.errors[0]).toMatch(/^This needs the permission ".+", which the owner/)
    },
  )

  test('a change that needs two permissions is applied completely or not at all', async () => {
    const { owner, manager, server, params } = await createPair('EDIT_DETAILS')
    const body = { description: 'Half', promoted: false }
    expect((await manager.call(managers.changeManaged, { params, body })).status).toBe(403)
    expect((await owner.call(servers.get, { params: { id: server.public_id } })).data.description).toBe('')
    await grant(owner, manager.id, ['EDIT_DETAILS', 'EDIT_APPEARANCE'])
    expect((await manager.call(managers.changeManaged, { params, body })).status).toBe(200)
  })

  test("a field that needs a benefit needs the owner's, not the manager's", async () => {
    const { owner, manager, params } = await createPair('EDIT_APPEARANCE')
    await setTier(app, manager.id, 'DIAMOND_ALTRUIST')
    const vanity = { vanity_url: `managed-${owner.id.slice(-6)}` }
    const rejected = await manager.call(managers.changeManaged, { params, body: vanity })
    expect(rejected.status).toBe(403)
    expect(rejected.error.errors[0]).toContain('the owner of this server does not have')
    await setTier(app, owner.id, 'GOLD')
    await setTier(app, manager.id, null)
    expect((await manager.call(managers.changeManaged, { params, body: vanity })).data.vanity_url).toBe(vanity.vanity_url)
  })

  test('a reissue by a manager revokes the old credential and shows the new one once, to the manager', async () => {
    const { owner, manager, server, params } = await createPair('REISSUE_CREDENTIAL')
    const reissued = await manager.call(managers.reissueManaged, { params })
    expect(reissued.headers.get('cache-control')).toBe('no-store')
    expect((await announce(app, server.credential)).status).toBe(401)
    expect((await announce(app, reissued.data.credential)).status).toBe(200)
    expect((await owner.call(servers.get, { params: { id: server.public_id } })).text).not.toContain(reissued.data.credential)
  })

  test('a taken name gets NAME_ALREADY_EXISTS, as for the owner', async () => {
    const { manager, params } = await createPair('EDIT_DETAILS')
    const other = await buildServer(await newUser())
    const rejected = await manager.call(managers.changeManaged, { params, body: { name: other.name } })
    expect([rejected.status, rejected.error.businessStatus]).toEqual([409, 'NAME_ALREADY_EXISTS'])
  })

  test("covers only the servers of that owner, and never the owner's own endpoints", async () => {
    const { owner, manager, server, params } = await createPair(...PERMISSION_KEYS)
    const otherServer = await buildServer(await newUser())
    for (const invalid of [
      { ...params, serverId: otherServer.public_id },
      { ownerId: otherServer.user_id, serverId: server.public_id },
      { ownerId: manager.id, serverId: server.public_id },
      { ownerId: 'nobody', serverId: server.public_id },
      { ...params, serverId: "'; drop" },
    ])
      expect((await manager.call(managers.managed, { params: invalid })).status).toBe(404)
    for (const call of [servers.get, servers.remove, servers.reissue, servers.resetAddress] as const)
      expect((await manager.call(call, { params: { id: server.public_id } })).status).toBe(404)
    expect((await owner.call(managers.managed, { params })).status).toBe(404)
  })
})

describe('ending management', () => {
  test('a revoked manager can neither change nor see anything', async () => {
    const { owner, manager, server, params } = await createPair(...PERMISSION_KEYS)
    expect((await owner.call(managers.revoke, { body: { user_id: manager.id } })).status).toBe(204)
    expect((await manager.call(managers.managed, { params })).status).toBe(404)
    expect((await manager.call(managers.changeManaged, { params, body: { description: 'x' } })).status).toBe(404)
    expect((await manager.call(servers.announces, { params: { id: server.public_id } })).status).toBe(404)
    expect((await manager.call(servers.list)).data.management).toEqual([])
    expect((await me(manager)).recieved_managements).toEqual([])
    expect((await me(owner)).gived_managements).toEqual([])
    expect((await owner.call(managers.revoke, { body: { user_id: manager.id } })).status).toBe(404)
  })

  test('only the manager can resign', async () => {
    const { owner, manager, given } = await createPair('EDIT_DETAILS')
    const resign = (user: TestUser, id = given?.id ?? '') => user.call(managers.resign, { params: { id } })
    expect((await resign(owner)).status).toBe(404)
    expect((await resign(await newUser())).status).toBe(404)
    expect((await resign(manager, 'nothing')).status).toBe(404)
    expect((await resign(manager)).status).toBe(204)
    expect((await resign(manager)).status).toBe(404)
    expect((await me(owner)).gived_managements).toEqual([])
  })

  test('the owner can replace a revoked manager at the limit', async () => {
    const owner = await newUser()
    const candidates = [await newUser(), await newUser(), await newUser()]
    for (const user of candidates.slice(0, 2)) await grant(owner, user.id, ['EDIT_DETAILS'])
    await owner.call(managers.revoke, { body: { user_id: candidates[0]?.id ?? '' } })
    expect((await grantTo(owner, candidates[2]?.id, ['EDIT_DETAILS'])).status).toBe(200)
  })
})
