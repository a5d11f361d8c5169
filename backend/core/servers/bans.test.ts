/** Bans of servers and of users. */
import { beforeAll, describe, expect, test } from 'vitest'
import * as activity from '#contract/events/activity.ts'
import * as servers from '#contract/servers/servers.ts'
import * as admin from '#contract/servers/servers-admin.ts'
import * as users from '#contract/users/users.ts'
import { banUser } from '#contract/users/users-admin.ts'
import { announce, buildServer } from '#tests/factories.ts'
import { type TestUser, type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'

let app: TestApp
let administrator: SignedInUser
beforeAll(async () => {
  app = await startApp()
  administrator = await app.signIn('admin')
})

const newUser = () => app.newUser()
const ban = (id: string, body?: Record<string, unknown>, by: TestUser = administrator) =>
  by.call(admin.banServer, { params: { id }, ...(body !== undefined && { body: body as never }) })
const get = (id: string) => administrator.call(admin.adminServer, { params: { id } })
const listed = async () =>
  ((await (await fetch(`${app.listUrl}/servers`)).json()) as { publicId: string }[]).map((server) => server.publicId)
const actionsOf = async (owner: TestUser, id: string) =>
  (await owner.call(activity.ofServer, { params: { id } })).data.map(({ action, as, actor }) => [action, as, actor])
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()

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
    expect(await actionsOf(owner, id)).toContainEqual(['SERVER_UNBANNED', 'system', null])
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
