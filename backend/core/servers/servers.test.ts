/** Servers of an owner: creating, changing and deleting. */
import { beforeAll, describe, expect, test } from 'vitest'
import { ofServer } from '#contract/events/activity.ts'
import * as servers from '#contract/servers/servers.ts'
import { announce, ban, buildServer, scheduleDeletion, newName, setTier } from '#tests/factories.ts'
import { type TestUser, type TestApp, startApp } from '#tests/harness.ts'
import { checkCredential, hashCredential } from './credential.ts'

let app: TestApp
let ownerCount = 0
beforeAll(async () => {
  app = await startApp()
})

const newOwner = () => {
  ownerCount += 1
  return app.signIn(`owner${ownerCount}`)
}

const create = (owner: TestUser, body: unknown) => owner.call(servers.create, { body: body as { name: string } })
const change = (owner: TestUser, id: string, body: unknown) => owner.call(servers.change, { params: { id }, body: body as object })

describe('creating a server', () => {
  test('returns every field of the contract, and the credential once', async () => {
    const owner = await newOwner()
    const name = newName()
    const { data, headers, status } = await create(owner, { name: `  ${name} ` })
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(data).toMatchObject({
      user_id: owner.id,
      name,
      description: '',
      language: 'all',
      tags: [],
      game_mode: '',
      website: '',
      visible: true,
      vanity_url: null,
      group_id: null,
      group: null,
      promoted: false,
      icon_image_id: null,
      icon_url: null,
      credential_last_used_at: null,
      credential_grace_until: null,
      bound_address: null,
      bound_at: null,
      banned: false,
      ban_reason: null,
      status: 'never_seen',
      offline_since: null,
      live: null,
      last_announced: null,
    })
    expect(data.public_id).toMatch(/^[0-9A-Za-z]{7}$/)
    expect(data.listing).toMatchObject({ listed: false, reasons: [{ code: 'NEVER_ANNOUNCED' }] })
    expect(data.credential).toMatch(new RegExp(`^mst_${data.public_id}_[0-9A-Za-z]{36}$`))
    expect(checkCredential(data.credential)).toBe('ok')
    expect(data.credential_hint).toBe(data.credential.slice(-4))
    const again = await owner.call(servers.get, { params: { id: data.public_id } })
    expect(again.data).not.toHaveProperty('credential')
    expect(again.text).not.toContain(data.credential)
    const { credential: _, ...shown } = data
    expect(again.data).toEqual(shown)
  })

  test.each(['Café ☕️ 1️⃣', 'ไทยแลนด์', 'हिन्दी सर्वर', '日本サーバー', 'Émile’s'])('accepts the name %s', async (name) => {
    expect((await buildServer(await newOwner(), { name })).name).toBe(name)
  })

  test('stores every given field', async () => {
    const owner = await newOwner()
    const body = {
      name: newName(),
      description: 'Two\nlines',
      language: 'de',
      region: 'eu-central',
      tags: ['Roleplay', 'Voice'],
      game_mode: 'RP',
      website: 'example.com/x',
      visible: false,
    }
    expect((await create(owner, body)).data).toMatchObject({ ...body, website: 'https://example.com/x' })
  })

  test('stores only the hash of the credential', async () => {
    const { credential } = await buildServer(await newOwner())
    const { rows } = await app.db.executeQuery<{ hash: Buffer }>(app.db.selectFrom('credentials').selectAll().compile())
    expect(rows.some((row) => row.hash.equals(hashCredential(credential)))).toBe(true)
    expect(JSON.stringify(rows)).not.toContain(credential)
  })

  test('is rejected over the limit with 403 and the number', async () => {
    const owner = await newOwner()
    for (let created = 0; created < 3; created += 1) await buildServer(owner)
    const rejected = await create(owner, { name: newName() })
    expect(rejected.status).toBe(403)
    expect(rejected.error).toEqual({ statusCode: 403, errors: ['You have reached your limit of 3 servers.'], isBusiness: false })
  })

  test('twenty at once never exceed the limit', async () => {
    const owner = await newOwner()
    const responses = await Promise.all(Array.from({ length: 20 }, () => create(owner, { name: newName() })))
    expect(responses.map((response) => response.status).toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => 200),
      ...Array.from({ length: 17 }, () => 403),
    ])
    expect((await owner.call(servers.list)).data.owned).toHaveLength(3)
  })

  test("a tier raises the limit, and a user's own limit overrides it", async () => {
    const owner = await newOwner()
    await setTier(app, owner.id, 'BRONZE')
    await app.db.updateTable('users').set({ max_servers: 1 }).where('id', '=', owner.id).execute()
    await buildServer(owner)
    expect((await create(owner, { name: newName() })).error.errors).toEqual(['You have reached your limit of 1 servers.'])
  })
})

describe('changing a server', () => {
  test('changes the given fields and keeps the others', async () => {
    const owner = await newOwner()
    const created = await buildServer(owner, { description: 'Before', tags: ['a'] })
    const { data } = await change(owner, created.public_id, { tags: ['b', 'c'], website: '' })
    expect(data).toMatchObject({ name: created.name, description: 'Before', tags: ['b', 'c'], website: '' })
    expect((await change(owner, created.public_id, { description: null })).data.description).toBe('')
    expect((await change(owner, created.public_id, {})).data).toMatchObject({ tags: ['b', 'c'] })
  })

  test.each([
    [{ vanity_url: 'my-server' }, 'Custom Vanity URL'],
    [{ group_id: 'x' }, 'Server Groups'],
    [{ promoted: true }, 'Promotion'],
    [{ icon_image_id: 'x' }, 'Custom Server Appearance'],
  ])('%j needs the benefit %s', async (body, benefit) => {
    const owner = await newOwner()
    const { public_id: id } = await buildServer(owner)
    const rejected = await change(owner, id, body)
    expect(rejected.status).toBe(403)
    expect(rejected.error.errors[0]).toContain(benefit)
    expect((await create(owner, { name: newName(), ...body })).status).toBe(403)
  })

  test('a field that needs a benefit can be cleared without it', async () => {
    const owner = await newOwner()
    const { public_id: id } = await buildServer(owner)
    expect((await change(owner, id, { vanity_url: null, group_id: null, promoted: false, icon_image_id: null })).status).toBe(200)
  })

  test.each(['ab', 'a'.repeat(33), '-abc', 'abc-', 'a--b', 'Abc', 'a_b', 'admin', 'servers', ''])(
    'the vanity ID %j is rejected',
    async (vanity_url) => {
      const owner = await newOwner()
      const { public_id: id } = await buildServer(owner)
      await setTier(app, owner.id, 'GOLD')
      expect((await change(owner, id, { vanity_url })).status).toBe(400)
    },
  )

  test('a taken vanity ID is a business conflict', async () => {
    const [owner, other] = [await newOwner(), await newOwner()]
    for (const user of [owner, other]) await setTier(app, user.id, 'GOLD')
    const theirs = await buildServer(other)
    await buildServer(owner, { vanity_url: 'dallas' })
    const rejected = await change(other, theirs.public_id, { vanity_url: 'dallas' })
    expect(rejected.error).toMatchObject({ statusCode: 409, isBusiness: true, businessStatus: 'VANITY_URL_ALREADY_EXISTS' })
  })

  test('moves the promotion: one server at a time for each owner', async () => {
    const owner = await newOwner()
    await setTier(app, owner.id, 'RUBY')
    const [first, second] = [await buildServer(owner, { promoted: true }), await buildServer(owner)]
    const others = [await buildServer(owner), await buildServer(owner)]
    for (let round = 0; round < 5; round += 1) {
      const responses = await Promise.all([first, second, ...others].map((server) => change(owner, server.public_id, { promoted: true })))
      expect(responses.map((response) => response.status)).toEqual([200, 200, 200, 200])
    }
    const { owned } = (await owner.call(servers.list)).data
    expect(owned.filter((server) => server.promoted)).toHaveLength(1)
  })

  test('a new promoted server takes the promotion from another one, on the list as well', async () => {
    const owner = await newOwner()
    await setTier(app, owner.id, 'RUBY')
    const first = await buildServer(owner, { promoted: true })
    const isPromoted = async () =>
      ((await (await fetch(`${app.listUrl}/servers/${first.public_id}`)).json()) as { promoted: boolean }).promoted
    expect(await isPromoted()).toBe(true)
    await buildServer(owner, { promoted: true })
    expect(await isPromoted()).toBe(false)
    const { data } = await owner.call(ofServer, { params: { id: first.public_id } })
    expect(data[0]).toMatchObject({ action: 'SERVER_CHANGED', before: { promoted: true }, after: { promoted: false } })
  })
})

describe("another user's server", () => {
  test('is 404 on every call', async () => {
    const [owner, stranger] = [await newOwner(), await newOwner()]
    const { public_id: id } = await buildServer(owner)
    const params = { id }
    const responses = await Promise.all([
      stranger.call(servers.get, { params }),
      stranger.call(servers.change, { params, body: { name: 'Mine now' } }),
      stranger.call(servers.remove, { params }),
      stranger.call(servers.reissue, { params }),
      stranger.call(servers.resetAddress, { params }),
      stranger.call(servers.announces, { params }),
    ])
    const unknown = await stranger.call(servers.get, { params: { id: 'AAAAAAA' } })
    for (const response of responses) {
      expect(response.status).toBe(404)
      expect(response.error).toEqual(unknown.error)
    }
    expect((await owner.call(servers.get, { params })).status).toBe(200)
  })

  test('is 404 for an administrator on the owner’s calls, too', async () => {
    const [owner, admin] = [await newOwner(), await app.signIn('admin')]
    const { public_id: id } = await buildServer(owner)
    expect((await admin.call(servers.get, { params: { id } })).status).toBe(404)
  })
})

describe('deleting', () => {
  test("deletes the server and frees its place in the owner's limit", async () => {
    const owner = await newOwner()
    const { public_id: id } = await buildServer(owner)
    expect((await owner.call(servers.remove, { params: { id } })).status).toBe(204)
    expect((await owner.call(servers.remove, { params: { id } })).status).toBe(404)
    expect((await owner.call(servers.get, { params: { id } })).status).toBe(404)
    expect((await owner.call(servers.list)).data.owned).toEqual([])
  })

  test('keeps only the revocation of its credentials', async () => {
    const owner = await newOwner()
    const { public_id: id, credential } = await buildServer(owner)
    await announce(app, credential)
    const { id: credentialId } = await app.db
      .selectFrom('credentials')
      .select('id')
      .where('hash', '=', hashCredential(credential))
      .executeTakeFirstOrThrow()
    await owner.call(servers.remove, { params: { id } })
    const left = await app.db.selectFrom('credentials').selectAll().where('id', '=', credentialId).executeTakeFirstOrThrow()
    expect(left).toMatchObject({ server_id: null, hint: '' })
    expect(left.revoked_at).not.toBeNull()
    expect(await app.db.selectFrom('credential_uses').selectAll().where('credential_id', '=', credentialId).execute()).toEqual([])
    const rejected = await announce(app, credential)
    expect([rejected.status, ((await rejected.json()) as { code: string }).code]).toEqual([401, 'CREDENTIAL_REVOKED'])
  })

  test('twenty at once delete once', async () => {
    const owner = await newOwner()
    const { public_id: id } = await buildServer(owner)
    const responses = await Promise.all(Array.from({ length: 20 }, () => owner.call(servers.remove, { params: { id } })))
    expect(responses.filter((response) => response.status === 204)).toHaveLength(1)
    expect(responses.filter((response) => response.status === 404)).toHaveLength(19)
  })
})

test('owners who are banned or awaiting deletion cannot change servers', async () => {
  const [banned, leaving] = [await newOwner(), await newOwner()]
  const created = [await buildServer(banned), await buildServer(leaving)] as const
  await ban(app, banned.id)
  await scheduleDeletion(app, leaving.id)
  for (const [user, server] of [
    [banned, created[0]],
    [leaving, created[1]],
  ] as const) {
    expect((await user.call(servers.list)).status).toBe(403)
    expect((await change(user, server.public_id, { name: newName() })).status).toBe(403)
    expect((await create(user, { name: newName() })).status).toBe(403)
    expect((await user.call(servers.reissue, { params: { id: server.public_id } })).status).toBe(403)
    expect((await user.call(servers.remove, { params: { id: server.public_id } })).status).toBe(403)
  }
})

test('the list of servers has the four parts of the contract', async () => {
  const owner = await newOwner()
  const created = await buildServer(owner)
  const { data } = await owner.call(servers.list)
  expect(data).toMatchObject({ outgoing_transfers: [], incoming_transfers: [], management: [] })
  expect(data.owned.map((server) => server.public_id)).toEqual([created.public_id])
})
