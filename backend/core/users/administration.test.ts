/** Administration of users: bans, limits, and finding users. */
import { lockAdministrators } from '#backend/platform/database/lock-order.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import * as managers from '#contract/servers/managers.ts'
import * as servers from '#contract/servers/servers.ts'
import * as transfers from '#contract/servers/transfers.ts'
import * as users from '#contract/users/users.ts'
import * as admin from '#contract/users/users-admin.ts'
import { announce, buildServer, grant, offer } from '#tests/factories.ts'
import { type TestUser, type SignedInUser, startApp, type TestApp } from '#tests/harness.ts'
import { setAdministrator } from './administration.ts'
import { changeUserBan } from './bans.ts'

let app: TestApp
let administrator: SignedInUser
beforeAll(async () => {
  app = await startApp()
  administrator = await app.signIn('admin')
})

const newUser = () => app.newUser()
const setBan = (id: string, body?: { banned?: boolean; banReason?: string }, by: TestUser = administrator) =>
  by.call(admin.banUser, { params: { id }, ...(body !== undefined && { body }) })
const onList = async () =>
  ((await (await fetch(`${app.listUrl}/servers`)).json()) as { publicId: string }[]).map((server) => server.publicId)
const me = async (user: TestUser) => (await user.call(users.me)).data

describe('a ban', () => {
  test('shows its reason to the banned user, who can only read their profile and log out', async () => {
    const user = await newUser()
    const banned = await setBan(user.id, { banReason: 'Selling places' })
    expect(banned.status).toBe(200)
    expect(banned.data).toMatchObject({ id: user.id, banned: true, ban_reason: 'Selling places', masterListTokens: [] })
    expect(await me(user)).toMatchObject({ banned: true, ban_reason: 'Selling places' })
    const rejected = await user.call(servers.list)
    expect([rejected.status, rejected.error.errors]).toEqual([403, ['Your account is banned.']])
  })

  test('works without a body and without a reason', async () => {
    const user = await newUser()
    expect((await setBan(user.id)).data.banned).toBe(true)
    expect(await me(user)).not.toHaveProperty('ban_reason')
  })

  test('keeps the existing reason when repeated without one', async () => {
    const user = await newUser()
    await setBan(user.id, { banReason: 'First' })
    expect((await setBan(user.id)).data.ban_reason).toBe('First')
    expect((await setBan(user.id, { banReason: 'Second' })).data.ban_reason).toBe('Second')
    expect((await setBan(user.id, { banned: false })).data).not.toHaveProperty('ban_reason')
  })

  test('removes the servers from the list and rejects their announces until it is lifted', async () => {
    const user = await newUser()
    const server = await buildServer(user)
    await announce(app, server.credential)
    await expect.poll(onList).toContain(server.public_id)
    await setBan(user.id)
    await expect.poll(onList).not.toContain(server.public_id)
    const rejected = await announce(app, server.credential)
    expect([rejected.status, ((await rejected.json()) as { code: string }).code]).toEqual([403, 'OWNER_BANNED'])
    await setBan(user.id, { banned: false })
    expect((await announce(app, server.credential)).status).toBe(200)
    await expect.poll(onList).toContain(server.public_id)
    expect((await user.call(servers.list)).data.owned).toHaveLength(1)
  })

  test("removes all of the user's servers from the list before the call returns", async () => {
    const user = await newUser()
    const created = [await buildServer(user), await buildServer(user)]
    for (const { credential } of created) expect((await announce(app, credential)).status).toBe(200)
    await changeUserBan(app.db, administrator.id, user.id, { banned: true }, 24)
    for (const { credential } of created) expect((await announce(app, credential)).status).toBe(403)
  })

  test("ends the user's offers in both directions, and keeps their manager grants", async () => {
    const [user, other, manager] = [await newUser(), await newUser(), await newUser()]
    const [mine, theirs] = [await buildServer(user), await buildServer(other)]
    const out = await offer(user, mine.public_id, other.id)
    const incoming = await offer(other, theirs.public_id, user.id)
    await grant(user, manager.id, ['EDIT_DETAILS'])
    await setBan(user.id)
    const { data: left } = await other.call(servers.list)
    expect([left.incoming_transfers, left.outgoing_transfers]).toEqual([[], []])
    await setBan(user.id, { banned: false })
    expect((await other.call(transfers.accept, { params: { id: out.id } })).status).toBe(404)
    expect((await user.call(transfers.accept, { params: { id: incoming.id } })).status).toBe(404)
    expect((await me(user)).gived_managements).toHaveLength(1)
  })

  test('of a manager prevents them from changing servers', async () => {
    const [owner, manager] = [await newUser(), await newUser()]
    const server = await buildServer(owner)
    await grant(owner, manager.id, ['EDIT_DETAILS'])
    await setBan(manager.id)
    const params = { ownerId: owner.id, serverId: server.public_id }
    expect((await manager.call(managers.changeManaged, { params, body: { description: 'x' } })).status).toBe(403)
  })

  test('is rejected with a message for invalid input', async () => {
    const user = await newUser()
    expect((await setBan('nobody')).status).toBe(404)
    expect((await setBan('0198c000-0000-7000-8000-000000000000')).status).toBe(404)
    expect((await setBan(user.id, { banned: 'yes' } as never)).status).toBe(400)
    expect((await setBan(user.id, { banReason: 'x'.repeat(501) })).error.errors).toEqual(['The reason can be at most 500 characters long.'])
    expect((await setBan(user.id, { why: 'x' } as never)).status).toBe(400)
    // A null body differs from a missing one.
    expect((await setBan(user.id, null as never)).status).toBe(400)
    expect((await me(user)).banned).toBe(false)
  })

  test('lets an administrator ban themselves only while another one remains', async () => {
    const rejectedSelfBan = await setBan(administrator.id)
    expect(rejectedSelfBan.status).toBe(403)
    expect(rejectedSelfBan.error.errors[0]).toMatch(/^You are the last administrator, so you can't ban yourself/)
    const second = await newUser()
    await app.db.insertInto('benefit_grants').values({ user_id: second.id, key: 'ADMIN' }).execute()
    expect((await setBan(second.id, {}, second)).status).toBe(200)
    expect((await setBan(administrator.id)).status).toBe(403)
    expect((await setBan(second.id, { banned: false })).status).toBe(200)
    await app.db.deleteFrom('benefit_grants').where('user_id', '=', second.id).execute()
  })
})

test('the command that revokes ADMIN waits for calls that count administrators', async () => {
  const second = await newUser()
  const { discord_id: discordId } = (await me(second)).discord
  await setAdministrator(app.db, discordId, true)
  let isDone = false
  const transaction = await app.db.transaction().execute(async (trx) => {
    await lockAdministrators(trx)
    const revocation = setAdministrator(app.db, discordId, false).then(() => {
      isDone = true
    })
    await sleep(200)
    expect(isDone).toBe(false)
    return { revocation }
  })
  await transaction.revocation
  expect((await me(second)).benefits).toEqual([])
})

describe('limits', () => {
  const setLimits = (id: string, body: object) => administrator.call(admin.changeLimits, { params: { id }, body: body as admin.Limits })

  test("of a user override the tier's one by one, and null restores the tier's", async () => {
    const user = await newUser()
    const set = await setLimits(user.id, { max_masterlist_tokens: 1, max_managers: 0 })
    expect(set.data).toMatchObject({ max_masterlist_tokens: 1, max_managers: 0, max_masterlist_groups: 0 })
    const server = await buildServer(user)
    expect((await user.call(servers.create, { body: { name: 'One too many' } })).error.errors).toEqual([
      'You have reached your limit of 1 servers.',
    ])
    await setLimits(user.id, { max_masterlist_tokens: null })
    expect(await me(user)).toMatchObject({ max_masterlist_tokens: 3, max_managers: 0 })
    expect((await user.call(servers.list)).data.owned.map((server) => server.public_id)).toEqual([server.public_id])
  })

  test('lowered below the current number remove nothing', async () => {
    const [owner, manager] = [await newUser(), await newUser()]
    await buildServer(owner)
    await grant(owner, manager.id, ['EDIT_DETAILS'])
    await setLimits(owner.id, { max_masterlist_tokens: 0, max_managers: 0 })
    expect((await owner.call(servers.list)).data.owned).toHaveLength(1)
    expect((await me(owner)).gived_managements).toHaveLength(1)
  })

  test.each([[-1], [1.5], [1001], ['7'], [true]])('of %s are rejected with a message', async (value) => {
    const user = await newUser()
    const rejected = await setLimits(user.id, { max_managers: value })
    expect(rejected.status).toBe(400)
    expect(rejected.error.errors).toHaveLength(1)
    expect((await me(user)).max_managers).toBe(2)
  })
})

describe('finding a user', () => {
  const find = (by: TestUser, username: string) => by.call(users.publicUserByName, { params: { username } })

  test('by the whole name, case-insensitive, returns only the public profile', async () => {
    const [seeker, user] = [await newUser(), await app.signIn('findme')]
    const found = await find(seeker, 'FindMe')
    expect(found.data).toEqual({ id: user.id, discord: { discord_id: expect.stringMatching(/^\d+$/), username: 'findme', avatar: null } })
    expect((await seeker.call(users.publicUser, { params: { id: user.id } })).data).toEqual(found.data)
  })

  test.each(['findm', 'findme2', 'find%', '_indme', ' findme', '%00', '\0', "'", 'x'.repeat(500)])(
    'by the name %j gets 404',
    async (name) => {
      const seeker = await newUser()
      expect((await find(seeker, name)).status).toBe(404)
    },
  )

  test.each(['nobody', '0198c000-0000-7000-8000-000000000000', '%00'])('by the ID %s gets 404', async (id) => {
    const seeker = await newUser()
    expect((await seeker.call(users.publicUser, { params: { id } })).status).toBe(404)
  })

  test('returns the last to sign in of two users with one name', async () => {
    const [seeker, old] = [await newUser(), await app.signIn('renamed_away')]
    await app.db
      .updateTable('users')
      .set({ username: 'famous', signed_in_at: new Date(0) })
      .where('id', '=', old.id)
      .execute()
    const current = await app.signIn('famous')
    expect((await find(seeker, 'famous')).data.id).toBe(current.id)
  })

  test('is rate-limited', async () => {
    const limited = await startApp({ RATE_LIMITS: 'on' })
    const seeker = await limited.signIn('seeker')
    for (let count = 0; count < 20; count += 1) expect((await find(seeker, `nobody${count}`)).status).toBe(404)
    const rejected = await find(seeker, 'seeker')
    expect(rejected.status).toBe(429)
    limited.clock.advance(Number(rejected.headers.get('retry-after')) * 1000)
    expect((await find(seeker, 'seeker')).status).toBe(200)
  })
})
