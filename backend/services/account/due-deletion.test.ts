/** An account whose deletion is due: what is erased, and what others see of it. */
import { beforeAll, describe, expect, test } from 'vitest'
import * as activity from '#contract/events/activity.ts'
import * as managers from '#contract/servers/managers.ts'
import * as servers from '#contract/servers/servers.ts'
import * as transfers from '#contract/servers/transfers.ts'
import * as users from '#contract/users/users.ts'
import { SOON, actionsOf, expectErased, makeDue, me, requestDeletion } from '#tests/account-deletion.ts'
import { announce, buildServer, grant, scheduleDeletion, offer } from '#tests/factories.ts'
import { startApp, type TestApp } from '#tests/harness.ts'
import { listen } from '#tests/listen.ts'
import { announceFrom, readList } from '#tests/list/send.ts'

let app: TestApp
/** An app with the default delay of a day. */
let slow: TestApp

beforeAll(async () => {
  app = await startApp(SOON)
  slow = await startApp()
})

const newUser = (where: TestApp = app) => where.newUser()

describe('once due', () => {
  test('sessions, data and credentials of the user no longer work', async () => {
    const [user, friend] = [await newUser(), await newUser()]
    const name = (await me(user)).data.discord.username
    const { public_id, credential } = await buildServer(user)
    await announce(app, credential)
    await expect.poll(async () => (await readList(app)).map((row) => row.publicId)).toContain(public_id)
    const otherSession = await app.signIn(name)
    const panel = await listen(user)
    expect((await requestDeletion(user)).status).toBe(200)
    await expectErased(app, user.id)
    await expect.poll(() => panel.hasEnded()).toBe(true)
    for (const session of [user, otherSession]) {
      const answer = await me(session)
      expect([answer.status, answer.error.errors]).toEqual([403, ['You are not signed in.']])
    }
    await expect.poll(async () => (await readList(app)).map((row) => row.publicId)).not.toContain(public_id)
    const late = await announceFrom(app, credential)
    expect([late.status, late.rejection.code]).toEqual([401, 'CREDENTIAL_REVOKED'])
    expect((await friend.call(users.publicUser, { params: { id: user.id } })).status).toBe(404)
    expect((await friend.call(users.publicUserByName, { params: { username: name } })).status).toBe(404)
    await app.restart()
    expect((await announceFrom(app, credential)).rejection.code).toBe('CREDENTIAL_REVOKED')
  })

  test('signing in again creates a new account', async () => {
    const user = await newUser()
    const { username } = (await me(user)).data.discord
    await buildServer(user)
    await requestDeletion(user)
    await expectErased(app, user.id)
    const newAccount = await app.signIn(username)
    expect(newAccount.id).not.toBe(user.id)
    expect((await me(newAccount)).data).toMatchObject({ delete_at: null, gived_managements: [], recieved_managements: [] })
    expect((await newAccount.call(servers.list)).data).toMatchObject({ owned: [], outgoing_transfers: [], management: [] })
    expect(await actionsOf(newAccount)).toEqual(['ACCOUNT_CREATED'])
  })

  test('offers and grants in both directions end, and the other users see it without a name', async () => {
    const [user, manager, owner] = [await newUser(), await newUser(), await newUser()]
    await grant(user, manager.id, ['EDIT_DETAILS'])
    await grant(owner, user.id, ['EDIT_DETAILS'])
    const ownServer = await buildServer(user, { description: 'written by the user' })
    const theirs = await buildServer(owner)
    await offer(user, ownServer.public_id, manager.id)
    await offer(owner, theirs.public_id, user.id)
    const panel = await listen(owner)
    await makeDue(app, user.id)
    await expectErased(app, user.id)
    expect((await me(manager)).data.recieved_managements).toEqual([])
    expect((await me(owner)).data.gived_managements).toEqual([])
    await panel.until((event) => event.event === 'account' && String(event.data.changed) === 'me,servers,activity,notifications')
    panel.close()
    const shown = { manager: (await manager.call(servers.list)).data, owner: (await owner.call(servers.list)).data }
    expect(shown.manager).toMatchObject({ incoming_transfers: [], management: [] })
    expect(shown.owner).toMatchObject({ outgoing_transfers: [] })
    expect(shown.owner.owned.map((server) => server.public_id)).toEqual([theirs.public_id])
    const read = {
      manager: (await manager.call(activity.ofAccount)).data,
      owner: (await owner.call(activity.ofAccount)).data,
    }
    const system = { as: 'system', actor: null }
    expect(read.manager).toMatchObject([
      { action: 'MANAGER_REVOKED', ...system, owner: null, user: { id: manager.id }, before: null },
      {
        action: 'TRANSFER_CANCELLED',
        ...system,
        owner: null,
        user: { id: manager.id },
        server: { public_id: ownServer.public_id, name: ownServer.public_id },
      },
      { action: 'TRANSFER_OFFERED', actor: null, owner: null, server: { name: ownServer.public_id } },
      { action: 'MANAGER_GRANTED', actor: null, owner: null, after: null },
      { action: 'ACCOUNT_CREATED' },
    ])
    expect(read.owner).toMatchObject([
      { action: 'MANAGER_REFUSED', ...system, owner: { id: owner.id }, user: null, before: { permissions: ['EDIT_DETAILS'] } },
      { action: 'TRANSFER_CANCELLED', ...system, owner: { id: owner.id }, user: null, server: { name: theirs.name } },
      { action: 'TRANSFER_OFFERED', user: null, server: { name: theirs.name } },
      { action: 'SERVER_CREATED' },
      { action: 'MANAGER_GRANTED', user: null, after: { permissions: ['EDIT_DETAILS'] } },
      { action: 'ACCOUNT_CREATED' },
    ])
  })

  test('actions as a manager stay in the owner’s activity, without an actor', async () => {
    const [user, owner] = [await newUser(), await newUser()]
    await grant(owner, user.id, ['EDIT_DETAILS'])
    const server = await buildServer(owner)
    const params = { ownerId: owner.id, serverId: server.public_id }
    await user.call(managers.changeManaged, { params, body: { description: 'Better' } })
    await makeDue(app, user.id)
    await expectErased(app, user.id)
    const [entry] = (await owner.call(activity.ofServer, { params: { id: server.public_id } })).data
    expect(entry).toMatchObject({ action: 'SERVER_CHANGED', as: 'manager', actor: null, after: { description: 'Better' } })
  })

  test('an offer of a leaving user can be accepted until then, which saves the server', async () => {
    const [user, friend] = [await newUser(slow), await newUser(slow)]
    const server = await buildServer(user)
    const created = await offer(user, server.public_id, friend.id)
    await requestDeletion(user)
    expect((await friend.call(transfers.accept, { params: { id: created.id } })).status).toBe(204)
    await makeDue(slow, user.id)
    await expectErased(slow, user.id)
    expect((await friend.call(servers.list)).data.owned.map((server) => server.public_id)).toEqual([server.public_id])
    const shown = (await friend.call(activity.ofServer, { params: { id: server.public_id } })).data
    expect(shown).toMatchObject([{ action: 'TRANSFER_ACCEPTED' }])
  })

  test('an offer to a leaving user can be withdrawn', async () => {
    const [user, friend] = [await newUser(slow), await newUser(slow)]
    const server = await buildServer(friend)
    const created = await offer(friend, server.public_id, user.id)
    await scheduleDeletion(slow, user.id)
    expect((await user.call(transfers.accept, { params: { id: created.id } })).status).toBe(403)
    expect((await friend.call(transfers.cancel, { params: { id: created.id } })).status).toBe(204)
  })
})
