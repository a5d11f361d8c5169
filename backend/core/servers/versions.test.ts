/** Conditional changes: `If-Match` protects an edit from overwriting a newer one. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import * as benefitSettings from '#contract/benefits/benefit-settings.ts'
import * as groups from '#contract/servers/groups.ts'
import type { Endpoint } from '#contract/api/endpoint.ts'
import * as managers from '#contract/servers/managers.ts'
import { PERMISSION_KEYS } from '#contract/servers/permissions.ts'
import { serverField } from '#contract/servers/server-field-shapes.ts'
import * as admin from '#contract/servers/servers-admin.ts'
import * as servers from '#contract/servers/servers.ts'
import * as transfers from '#contract/servers/transfers.ts'
import * as usersAdmin from '#contract/users/users-admin.ts'
import { announce, buildServer, grant, newFieldValues, newName, offer, setTier } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { changeServer } from './server-changes.ts'

let app: TestApp
let administrator: SignedInUser

beforeAll(async () => {
  app = await startApp({}, { pool: 16 })
  administrator = await app.signIn('admin')
})

interface Reply {
  readonly status: number
  readonly body: Record<string, unknown> & { data: Record<string, unknown>; current: Record<string, unknown>; errors: string[] }
}

/** Sends a change with this `If-Match`. */
async function send(user: SignedInUser, method: 'PATCH' | 'PUT', path: string, body: unknown, ifMatch?: string): Promise<Reply> {
  const headers = { 'content-type': 'application/json', ...(ifMatch !== undefined && { 'if-match': ifMatch }) }
  const response = await user.fetch(path, { method, headers, body: JSON.stringify(body) })
  return { status: response.status, body: (await response.json()) as Reply['body'] }
}

const tag = (version: unknown) => `"${String(version)}"`

interface Scene {
  readonly user: SignedInUser
  readonly method: 'PATCH' | 'PUT'
  readonly path: string
  readonly version: () => Promise<number>
  /** The owner, if the user is another person. */
  readonly rival?: Pick<Scene, 'user' | 'path'>
  /** Two bodies that change one field. */
  readonly bodies: readonly [Record<string, unknown>, Record<string, unknown>]
}

async function serverScene(): Promise<Scene & { owner: SignedInUser; id: string }> {
  const owner = await app.newUser()
  const { public_id: id } = await buildServer(owner)
  const version = async () => (await owner.call(servers.get, { params: { id } })).data.version
  return {
    owner,
    id,
    user: owner,
    method: 'PATCH',
    path: `/api/users/tokens/${id}`,
    version,
    bodies: [{ description: 'One' }, { description: 'Two' }],
  }
}

async function settingsScene(): Promise<Scene & { owner: SignedInUser }> {
  const owner = await app.newUser()
  await setTier(app, owner.id, 'PLATINUM')
  await administrator.call(usersAdmin.grantBenefit, { params: { id: owner.id, key: 'CUSTOM_LAUNCHER' } })
  const version = async () => (await owner.call(benefitSettings.settings, { params: { key: 'CUSTOM_LAUNCHER' } })).data.version
  const path = '/api/users/benefits/CUSTOM_LAUNCHER/settings'
  return { owner, user: owner, method: 'PUT', path, version, bodies: [{ name: 'One' }, { name: 'Two' }] }
}

const SCENES: Readonly<Record<string, () => Promise<Scene>>> = {
  'the own server': serverScene,
  'a managed server': async () => {
    const scene = await serverScene()
    const manager = await app.newUser()
    await grant(scene.owner, manager.id, ['EDIT_DETAILS'])
    return { ...scene, rival: scene, user: manager, path: `/api/users/management/${scene.owner.id}/tokens/${scene.id}` }
  },
  'any server, as an administrator': async () => {
    const scene = await serverScene()
    return { ...scene, rival: scene, user: administrator, path: `/api/admin/tokens/${scene.id}` }
  },
  'benefit settings': settingsScene,
  'benefit settings, as an administrator': async () => {
    const scene = await settingsScene()
    return { ...scene, rival: scene, user: administrator, path: `/api/admin/users/${scene.owner.id}/benefits/CUSTOM_LAUNCHER/settings` }
  },
  'a group': async () => {
    const owner = await app.newUser()
    await setTier(app, owner.id, 'GOLD')
    const { id } = (await owner.call(groups.create, { body: { name: 'First name' } })).data
    const version = async () => (await owner.call(groups.list)).data.find((group) => group.id === id)?.version ?? -1
    return { user: owner, method: 'PATCH', path: `/api/users/groups/${id}`, version, bodies: [{ name: 'One name' }, { name: 'Two names' }] }
  },
}

describe.each(Object.entries(SCENES))('%s', (_title, start) => {
  test('a change with the current version succeeds and raises it by one; a stale one is a 412 with the current object', async () => {
    const { user, method, path, version, bodies } = await start()
    const before = await version()
    const [first, second] = bodies
    const saved = await send(user, method, path, first, tag(before))
    expect([saved.status, saved.body.data]).toEqual([200, expect.objectContaining({ ...first, version: before + 1 })])
    const stale = await send(user, method, path, second, tag(before))
    expect(stale.status).toBe(412)
    expect(stale.body).toMatchObject({ statusCode: 412, isBusiness: true, businessStatus: 'VERSION_CONFLICT', current: first })
    expect(stale.body.errors).toEqual(['This was changed in the meantime. Look at the current version, then try again.'])
    // The current object is what the call replies.
    expect(Object.keys(stale.body.current).toSorted()).toEqual(Object.keys(saved.body.data).toSorted())
    expect(stale.body.current.version).toBe(before + 1)
    expect(await version()).toBe(before + 1)
    expect((await send(user, method, path, second, tag(before + 1))).body.data).toMatchObject({ ...second, version: before + 2 })
  })

  test('* accepts every version, and without the header nothing is compared', async () => {
    const { user, method, path, version, bodies } = await start()
    const before = await version()
    expect((await send(user, method, path, bodies[0], '*')).status).toBe(200)
    expect((await send(user, method, path, bodies[1])).status).toBe(200)
    expect(await version()).toBe(before + 2)
  })

  test('a malformed header is a 400 with a sentence and changes nothing', async () => {
    const { user, method, path, version, bodies } = await start()
    const before = await version()
    for (const malformed of ['1', '', '""', 'W/"1"', '"1", "2"', '"-1"', '"one"', `"${'9'.repeat(16)}"`]) {
      const { status, body } = await send(user, method, path, bodies[0], malformed)
      expect([malformed, status, body.errors]).toEqual([
        malformed,
        400,
        ['If-Match must be a version in double quotes, such as "3", or *.'],
      ])
    }
    expect(await version()).toBe(before)
  })

  test('of ten writers with the same version exactly one succeeds', async () => {
    const { user, method, path, version, bodies } = await start()
    const before = await version()
    const field = Object.keys(bodies[0])[0] ?? ''
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => send(user, method, path, { [field]: `Writer ${index}` }, tag(before))),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 412)])
    const winner = replies.find(({ status }) => status === 200)?.body.data[field]
    for (const { status, body } of replies) if (status === 412) expect(body.current[field]).toBe(winner)
    expect(await version()).toBe(before + 1)
  })

  test('in ten rounds of two editors, the second one sees what the first one saved, and overwrites it only on purpose', async () => {
    const scene = await start()
    const { method, version, bodies, rival = scene } = scene
    const field = Object.keys(bodies[0])[0] ?? ''
    for (let round = 0; round < 10; round += 1) {
      const before = await version()
      const editors = [scene, rival].map(({ user, path }, index) => ({ user, path, body: { [field]: `Editor ${index}, round ${round}` } }))
      const replies = await Promise.all(editors.map(({ user, path, body }) => send(user, method, path, body, tag(before))))
      const second = replies.findIndex(({ status }) => status === 412)
      expect(replies[1 - second]?.status).toBe(200)
      const current = replies[second]?.body.current
      expect(current).toMatchObject({ ...editors[1 - second]?.body, version: before + 1 })
      const { user, path, body } = editors[second] ?? expect.unreachable()
      expect((await send(user, method, path, body, tag(current?.version))).body.data).toMatchObject({ ...body, version: before + 2 })
    }
  })
})

describe('the version of a server', () => {
  const versionOf = async (user: SignedInUser, id: string) => (await user.call(servers.get, { params: { id } })).data.version

  test('stays the same for changes that nobody edits, and for a save without a difference', async () => {
    const owner = await app.newUser()
    const { public_id: id, version, credential, description } = await buildServer(owner)
    expect((await announce(app, credential)).status).toBe(200)
    await owner.call(servers.reissue, { params: { id }, body: {} })
    await owner.call(servers.resetAddress, { params: { id } })
    await administrator.call(admin.banServer, { params: { id }, body: { banned: true } })
    await administrator.call(admin.banServer, { params: { id }, body: { banned: false } })
    await owner.call(servers.change, { params: { id }, body: { description } })
    expect(await versionOf(owner, id)).toBe(version)
  })

  test('rises when another server takes its promotion, when its group is deleted and when it changes hands', async () => {
    const [owner, recipient] = [await app.newUser(), await app.newUser()]
    await setTier(app, owner.id, 'PLATINUM')
    await administrator.call(usersAdmin.grantBenefit, { params: { id: owner.id, key: 'PROMOTED' } })
    const group = (await owner.call(groups.create, { body: { name: newName() } })).data
    const first = await buildServer(owner, { promoted: true, group_id: group.id })
    await buildServer(owner, { promoted: true })
    expect(await versionOf(owner, first.public_id)).toBe(first.version + 1)
    await owner.call(groups.remove, { params: { id: group.id } })
    expect(await versionOf(owner, first.public_id)).toBe(first.version + 2)
    const { id } = await offer(owner, first.public_id, recipient.id)
    await recipient.call(transfers.accept, { params: { id } })
    expect(await versionOf(recipient, first.public_id)).toBe(first.version + 3)
  })

  test('rises with every field of the listing, and with every column that a migration adds', async () => {
    const owner = await app.newUser()
    await setTier(app, owner.id, 'DIAMOND_ALTRUIST')
    const { public_id: id, version } = await buildServer(owner)
    let expected = version
    for (const [field, value] of await newFieldValues(app, owner)) {
      await owner.call(servers.change, { params: { id }, body: { [field]: value } })
      expected += 1
      expect([field, await versionOf(owner, id)]).toEqual([field, expected])
    }
    await sql`alter table all_servers add column probe text`.execute(app.db)
    await sql`update all_servers set probe = 'x' where public_id = ${id}`.execute(app.db)
    await sql`alter table all_servers drop column probe`.execute(app.db)
    expect(await versionOf(owner, id)).toBe(expected + 1)
  })

  test('rises when an administrator verifies the server', async () => {
    const owner = await app.newUser()
    const { public_id: id, version } = await buildServer(owner)
    await administrator.call(admin.changeAdminServer, { params: { id }, body: { verified: true } })
    expect(await versionOf(owner, id)).toBe(version + 1)
  })
})

test('a manager needs the permission of each field, and changes no field that has none', async () => {
  const [owner, manager] = [await app.newUser(), await app.newUser()]
  await setTier(app, owner.id, 'DIAMOND_ALTRUIST')
  const server = await buildServer(owner)
  const params = { ownerId: owner.id, serverId: server.public_id }
  for (const [field, value] of await newFieldValues(app, owner)) {
    const { permission } = serverField(field)
    await grant(
      owner,
      manager.id,
      PERMISSION_KEYS.filter((key) => key !== permission),
    )
    const rejected = await manager.call(managers.changeManaged, { params, body: { [field]: value } })
    await grant(owner, manager.id, [permission])
    const changed = await manager.call(managers.changeManaged, { params, body: { [field]: value } })
    expect([field, rejected.status, changed.status]).toEqual([field, 403, 200])
  }
  await grant(owner, manager.id, [...PERMISSION_KEYS])
  const actor = { as: 'manager', actorId: manager.id, ownerId: owner.id, publicId: server.public_id } as const
  for (const unknown of [{ verified: true }, { constructor: 1 }])
    await expect(changeServer(app.db, actor, unknown as servers.ServerChanges, undefined)).rejects.toMatchObject({ kind: 'forbidden' })
})

test('the version of settings is 0 until they are saved, and rises when a chosen server changes hands', async () => {
  const { owner, version } = await settingsScene()
  const recipient = await app.newUser()
  const { public_id: id } = await buildServer(owner)
  expect(await version()).toBe(0)
  await owner.call(benefitSettings.changeSettings, { params: { key: 'CUSTOM_LAUNCHER' }, body: { name: 'One', server_ids: [id] } })
  expect(await version()).toBe(1)
  await owner.call(benefitSettings.changeSettings, { params: { key: 'CUSTOM_LAUNCHER' }, body: { name: 'One', server_ids: [] } })
  await owner.call(benefitSettings.changeSettings, { params: { key: 'CUSTOM_LAUNCHER' }, body: { name: 'One', server_ids: [id] } })
  expect(await version()).toBe(3)
  await recipient.call(transfers.accept, { params: { id: (await offer(owner, id, recipient.id)).id } })
  expect(await version()).toBe(4)
})

test('a caller without access learns nothing from If-Match', async () => {
  const { id, owner } = await serverScene()
  const [stranger, manager] = [await app.newUser(), await app.newUser()]
  await grant(owner, manager.id, ['RESET_ADDRESS'])
  expect((await send(stranger, 'PATCH', `/api/users/tokens/${id}`, { description: 'x' }, tag(99))).status).toBe(404)
  const managed = await send(manager, 'PATCH', `/api/users/management/${owner.id}/tokens/${id}`, { description: 'x' }, tag(99))
  expect(managed.status).toBe(403)
})

test('the OpenAPI document describes the header and the 412 of every such call', async () => {
  const document = (await (await app.anonymous.fetch('/api/openapi.json')).json()) as {
    paths: Record<string, Record<string, { parameters?: { $ref?: string }[]; responses: Record<string, unknown> }>>
  }
  const all: readonly Endpoint[] = [servers.change, groups.rename, benefitSettings.changeSettings, admin.changeAdminServer]
  for (const { route } of all) {
    const [method = '', path = ''] = route.split(' ')
    const call = document.paths[path]?.[method.toLowerCase()]
    expect(call?.parameters).toContainEqual({ $ref: '#/components/parameters/IfMatch' })
    expect(JSON.stringify(call?.responses['412'])).toContain('"current"')
  }
})
