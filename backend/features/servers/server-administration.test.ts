/** Administration of servers: changes, bans of servers and users, and the append-only audit log. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import * as activity from '#contract/activity.ts'
import * as servers from '#contract/servers.ts'
import * as admin from '#contract/servers-admin.ts'
import * as transfers from '#contract/transfers.ts'
import * as users from '#contract/users.ts'
import { banUser, grantBenefit } from '#contract/users-admin.ts'
import { announce, buildServer, newName, offer, setTier } from '#tests/factories.ts'
import { type TestUser, type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'

let app: TestApp
let administrator: SignedInUser
beforeAll(async () => {
  app = await startApp()
  administrator = await app.signIn('admin')
})

const newUser = () => app.newUser()
const change = (id: string, body: Record<string, unknown>, by: TestUser = administrator) =>
  by.call(admin.changeAdminServer, { params: { id }, body: body as admin.AdminServerChanges })
const ban = (id: string, body?: Record<string, unknown>, by: TestUser = administrator) =>
  by.call(admin.banServer, { params: { id }, ...(body !== undefined && { body: body as never }) })
const get = (id: string) => administrator.call(admin.adminServer, { params: { id } })
const listed = async () =>
  ((await (await fetch(`${app.listUrl}/servers`)).json()) as { publicId: string }[]).map((server) => server.publicId)
const actionsOf = async (owner: TestUser, id: string) =>
  (await owner.call(activity.ofServer, { params: { id } })).data.map(({ action, as, actor }) => [action, as, actor])
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()

describe('an administrator', () => {
  test("sees any user's server with its owner and announces, but no secrets", async () => {
    const owner = await newUser()
    const { credential, ...server } = await buildServer(owner)
    await announce(app, credential)
    const found = await get(server.public_id)
    expect(found.data).toMatchObject({
      public_id: server.public_id,
      user_id: owner.id,
      owner: { id: owner.id },
      open_issues: 0,
      verified: false,
    })
    expect(found.data.status).toBe('online')
    expect(found.text).not.toContain(credential)
    const { data } = await administrator.call(admin.adminAnnounces, { params: { id: server.public_id } })
    expect(data.map(({ code }) => code)).toEqual(['CAME_ONLINE'])
  })

  test.each(['AAAAAAA', 'nope', '@vanity', '%00', 'x'.repeat(300)])('gets 404 for every call on a server with the ID %s', async (id) => {
    const params = { id }
    for (const response of [
      await get(id),
      await administrator.call(admin.adminAnnounces, { params }),
      await change(id, { description: 'x' }),
      await ban(id),
      await administrator.call(admin.resetAdminServerAddress, { params }),
      await administrator.call(admin.removeAdminServer, { params }),
    ])
      expect([response.status, response.error.isBusiness]).toEqual([404, false])
  })

  test("changes any field of the listing, and the owner's activity names an administrator", async () => {
    const owner = await newUser()
    const { public_id: id } = await buildServer(owner)
    const name = newName()
    const changed = await change(id, {
      name,
      description: 'New description',
      language: 'de',
      region: 'eu-east',
      tags: ['one'],
      visible: false,
      verified: true,
    })
    expect(changed.data).toMatchObject({
      name,
      description: 'New description',
      language: 'de',
      region: 'eu-east',
      tags: ['one'],
      visible: false,
      verified: true,
    })
    expect((await owner.call(servers.get, { params: { id } })).data).toMatchObject({ name, verified: true })
    expect(await actionsOf(owner, id)).toEqual([
      ['SERVER_CHANGED', 'administrator', null],
      ['SERVER_CREATED', 'self', expect.objectContaining({ id: owner.id })],
    ])
  })

  test('marks a server as verified, which owners cannot do', async () => {
    const owner = await newUser()
    const { public_id: id } = await buildServer(owner)
    const rejected = await owner.call(servers.change, { params: { id }, body: { verified: true } as never })
    expect([rejected.status, rejected.error.errors]).toEqual([400, ['Unknown field “verified”. Leave it out.']])
    await change(id, { verified: true })
    const row = (await (await fetch(`${app.listUrl}/servers/${id}`)).json()) as { verified: boolean }
    expect(row.verified).toBe(true)
  })

  test('follows the same rules as an owner: invalid values, taken names, missing benefits', async () => {
    const owner = await newUser()
    const [server, other] = [await buildServer(owner, { description: 'Before' }), await buildServer(owner)]
    const id = server.public_id
    expect((await change(id, { name: 'x' })).error.errors).toEqual(['Name must be 3 to 64 characters long.'])
    expect((await change(id, { owner_id: administrator.id })).error.errors).toEqual(['Unknown field “owner_id”. Leave it out.'])
    expect((await change(id, { verified: 'yes' })).error.errors).toEqual(['Verified must be true or false.'])
    expect((await change(id, { name: other.name })).error).toMatchObject({ statusCode: 409, businessStatus: 'NAME_ALREADY_EXISTS' })
    const lacking = await change(id, { vanity_url: 'by-the-admin', description: 'Changed' })
    expect([lacking.status, lacking.error.errors]).toEqual([
      403,
      ['This needs the benefit Custom Vanity URL, which the owner of this server does not have.'],
    ])
    expect((await get(id)).data).toMatchObject({ name: server.name, description: 'Before', vanity_url: null })
    await setTier(app, owner.id, 'GOLD')
    expect((await change(id, { vanity_url: 'by-the-admin' })).data.vanity_url).toBe('by-the-admin')
  })

  test('promotes one server of an owner at a time', async () => {
    const owner = await newUser()
    await setTier(app, owner.id, 'RUBY')
    const [first, second] = [await buildServer(owner, { promoted: true }), await buildServer(owner)]
    expect((await change(second.public_id, { promoted: true })).data.promoted).toBe(true)
    expect((await get(first.public_id)).data.promoted).toBe(false)
  })

  test('resets the bound address, so that the server can announce from another one', async () => {
    const owner = await newUser()
    const { public_id: id, credential } = await buildServer(owner)
    await announce(app, credential)
    expect((await get(id)).data.bound_address).toBe('127.0.0.1')
    const reset = await administrator.call(admin.resetAdminServerAddress, { params: { id } })
    expect(reset.data).toMatchObject({ public_id: id, bound_address: null })
    expect((await actionsOf(owner, id))[0]).toEqual(['ADDRESS_RESET', 'administrator', null])
    const [entry] = (await owner.call(activity.ofServer, { params: { id } })).data
    expect(entry).toMatchObject({ before: { bound_address: '127.0.0.1' }, after: { bound_address: null } })
  })

  test('deletes a server, which leaves the list, revokes its credential and ends its offer', async () => {
    const [owner, recipient] = [await newUser(), await newUser()]
    const { public_id: id, credential } = await buildServer(owner)
    await announce(app, credential)
    await expect.poll(listed).toContain(id)
    const { id: offered } = await offer(owner, id, recipient.id)
    expect((await administrator.call(admin.removeAdminServer, { params: { id } })).status).toBe(204)
    await expect.poll(listed).not.toContain(id)
    expect((await announce(app, credential)).status).toBe(401)
    expect((await recipient.call(transfers.accept, { params: { id: offered } })).status).toBe(404)
    expect((await owner.call(servers.get, { params: { id } })).status).toBe(404)
    const entry = (await owner.call(activity.ofAccount)).data[0]
    expect(entry).toMatchObject({
      action: 'SERVER_DELETED',
      as: 'administrator',
      actor: null,
      before: { name: expect.any(String), description: '', visible: true, vanity_url: null },
    })
  })

  test('who has lost ADMIN cannot change anything', async () => {
    const [owner, second] = [await newUser(), await newUser()]
    const { public_id: id } = await buildServer(owner)
    await administrator.call(grantBenefit, { params: { id: second.id, key: 'ADMIN' } })
    expect((await change(id, { description: 'One' }, second)).status).toBe(200)
    await app.db.deleteFrom('benefit_grants').where('user_id', '=', second.id).execute()
    for (const response of [await change(id, { description: 'Two' }, second), await ban(id, {}, second)])
      expect([response.status, response.error.errors]).toEqual([
        403,
        ['Restricted access. You must have the ADMIN benefit to access this page.'],
      ])
    expect((await get(id)).data).toMatchObject({ description: 'One', banned: false })
  })
})

describe("a server's ban", () => {
  test('removes it from the list at once, shows the owner reason and end, and lets it return when lifted', async () => {
    const owner = await newUser()
    const { public_id: id, credential } = await buildServer(owner)
    await announce(app, credential)
    await expect.poll(listed).toContain(id)
    const until = inSeconds(3600)
    const banned = await ban(id, { reason: 'Sells places', banned_until: until })
    expect(banned.data).toMatchObject({ banned: true, ban_reason: 'Sells places', banned_until: until })
    expect(banned.data.listing).toMatchObject({
      listed: false,
      reasons: [{ code: 'SERVER_BANNED', message: expect.stringContaining('Sells places.') }],
    })
    await expect.poll(listed).not.toContain(id)
    const rejected = await announce(app, credential)
    expect([rejected.status, ((await rejected.json()) as { code: string }).code]).toEqual([403, 'SERVER_BANNED'])
    expect((await owner.call(servers.get, { params: { id } })).data).toMatchObject({
      banned: true,
      ban_reason: 'Sells places',
      banned_until: until,
    })
    const lifted = await ban(id, { banned: false })
    expect(lifted.data).toMatchObject({ banned: false, ban_reason: null, banned_until: null })
    expect((await announce(app, credential)).status).toBe(200)
    await expect.poll(listed).toContain(id)
    expect((await actionsOf(owner, id)).slice(0, 2)).toEqual([
      ['SERVER_UNBANNED', 'administrator', null],
      ['SERVER_BANNED', 'administrator', null],
    ])
  })

  test('is the default of the call, and banning again without a reason or end keeps the previous one', async () => {
    const { public_id: id } = await buildServer(await newUser())
    expect((await ban(id)).data).toMatchObject({ banned: true, ban_reason: null, banned_until: null })
    const until = inSeconds(100)
    expect((await ban(id, { reason: 'First', banned_until: until })).data).toMatchObject({ ban_reason: 'First', banned_until: until })
    expect((await ban(id, { reason: 'Second' })).data).toMatchObject({ ban_reason: 'Second', banned_until: until })
    expect((await ban(id, { banned_until: null })).data).toMatchObject({ ban_reason: 'Second', banned_until: null })
    await ban(id, { banned: false })
    expect((await ban(id)).data).toMatchObject({ banned: true, ban_reason: null, banned_until: null })
  })

  test.each([
    [{ banned: 'yes' }, 'Banned must be true or false.'],
    [{ reason: 'x'.repeat(501) }, 'The reason can be at most 500 characters long.'],
    [{ banned_until: 'tomorrow' }, 'banned_until must be a time such as 2027-01-31T12:00:00Z, or null for a ban without an end.'],
    [{ banned_until: '2020-01-01T00:00:00Z' }, 'banned_until must be in the future.'],
    [
      { banned_until: '0000-01-01T00:00:00Z' },
      'banned_until must be a time such as 2027-01-31T12:00:00Z, or null for a ban without an end.',
    ],
    [
      { banned_until: `2027-01-01T00:00:00.${'1'.repeat(300)}Z` },
      'banned_until must be a time such as 2027-01-31T12:00:00Z, or null for a ban without an end.',
    ],
    [{ banReason: 'x' }, 'Unknown field “banReason”. Leave it out.'],
  ])('with %o is rejected with a message and changes nothing', async (body, sentence) => {
    const { public_id: id } = await buildServer(await newUser())
    const rejected = await ban(id, body)
    expect([rejected.status, rejected.error.errors]).toEqual([400, [sentence]])
    expect((await get(id)).data.banned).toBe(false)
  })

  test('is lifted automatically when it expires, recorded as an action of the system', async () => {
    const owner = await newUser()
    const { public_id: id, credential } = await buildServer(owner)
    await ban(id, { banned_until: inSeconds(3600) })
    expect((await announce(app, credential)).status).toBe(403)
    await app.db
      .updateTable('servers')
      .set({ banned_until: new Date(0) })
      .where('public_id', '=', id)
      .execute()
    await expect.poll(async () => (await get(id)).data.banned).toBe(false)
    await expect.poll(async () => (await announce(app, credential)).status).toBe(200)
    expect((await actionsOf(owner, id))[0]).toEqual(['SERVER_UNBANNED', 'system', null])
  })
})

describe("a user's ban", () => {
  const setUserBan = (id: string, body: Record<string, unknown>) => administrator.call(banUser, { params: { id }, body: body as never })

  test('can have an end, which the user sees and after which everything is restored', async () => {
    const user = await newUser()
    const { public_id: id, credential } = await buildServer(user)
    await announce(app, credential)
    const until = inSeconds(3600)
    expect((await setUserBan(user.id, { banReason: 'Rude', banned_until: until })).data).toMatchObject({
      banned: true,
      banned_until: until,
    })
    expect((await user.call(users.me)).data).toMatchObject({ banned: true, ban_reason: 'Rude', banned_until: until })
    await expect.poll(listed).not.toContain(id)
    await app.db
      .updateTable('users')
      .set({ banned_until: new Date(0) })
      .where('id', '=', user.id)
      .execute()
    await expect.poll(async () => (await user.call(users.me)).data.banned).toBe(false)
    const me = (await user.call(users.me)).data
    expect(me).not.toHaveProperty('banned_until')
    expect(me).not.toHaveProperty('ban_reason')
    await expect.poll(async () => (await announce(app, credential)).status).toBe(200)
    expect((await user.call(activity.ofAccount)).data[0]).toMatchObject({ action: 'ACCOUNT_UNBANNED', as: 'system', actor: null })
  })

  test('without an end stays, and the latest request decides the end', async () => {
    const user = await newUser()
    expect((await setUserBan(user.id, {})).data).not.toHaveProperty('banned_until')
    const until = inSeconds(50)
    expect((await setUserBan(user.id, { banned_until: until })).data.banned_until).toBe(until)
    expect((await setUserBan(user.id, { banReason: 'Still' })).data.banned_until).toBe(until)
    expect((await setUserBan(user.id, { banned_until: null })).data).not.toHaveProperty('banned_until')
  })

  test('with an end in the past is rejected', async () => {
    const user = await newUser()
    const rejected = await setUserBan(user.id, { banned_until: new Date(Date.now() - 1000).toISOString() })
    expect([rejected.status, rejected.error.errors]).toEqual([400, ['banned_until must be in the future.']])
    expect((await user.call(users.me)).data.banned).toBe(false)
  })

  test('restarts the delay of a deletion that came due during the ban', async () => {
    const user = await newUser()
    await setUserBan(user.id, { banned_until: inSeconds(3600) })
    await app.db
      .updateTable('users')
      .set({ delete_at: new Date(Date.now() - 1000), banned_until: new Date(Date.now() - 500) })
      .where('id', '=', user.id)
      .execute()
    await expect.poll(async () => (await user.call(users.me)).data.banned).toBe(false)
    expect(Date.parse((await user.call(users.me)).data.delete_at ?? '')).toBeGreaterThan(Date.now() + 23 * 3_600_000)
  })
})

test('the audit log cannot be changed, shortened or emptied', async () => {
  await buildServer(await newUser())
  for (const attempt of [
    sql`update activity set action = 'SERVER_DELETED'`,
    sql`delete from activity where id = (select max(id) from activity)`,
    sql`truncate activity`,
  ])
    await expect(attempt.execute(app.db)).rejects.toThrow('The audit log is append-only.')
})
