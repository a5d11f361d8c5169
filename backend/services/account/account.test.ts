/** Account deletion: requesting, cancelling, and its consequences once due. */
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import * as account from '#contract/users/account.ts'
import * as activity from '#contract/events/activity.ts'
import * as auth from '#contract/users/auth.ts'
import type { Endpoint } from '#contract/api/endpoint.ts'
import { endpoints } from '#contract/index.ts'
import * as servers from '#contract/servers/servers.ts'
import * as usersAdmin from '#contract/users/users-admin.ts'
import { setAdministrator } from '#backend/core/users/administration.ts'
import { SOON, actionsOf, expectErased, makeDue, me, requestDeletion } from '#tests/account-deletion.ts'
import { announce, ban, buildServer } from '#tests/factories.ts'
import { type TestUser, startApp, type TestApp } from '#tests/harness.ts'
import { listen } from '#tests/listen.ts'
import { readList } from '#tests/list/send.ts'

let app: TestApp
/** An app with the default delay of a day. */
let slow: TestApp

beforeAll(async () => {
  app = await startApp(SOON)
  slow = await startApp()
})

const newUser = (where: TestApp = app) => where.newUser()
const cancelDeletion = (user: TestUser) => user.call(account.cancelDeletion)

describe('requesting a deletion', () => {
  test('returns the date, which `me` and the activity also show', async () => {
    const user = await newUser(slow)
    const before = Date.now()
    const requested = await requestDeletion(user)
    expect(requested.status, requested.text).toBe(200)
    const hours = (Date.parse(requested.data) - before) / 3_600_000
    expect(hours).toBeGreaterThan(23.99)
    expect(hours).toBeLessThan(24.01)
    expect((await me(user)).data.delete_at).toBe(requested.data)
    await cancelDeletion(user)
    const [cancelled, recorded] = (await user.call(activity.ofAccount)).data
    expect(recorded).toMatchObject({ action: 'ACCOUNT_DELETION_REQUESTED', as: 'self', after: { delete_at: requested.data } })
    expect(cancelled).toMatchObject({
      action: 'ACCOUNT_DELETION_CANCELLED',
      as: 'self',
      before: { delete_at: requested.data },
      after: { delete_at: null },
    })
  })

  test('permits only reading the account, cancelling and logging out', async () => {
    const user = await newUser(slow)
    await requestDeletion(user)
    const rejected = (endpoints as readonly Endpoint[]).filter(
      ({ access, route }) => !['public', 'session', 'unbanned', 'credential'].includes(access) && !route.includes('{'),
    )
    expect(rejected.length).toBeGreaterThan(8)
    for (const { route } of rejected) {
      const [method = '', path = ''] = route.split(' ')
      expect((await user.fetch(path, { method })).status, route).toBe(403)
    }
    expect((await requestDeletion(user)).error.errors).toEqual(['Your account is set for deletion. Cancel the deletion first.'])
    expect((await me(user)).status).toBe(200)
    expect((await user.call(auth.logOut)).status).toBe(204)
  })

  test('keeps the servers on the list until the deletion', async () => {
    const user = await newUser(slow)
    const { public_id, credential } = await buildServer(user)
    await announce(slow, credential)
    await requestDeletion(user)
    expect((await announce(slow, credential)).status).toBe(200)
    await expect.poll(async () => (await readList(slow)).map((row) => row.publicId)).toContain(public_id)
  })

  test('twenty times concurrently succeeds once', async () => {
    const user = await newUser(slow)
    const answers = await Promise.all(Array.from({ length: 20 }, () => requestDeletion(user)))
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 403)])
    await cancelDeletion(user)
    expect((await actionsOf(user)).filter((action) => action === 'ACCOUNT_DELETION_REQUESTED')).toHaveLength(1)
  })

  test('notifies open panels', async () => {
    const user = await newUser(slow)
    const panel = await listen(user)
    await requestDeletion(user)
    const shown = await panel.until((event) => event.event === 'account')
    expect(shown.data).toEqual({ changed: ['me'] })
    await expect.poll(panel.hasEnded, { interval: 10 }).toBe(true)
  })

  test('rejects a body and cross-site requests', async () => {
    const user = await newUser(slow)
    const [, path = ''] = account.requestDeletion.route.split(' ')
    const foreign = await user.fetch(path, { method: 'POST', headers: { origin: 'https://evil.example' } })
    expect(foreign.status).toBe(403)
    expect((await user.fetch(path, { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } })).status).toBe(400)
    expect((await me(user)).data.delete_at).toBeNull()
  })
})

describe('cancelling a deletion', () => {
  test('restores the account and its servers', async () => {
    const user = await newUser(slow)
    const server = await buildServer(user)
    await requestDeletion(user)
    expect((await cancelDeletion(user)).status).toBe(204)
    expect((await me(user)).data.delete_at).toBeNull()
    expect((await user.call(servers.list)).data.owned.map((server) => server.public_id)).toEqual([server.public_id])
  })

  test('does nothing without a pending deletion', async () => {
    const user = await newUser(slow)
    expect((await cancelDeletion(user)).status).toBe(204)
    expect(await actionsOf(user)).not.toContain('ACCOUNT_DELETION_CANCELLED')
  })

  test('is rejected once due, whether or not already erased', async () => {
    const user = await newUser(slow)
    // This lock blocks the erasure, so the call below is the first to wait for the row.
    const late = await slow.db.transaction().execute(async (trx) => {
      await trx
        .updateTable('users')
        .set({ delete_at: new Date(Date.now() - 1000) })
        .where('id', '=', user.id)
        .execute()
      const cancelling = cancelDeletion(user)
      await sleep(300)
      return { cancelling }
    })
    const answer = await late.cancelling
    expect([answer.status, answer.error.errors]).toEqual([403, ["It's too late to cancel: your account is being erased."]])
    await expectErased(slow, user.id)
    expect((await cancelDeletion(user)).error.errors).toEqual(['You are not signed in.'])
  })

  test('is rejected for banned users', async () => {
    const user = await newUser(slow)
    await requestDeletion(user)
    await ban(slow, user.id)
    expect((await cancelDeletion(user)).error.errors).toEqual(['Your account is banned.'])
  })
})

describe('administrators', () => {
  test('the last one cannot delete the account, one of two can, and of two concurrent requests one is rejected', async () => {
    const own = await startApp()
    const admin = await own.signIn('admin')
    const rejected = await requestDeletion(admin)
    expect([rejected.status, rejected.error.errors]).toEqual([
      403,
      ["You are the last administrator, so you can't delete your account. Make another user an administrator first."],
    ])
    expect((await me(admin)).data.delete_at).toBeNull()
    const second = await own.signIn('second')
    const { discord } = (await me(second)).data
    await setAdministrator(own.db, discord.discord_id, true)
    expect((await requestDeletion(admin)).status).toBe(200)
    expect((await requestDeletion(second)).status).toBe(403)
    await cancelDeletion(admin)
    for (let round = 0; round < 10; round += 1) {
      const answers = await Promise.all([requestDeletion(admin), requestDeletion(second)])
      expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 403])
      await Promise.all([cancelDeletion(admin), cancelDeletion(second)])
    }
    await own.close()
  })
})

describe('a ban', () => {
  test('suspends the erasure; lifting it restarts the delay', async () => {
    const admin = await app.signIn('admin')
    const user = await newUser()
    await requestDeletion(user)
    await admin.call(usersAdmin.banUser, { params: { id: user.id }, body: { banned: true } })
    const sentinel = await newUser()
    await makeDue(app, user.id, sentinel.id)
    await expectErased(app, sentinel.id)
    expect((await me(user)).data).toMatchObject({ banned: true })
    const before = Date.now()
    await admin.call(usersAdmin.banUser, { params: { id: user.id }, body: { banned: false } })
    const { data } = await me(user)
    expect(Date.parse(data.delete_at ?? '')).toBeGreaterThan(before)
    expect((await cancelDeletion(user)).status).toBe(204)
  })
})
