/** Administration of servers, and the append-only audit log. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import * as activity from '#contract/events/activity.ts'
import * as servers from '#contract/servers/servers.ts'
import * as admin from '#contract/servers/servers-admin.ts'
import * as transfers from '#contract/servers/transfers.ts'
import { grantBenefit } from '#contract/users/users-admin.ts'
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

test('the audit log cannot be changed, shortened or emptied', async () => {
  await buildServer(await newUser())
  for (const attempt of [
    sql`update activity set action = 'SERVER_DELETED'`,
    sql`delete from activity where id = (select max(id) from activity)`,
    sql`truncate activity`,
  ])
    await expect(attempt.execute(app.db)).rejects.toThrow('The audit log is append-only.')
})
