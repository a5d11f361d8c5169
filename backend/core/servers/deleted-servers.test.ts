/** A deleted server is in the bin of its owner, and appears nowhere else. */
import { beforeAll, describe, expect, test } from 'vitest'
import { ofServer } from '#contract/events/activity.ts'
import * as benefitSettings from '#contract/benefits/benefit-settings.ts'
import * as groups from '#contract/servers/groups.ts'
import * as history from '#contract/history/history.ts'
import * as managers from '#contract/servers/managers.ts'
import * as admin from '#contract/servers/servers-admin.ts'
import * as servers from '#contract/servers/servers.ts'
import * as transfers from '#contract/servers/transfers.ts'
import * as usersAdmin from '#contract/users/users-admin.ts'
import { announce, buildServer, grant, newName, offer, setTier } from '#tests/factories.ts'
import { binOf, deletedServer, remove, restore, setLimit } from '#tests/deleted-servers.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { readList } from '#tests/list/send.ts'

const DAY_MS = 86_400_000

let app: TestApp
let administrator: SignedInUser

beforeAll(async () => {
  app = await startApp({}, { pool: 16 })
  administrator = await app.signIn('admin')
})

describe('a deleted server', () => {
  test('is in the bin of its owner only, with the time until it can be restored', async () => {
    const { owner, server, id } = await deletedServer(app)
    const [row] = await binOf(owner)
    expect(row).toEqual({
      public_id: id,
      name: server.name,
      vanity_url: null,
      banned: false,
      deleted_at: expect.any(String),
      restorable_until: expect.any(String),
    })
    expect(Date.parse(row?.restorable_until ?? '') - Date.parse(row?.deleted_at ?? '')).toBe(7 * DAY_MS)
    expect(await binOf(await app.newUser())).toEqual([])
    expect(await binOf(administrator)).toEqual([])
  })

  test('appears nowhere else: not for its owner, managers and administrators, and not on the list', async () => {
    const [owner, manager] = [await app.newUser(), await app.newUser()]
    await setTier(app, owner.id, 'GOLD')
    await grant(owner, manager.id, ['EDIT_DETAILS'])
    const group = (await owner.call(groups.create, { body: { name: newName() } })).data
    const { public_id: id, credential, name } = await buildServer(owner, { group_id: group.id })
    expect((await announce(app, credential)).status).toBe(200)
    await expect.poll(async () => (await readList(app)).map((row) => row.publicId)).toContain(id)
    await remove(owner, id)

    expect((await owner.call(servers.list)).data.owned).toEqual([])
    expect((await manager.call(servers.list)).data.management).toEqual([])
    expect((await owner.call(groups.list)).data[0]?.servers).toEqual([])
    expect((await owner.call(benefitSettings.overview)).data.flatMap((benefit) => benefit.used_by)).toEqual([])
    const params = { id }
    for (const call of [servers.get, servers.announces, ofServer, history.ofServer] as const)
      expect((await owner.call(call, { params })).status, call.route).toBe(404)
    for (const call of [admin.adminServer, admin.adminAnnounces, admin.resetAdminServerAddress, admin.removeAdminServer] as const)
      expect((await administrator.call(call, { params })).status, call.route).toBe(404)
    const ofManager = { params: { ownerId: owner.id, serverId: id } }
    expect((await manager.call(managers.managed, ofManager)).status).toBe(404)
    const found = await administrator.call(admin.adminServers, { query: { search: name } })
    expect(found.text).not.toContain(id)
    expect((await administrator.call(usersAdmin.adminUser, { params: { id: owner.id } })).data.masterListTokens).toEqual([])
    await expect.poll(async () => (await readList(app)).map((row) => row.publicId)).not.toContain(id)
    expect((await announce(app, credential)).status).toBe(401)
    await app.restart()
    expect((await readList(app)).map((row) => row.publicId)).not.toContain(id)
  })

  test('cannot be changed, reissued, transferred, promoted or deleted again', async () => {
    const { owner, id } = await deletedServer(app)
    const recipient = await app.newUser()
    const params = { id }
    const replies = await Promise.all([
      owner.call(servers.change, { params, body: { description: 'x' } }),
      owner.call(servers.reissue, { params, body: {} }),
      owner.call(servers.resetAddress, { params }),
      owner.call(servers.remove, { params }),
      owner.call(transfers.offer, { body: { token_id: id, user_id: recipient.id } }),
    ])
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
  })

  test('keeps its name: others get the usual conflict, its owner learns where it is', async () => {
    const { owner, server } = await deletedServer(app)
    const [stranger, other] = [await app.newUser(), await buildServer(owner)]
    const body = { name: server.name.toUpperCase() }
    const taken = await stranger.call(servers.create, { body })
    expect([taken.status, taken.error.businessStatus, taken.error.errors]).toEqual([
      409,
      'NAME_ALREADY_EXISTS',
      ['Another server has this name, or one that looks like it. Choose a different name.'],
    ])
    const sentence = 'A server that you deleted has this name, or one that looks like it. Restore that server, or choose a different name.'
    const own = await owner.call(servers.create, { body })
    expect([own.status, own.error.businessStatus, own.error.errors]).toEqual([409, 'NAME_ALREADY_EXISTS', [sentence]])
    const renamed = await owner.call(servers.change, { params: { id: other.public_id }, body })
    expect([renamed.status, renamed.error.errors]).toEqual([409, [sentence]])
    const byAdministrator = await administrator.call(admin.changeAdminServer, { params: { id: other.public_id }, body })
    expect(byAdministrator.error.errors).toEqual(taken.error.errors)
  })

  test('frees its place in the limit', async () => {
    const { owner } = await deletedServer(app)
    await setLimit(administrator, owner, 1)
    await buildServer(owner)
    expect((await owner.call(servers.list)).data.owned).toHaveLength(1)
  })

  test('ends a pending transfer, and its issues', async () => {
    const [owner, recipient] = [await app.newUser(), await app.newUser()]
    const { public_id: id } = await buildServer(owner)
    const { id: offerId } = await offer(owner, id, recipient.id)
    await remove(owner, id)
    expect((await recipient.call(transfers.accept, { params: { id: offerId } })).status).toBe(404)
    expect((await restore(owner, id)).status).toBe(200)
    expect((await owner.call(servers.list)).data.outgoing_transfers).toEqual([])
    expect((await recipient.call(transfers.accept, { params: { id: offerId } })).status).toBe(404)
  })
})
