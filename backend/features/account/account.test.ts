import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import * as account from '#contract/account.ts'
import * as activity from '#contract/activity.ts'
import * as auth from '#contract/auth.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/index.ts'
import * as managers from '#contract/managers.ts'
import * as servers from '#contract/servers.ts'
import * as transfers from '#contract/transfers.ts'
import * as users from '#contract/users.ts'
import * as usersAdmin from '#contract/users-admin.ts'
import { setAdministrator } from '#backend/features/users/administration.ts'
import { announce, ban, buildServer, grant, markLeaving, offer } from '#tests/factories.ts'
import { type Person, startApp, type TestApp } from '#tests/harness.ts'
import { listen } from '#tests/listen.ts'
import { announceFrom, readList } from '#tests/list/send.ts'

/** A little over a second: long enough to act within it, short enough to wait for. */
const SOON = { ACCOUNT_DELETION_DELAY_HOURS: '0.0003' }

let app: TestApp
/** The same with the default delay of a day. */
let slow: TestApp

beforeAll(async () => {
  app = await startApp(SOON)
  slow = await startApp()
})

const someone = (where: TestApp = app) => where.someone()
const leave = (person: Person) => person.call(account.requestDeletion)
const stay = (person: Person) => person.call(account.cancelDeletion)
const me = (person: Person) => person.call(users.me)
const actionsOf = async (person: Person) => (await person.call(activity.ofAccount)).data.map((entry) => entry.action)

async function isGone(where: TestApp, userId: string): Promise<boolean> {
  return (await where.db.selectFrom('users').select('id').where('id', '=', userId).executeTakeFirst()) === undefined
}

async function erased(where: TestApp, userId: string): Promise<void> {
  await expect.poll(() => isGone(where, userId), { timeout: 10_000, interval: 50 }).toBe(true)
}

/** Makes the deletion due. */
async function makeDue(where: TestApp, ...userIds: string[]): Promise<void> {
  await where.db
    .updateTable('users')
    .set({ delete_at: new Date(Date.now() - 1000) })
    .where('id', 'in', userIds)
    .execute()
}

describe('requesting a deletion', () => {
  test('returns the date, which `me` and the activity show too', async () => {
    const person = await someone(slow)
    const before = Date.now()
    const asked = await leave(person)
    expect(asked.status, asked.text).toBe(200)
    const hours = (Date.parse(asked.data) - before) / 3_600_000
    expect(hours).toBeGreaterThan(23.99)
    expect(hours).toBeLessThan(24.01)
    expect((await me(person)).data.delete_at).toBe(asked.data)
    await stay(person)
    const [cancelled, requested] = (await person.call(activity.ofAccount)).data
    expect(requested).toMatchObject({ action: 'ACCOUNT_DELETION_REQUESTED', as: 'self', after: { delete_at: asked.data } })
    expect(cancelled).toMatchObject({
      action: 'ACCOUNT_DELETION_CANCELLED',
      as: 'self',
      before: { delete_at: asked.data },
      after: { delete_at: null },
    })
  })

  test('permits only reading the account, canceling and logging out', async () => {
    const person = await someone(slow)
    await leave(person)
    const rejected = (endpoints as readonly Endpoint[]).filter(
      ({ access, route }) => !['public', 'session', 'unbanned', 'credential'].includes(access) && !route.includes('{'),
    )
    expect(rejected.length).toBeGreaterThan(8)
    for (const { route } of rejected) {
      const [method = '', path = ''] = route.split(' ')
      expect((await person.fetch(path, { method })).status, route).toBe(403)
    }
    expect((await leave(person)).error.errors).toEqual(['Your account is set for deletion. Cancel the deletion first.'])
    expect((await me(person)).status).toBe(200)
    expect((await person.call(auth.logOut)).status).toBe(204)
  })

  test('keeps the servers on the list until the deletion', async () => {
    const person = await someone(slow)
    const { public_id, credential } = await buildServer(person)
    await announce(slow, credential)
    await leave(person)
    expect((await announce(slow, credential)).status).toBe(200)
    await expect.poll(async () => (await readList(slow)).map((row) => row.publicId)).toContain(public_id)
  })

  test('twenty times concurrently sets one date', async () => {
    const person = await someone(slow)
    const asked = await Promise.all(Array.from({ length: 20 }, () => leave(person)))
    expect(asked.map((one) => one.status).toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 403)])
    await stay(person)
    expect((await actionsOf(person)).filter((action) => action === 'ACCOUNT_DELETION_REQUESTED')).toHaveLength(1)
  })

  test('notifies open panels', async () => {
    const person = await someone(slow)
    const panel = await listen(person)
    await leave(person)
    const shown = await panel.until((one) => one.event === 'account')
    expect(shown.data).toEqual({ changed: ['me'] })
    await expect.poll(panel.hasEnded, { interval: 10 }).toBe(true)
  })

  test('rejects a body and cross-site requests', async () => {
    const person = await someone(slow)
    const [, path = ''] = account.requestDeletion.route.split(' ')
    const foreign = await person.fetch(path, { method: 'POST', headers: { origin: 'https://evil.example' } })
    expect(foreign.status).toBe(403)
    expect((await person.fetch(path, { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } })).status).toBe(
      400,
    )
    expect((await me(person)).data.delete_at).toBeNull()
  })
})

describe('canceling a deletion', () => {
  test('restores everything', async () => {
    const person = await someone(slow)
    const server = await buildServer(person)
    await leave(person)
    expect((await stay(person)).status).toBe(204)
    expect((await me(person)).data.delete_at).toBeNull()
    expect((await person.call(servers.list)).data.owned.map((one) => one.public_id)).toEqual([server.public_id])
  })

  test('does nothing without a pending deletion', async () => {
    const person = await someone(slow)
    expect((await stay(person)).status).toBe(204)
    expect(await actionsOf(person)).not.toContain('ACCOUNT_DELETION_CANCELLED')
  })

  test('is rejected once due, whether or not already erased', async () => {
    const person = await someone(slow)
    // This lock blocks the erasure, so the call below is the first to wait for the row.
    const late = await slow.db.transaction().execute(async (trx) => {
      await trx
        .updateTable('users')
        .set({ delete_at: new Date(Date.now() - 1000) })
        .where('id', '=', person.id)
        .execute()
      const asked = stay(person)
      await sleep(300)
      return { asked }
    })
    const answer = await late.asked
    expect([answer.status, answer.error.errors]).toEqual([403, ["It's too late to cancel: your account is being erased."]])
    await erased(slow, person.id)
    expect((await stay(person)).error.errors).toEqual(['You are not signed in.'])
  })

  test('is rejected for banned users', async () => {
    const person = await someone(slow)
    await leave(person)
    await ban(slow, person.id)
    expect((await stay(person)).error.errors).toEqual(['Your account is banned.'])
  })
})

describe('administrators', () => {
  test('the last one cannot leave, the second-last can, and of two concurrent requests one fails', async () => {
    const own = await startApp()
    const admin = await own.signIn('admin')
    const rejected = await leave(admin)
    expect([rejected.status, rejected.error.errors]).toEqual([
      403,
      ["You are the last administrator, so you can't delete your account. Make another user an administrator first."],
    ])
    expect((await me(admin)).data.delete_at).toBeNull()
    const second = await own.signIn('second')
    const { discord } = (await me(second)).data
    await setAdministrator(own.db, discord.discord_id, true)
    expect((await leave(admin)).status).toBe(200)
    expect((await leave(second)).status).toBe(403)
    await stay(admin)
    for (let round = 0; round < 10; round += 1) {
      const asked = await Promise.all([leave(admin), leave(second)])
      expect(asked.map((one) => one.status).toSorted()).toEqual([200, 403])
      await Promise.all([stay(admin), stay(second)])
    }
    await own.close()
  })
})

describe('a ban', () => {
  test('suspends the erasure; lifting it restarts the delay', async () => {
    const admin = await app.signIn('admin')
    const person = await someone()
    await leave(person)
    await admin.call(usersAdmin.banUser, { params: { id: person.id }, body: { banned: true } })
    const sentinel = await someone()
    await makeDue(app, person.id, sentinel.id)
    await erased(app, sentinel.id)
    expect((await me(person)).data).toMatchObject({ banned: true })
    const before = Date.now()
    await admin.call(usersAdmin.banUser, { params: { id: person.id }, body: { banned: false } })
    const { data } = await me(person)
    expect(Date.parse(data.delete_at ?? '')).toBeGreaterThan(before)
    expect((await stay(person)).status).toBe(204)
  })
})

describe('once due', () => {
  test('sessions, data and credentials of the user no longer work', async () => {
    const [person, friend] = [await someone(), await someone()]
    const name = (await me(person)).data.discord.username
    const { public_id, credential } = await buildServer(person)
    await announce(app, credential)
    await expect.poll(async () => (await readList(app)).map((row) => row.publicId)).toContain(public_id)
    const otherSession = await app.signIn(name)
    const panel = await listen(person)
    expect((await leave(person)).status).toBe(200)
    await erased(app, person.id)
    await expect.poll(() => panel.hasEnded()).toBe(true)
    for (const session of [person, otherSession]) {
      const answer = await me(session)
      expect([answer.status, answer.error.errors]).toEqual([403, ['You are not signed in.']])
    }
    await expect.poll(async () => (await readList(app)).map((row) => row.publicId)).not.toContain(public_id)
    const late = await announceFrom(app, credential)
    expect([late.status, late.rejection.code]).toEqual([401, 'CREDENTIAL_REVOKED'])
    expect((await friend.call(users.publicUser, { params: { id: person.id } })).status).toBe(404)
    expect((await friend.call(users.publicUserByName, { params: { username: name } })).status).toBe(404)
    await app.restart()
    expect((await announceFrom(app, credential)).rejection.code).toBe('CREDENTIAL_REVOKED')
  })

  test('signing in again creates a new account', async () => {
    const person = await someone()
    const { username } = (await me(person)).data.discord
    await buildServer(person)
    await leave(person)
    await erased(app, person.id)
    const newAccount = await app.signIn(username)
    expect(newAccount.id).not.toBe(person.id)
    expect((await me(newAccount)).data).toMatchObject({ delete_at: null, gived_managements: [], recieved_managements: [] })
    expect((await newAccount.call(servers.list)).data).toMatchObject({ owned: [], outgoing_transfers: [], management: [] })
    expect(await actionsOf(newAccount)).toEqual(['ACCOUNT_CREATED'])
  })

  test('offers and grants in both directions end, and the other users see it without a name', async () => {
    const [person, manager, owner] = [await someone(), await someone(), await someone()]
    await grant(person, manager.id, ['EDIT_DETAILS'])
    await grant(owner, person.id, ['EDIT_DETAILS'])
    const ownServer = await buildServer(person, { description: 'written by the user' })
    const theirs = await buildServer(owner)
    await offer(person, ownServer.public_id, manager.id)
    await offer(owner, theirs.public_id, person.id)
    const panel = await listen(owner)
    await makeDue(app, person.id)
    await erased(app, person.id)
    expect((await me(manager)).data.recieved_managements).toEqual([])
    expect((await me(owner)).data.gived_managements).toEqual([])
    await panel.until((one) => one.event === 'account' && String(one.data.changed) === 'me,servers,activity')
    panel.close()
    const shown = { manager: (await manager.call(servers.list)).data, owner: (await owner.call(servers.list)).data }
    expect(shown.manager).toMatchObject({ incoming_transfers: [], management: [] })
    expect(shown.owner).toMatchObject({ outgoing_transfers: [] })
    expect(shown.owner.owned.map((one) => one.public_id)).toEqual([theirs.public_id])
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
    const [person, owner] = [await someone(), await someone()]
    await grant(owner, person.id, ['EDIT_DETAILS'])
    const server = await buildServer(owner)
    const params = { ownerId: owner.id, serverId: server.public_id }
    await person.call(managers.changeManaged, { params, body: { description: 'Better' } })
    await makeDue(app, person.id)
    await erased(app, person.id)
    const [entry] = (await owner.call(activity.ofServer, { params: { id: server.public_id } })).data
    expect(entry).toMatchObject({ action: 'SERVER_CHANGED', as: 'manager', actor: null, after: { description: 'Better' } })
  })

  test('an offer of a leaving user can be accepted until then, which saves the server', async () => {
    const [person, friend] = [await someone(slow), await someone(slow)]
    const server = await buildServer(person)
    const made = await offer(person, server.public_id, friend.id)
    await leave(person)
    expect((await friend.call(transfers.accept, { params: { id: made.id } })).status).toBe(204)
    await makeDue(slow, person.id)
    await erased(slow, person.id)
    expect((await friend.call(servers.list)).data.owned.map((one) => one.public_id)).toEqual([server.public_id])
    const shown = (await friend.call(activity.ofServer, { params: { id: server.public_id } })).data
    expect(shown).toMatchObject([{ action: 'TRANSFER_ACCEPTED' }])
  })

  test('an offer to a leaving user can be withdrawn', async () => {
    const [person, friend] = [await someone(slow), await someone(slow)]
    const server = await buildServer(friend)
    const made = await offer(friend, server.public_id, person.id)
    await markLeaving(slow, person.id)
    expect((await person.call(transfers.accept, { params: { id: made.id } })).status).toBe(403)
    expect((await friend.call(transfers.cancel, { params: { id: made.id } })).status).toBe(204)
  })
})
