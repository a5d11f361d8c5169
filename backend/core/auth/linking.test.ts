/** Linking and unlinking ways to sign in, with two providers of OpenID Connect beside the local one. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as identities from '#contract/users/identities.ts'
import * as users from '#contract/users/users.ts'
import * as usersAdmin from '#contract/users/users-admin.ts'
import { ban, scheduleDeletion } from '#tests/factories.ts'
import type { FakeOidc } from '#tests/fakes/fake-oidc.ts'
import type { TestApp } from '#tests/harness.ts'
import {
  type Member,
  beginLink,
  beginOidc,
  complete,
  linkOidc,
  signInByOidc,
  signInLocally,
  signedIn,
  startWithProviders,
} from '#tests/oidc-sign-in.ts'

let app: TestApp
let main: FakeOidc
let spare: FakeOidc
let count = 0

beforeAll(async () => {
  ;({ app, main, spare } = await startWithProviders())
})

afterAll(async () => {
  await main.close()
  await spare.close()
})

const newName = () => `linker${(count += 1)}`
const waysOf = async (user: Member) => (await user.call(identities.list)).data.map(({ provider }) => provider)
const profileOf = async (user: Member) => (await user.call(users.me)).data.discord
const unlink = (user: Member, id: string) => user.call(identities.unlink, { params: { id } })
const sentenceOf = async (reply: Response) => ((await reply.json()) as { errors: string[] }).errors[0]

async function unlinkWay(user: Member, provider: string) {
  const way = (await user.call(identities.list)).data.find((each) => each.provider === provider)
  return unlink(user, way?.id ?? '')
}

/** By Discord and by the main provider. */
async function withTwoWays(): Promise<{ user: Member; name: string }> {
  const name = newName()
  const user = await signInLocally(app, name)
  expect((await linkOidc(app, user, 'main', main, { sub: name, preferred_username: `${name}-main` })).status).toBe(204)
  return { user, name }
}

/** Comes back from the local provider, in the place of Discord. */
async function beginDiscordLink(user: Member, username: string) {
  const begun = await user.call(identities.link, { body: { provider: 'discord' } })
  const cookie = begun.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
  const provider = await fetch(`${begun.text}&username=${username}`, { redirect: 'manual' })
  return { id: 'discord', cookie, query: new URL(provider.headers.get('location') ?? '').searchParams }
}

describe('linking', () => {
  test('lets the account sign in by another provider, and changes neither its name nor its sessions', async () => {
    const { user, name } = await withTwoWays()
    const again = await signInByOidc(app, 'main', main, { sub: name, preferred_username: 'renamed' })
    expect(again.id).toBe(user.id)
    expect((await profileOf(user)).username).toBe(name)
    expect((await user.call(identities.list)).data).toMatchObject([
      { provider: 'discord', label: 'Discord', name, linked_at: null },
      { id: expect.stringMatching(/^oidc:/), provider: 'main', label: 'Main ID', name: 'renamed', linked_at: expect.stringMatching(/Z$/) },
    ])
    const rows = await app.db
      .selectFrom('activity')
      .select(['role', 'after'])
      .where('owner_id', '=', user.id)
      .where('action', '=', 'IDENTITY_LINKED')
      .execute()
    expect(rows).toEqual([{ role: 'self', after: { provider: 'Main ID', name: `${name}-main` } }])
    const admin = await signInLocally(app, 'admin')
    expect((await admin.call(usersAdmin.adminUser, { params: { id: user.id } })).data.identities).toHaveLength(2)
  })

  test('of an identity that another account has is a 409, even at once', async () => {
    const [first, second] = [await signInLocally(app, newName()), await signInLocally(app, newName())]
    const as = { sub: 'wanted by two' }
    const begun = [await beginLink(first, 'spare', spare, as), await beginLink(second, 'spare', spare, as)] as const
    const replies = await Promise.all([complete(app, begun[0], first), complete(app, begun[1], second)])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([204, 409])
    const rejected = replies.find(({ status }) => status === 409)
    expect(rejected && (await sentenceOf(rejected))).toBe(
      'This Spare ID account belongs to another account here. Sign in to that account and unlink it first.',
    )
    const owner = await signInByOidc(app, 'main', main, { sub: 'has an account' })
    expect((await linkOidc(app, first, 'main', main, { sub: 'has an account' })).status).toBe(409)
    expect(await waysOf(owner)).toEqual(['main'])
    // Its own is no conflict.
    expect((await linkOidc(app, owner, 'main', main, { sub: 'has an account' })).status).toBe(204)
  })

  test('at the same time as its first sign-in, an identity gets one account', async () => {
    for (let round = 0; round < 8; round += 1) {
      const [user, as] = [await signInLocally(app, newName()), { sub: newName() }]
      const [link, signIn] = [await beginLink(user, 'main', main, as), await beginOidc(app, 'main', main, as)]
      const [linked, done] = await Promise.all([complete(app, link, user), complete(app, signIn)])
      const member = await signedIn(app, done)
      expect([member.id === user.id, linked.status]).toEqual(linked.status === 204 ? [true, 204] : [false, 409])
      expect(await waysOf(member)).toContain('main')
    }
  })

  test('of a second identity of one provider is a 409', async () => {
    const { user } = await withTwoWays()
    const rejected = await linkOidc(app, user, 'main', main, { sub: newName() })
    expect([rejected.status, await sentenceOf(rejected)]).toEqual([
      409,
      'Your account is already linked to another Main ID account. Unlink that one first.',
    ])
  })

  test('needs the session that started, and no other', async () => {
    const [user, other] = [await signInLocally(app, newName()), await signInLocally(app, newName())]
    const as = { sub: newName() }
    const begin = () => beginLink(user, 'main', main, as)
    for (const by of [undefined, other]) {
      const rejected = await complete(app, await begin(), by)
      expect(rejected.status).toBe(403)
      expect(rejected.headers.getSetCookie().join()).not.toContain('muster_session')
    }
    expect([await waysOf(user), await waysOf(other)]).toEqual([['discord'], ['discord']])
    // Nor does the browser that does not know the state.
    const { cookie: _, ...callback } = await begin()
    expect((await complete(app, { ...callback, cookie: '' }, other)).status).toBe(400)
    expect(await app.db.selectFrom('identities').select('subject').where('subject', '=', as.sub).execute()).toEqual([])
  })

  test('is closed to signed-out, banned and leaving users, also if they began before', async () => {
    expect((await app.anonymous.call(identities.link, { body: { provider: 'main' } })).status).toBe(403)
    for (const stop of [ban, scheduleDeletion]) {
      const user = await signInLocally(app, newName())
      const callback = await beginLink(user, 'main', main, { sub: newName() })
      await stop(app, user.id)
      expect((await complete(app, callback, user)).status).toBe(403)
      expect((await user.call(identities.link, { body: { provider: 'main' } })).status).toBe(403)
      expect((await user.call(identities.unlink, { params: { id: 'x' } })).status).toBe(403)
    }
  })

  test.each(['nobody', 'MAIN', '', 'x'.repeat(33), 1, null])('by the unknown provider %j is rejected', async (provider) => {
    const user = await signInLocally(app, 'linker')
    const reply = await user.call(identities.link, { body: { provider: provider as string } })
    expect(reply.status).toBe(provider === 'nobody' || provider === 'MAIN' ? 404 : 400)
  })
})

describe('Discord', () => {
  test('can be linked: the account gets its ID, name and tier', async () => {
    const [name, sub] = [newName(), newName()]
    const known = await signInLocally(app, `${name}_known`)
    const { discord_id: takenId } = await profileOf(known)
    const user = await signInByOidc(app, 'main', main, { sub, preferred_username: 'by-main' })
    const taken = await complete(app, await beginDiscordLink(user, `${name}_known`), user)
    expect([taken.status, await sentenceOf(taken)]).toEqual([
      409,
      'This Discord account belongs to another account here. Sign in to that account and unlink it first.',
    ])
    expect((await complete(app, await beginDiscordLink(user, name), user)).status).toBe(204)
    expect(await profileOf(user)).toMatchObject({ discord_id: expect.stringMatching(/^\d{18}$/), username: name })
    expect((await signInLocally(app, name)).id).toBe(user.id)
    expect((await profileOf(await signInByOidc(app, 'main', main, { sub, preferred_username: 'by-main' }))).username).toBe(name)
    expect((await complete(app, await beginDiscordLink(user, `${name}_other`), user)).status).toBe(409)
    expect((await profileOf(known)).discord_id).toBe(takenId)
  })

  test('of one person is linked to one of two accounts that link it at once', async () => {
    const name = newName()
    const rivals = [await signInByOidc(app, 'main', main, { sub: newName() }), await signInByOidc(app, 'main', main, { sub: newName() })]
    const links = await Promise.all(rivals.map((user) => beginDiscordLink(user, name)))
    const replies = await Promise.all(links.map((link, index) => complete(app, link, rivals[index])))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([204, 409])
  })

  test('can be unlinked: the account keeps what it has, under the ID and name of its other identity', async () => {
    const { user, name } = await withTwoWays()
    const { discord_id: discordId } = await profileOf(user)
    const member = { provider: 'patreon', member_id: name, discord_id: discordId, tier: 'GOLD' }
    await app.db.insertInto('supporters').values(member).execute()
    await app.db.updateTable('users').set({ owned_tier: 'GOLD' }).where('id', '=', user.id).execute()
    expect((await unlinkWay(user, 'discord')).status).toBe(204)
    const { data } = await user.call(users.me)
    expect(data).toMatchObject({ id: user.id, owned_tier: null, discord: { username: `${name}-main`, avatar: null } })
    expect(data.discord.discord_id).toMatch(/^oidc:[\w-]{22}$/)
    expect(await waysOf(user)).toEqual(['main'])
    // Discord then opens an account of its own, which has the tier of its memberships.
    const other = await signInLocally(app, name)
    expect(other.id).not.toBe(user.id)
    expect((await other.call(users.me)).data.owned_tier).toBe('GOLD')
    // The names differ, so both are found.
    expect((await user.call(users.publicUserByName, { params: { username: `${name}-main` } })).data.id).toBe(user.id)
  })

  test('goes before another provider if a name is searched that both have', async () => {
    const name = newName()
    const ofDiscord = await signInLocally(app, name)
    const pretender = await signInByOidc(app, 'spare', spare, { sub: name, preferred_username: name })
    const found = () => pretender.call(users.publicUserByName, { params: { username: name } })
    expect((await found()).data.id).toBe(ofDiscord.id)
    await app.db.updateTable('users').set({ username: 'gone' }).where('id', '=', ofDiscord.id).execute()
    expect((await found()).data.id).toBe(pretender.id)
  })
})

describe('unlinking', () => {
  test('ends that way in, and the identity can open an account of its own', async () => {
    const { user, name } = await withTwoWays()
    expect((await unlinkWay(user, 'main')).status).toBe(204)
    expect(await waysOf(user)).toEqual(['discord'])
    expect((await signInByOidc(app, 'main', main, { sub: name })).id).not.toBe(user.id)
    const rows = await app.db
      .selectFrom('activity')
      .select('before')
      .where('owner_id', '=', user.id)
      .where('action', '=', 'IDENTITY_UNLINKED')
      .execute()
    expect(rows).toEqual([{ before: { provider: 'Main ID', name: `${name}-main` } }])
  })

  test('of the identity whose ID the account has passes the ID on, so that it is free', async () => {
    const sub = newName()
    const user = await signInByOidc(app, 'main', main, { sub, preferred_username: 'first' })
    await linkOidc(app, user, 'spare', spare, { sub, preferred_username: 'second' })
    const { discord_id: formerId } = await profileOf(user)
    expect((await unlinkWay(user, 'main')).status).toBe(204)
    expect(await profileOf(user)).toMatchObject({ username: 'second', discord_id: expect.not.stringMatching(formerId) })
    const other = await signInByOidc(app, 'main', main, { sub })
    expect((await profileOf(other)).discord_id).toBe(formerId)
    expect(other.id).not.toBe(user.id)
  })

  test('of the last way in is a 409: of Discord alone, and of one provider alone', async () => {
    const byDiscord = await signInLocally(app, newName())
    const byMain = await signInByOidc(app, 'main', main, { sub: newName() })
    for (const [user, provider] of [
      [byDiscord, 'discord'],
      [byMain, 'main'],
    ] as const) {
      const { status, error } = await unlinkWay(user, provider)
      expect([status, error.errors]).toEqual([409, ['This is your last way to sign in. Link another one first.']])
      expect(await waysOf(user)).toEqual([provider])
    }
  })

  test('of both at once leaves one', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { user } = await withTwoWays()
      const replies = await Promise.all(['discord', 'main'].map((provider) => unlinkWay(user, provider)))
      expect(replies.map(({ status }) => status).toSorted()).toEqual([204, 409])
      expect(await waysOf(user)).toHaveLength(1)
    }
  })

  test('does not count a provider that is no longer configured', async () => {
    const user = await signInLocally(app, newName())
    const former = { issuer: 'https://gone.example/realm', subject: user.id, user_id: user.id, name: 'former' }
    await app.db.insertInto('identities').values(former).execute()
    const { data } = await user.call(identities.list)
    expect(data[1]).toMatchObject({ provider: null, label: 'gone.example', name: 'former' })
    expect((await unlinkWay(user, 'discord')).status).toBe(409)
    expect((await unlink(user, data[1]?.id ?? '')).status).toBe(204)
    expect(await waysOf(user)).toEqual(['discord'])
  })

  test('of what another user has, or nobody, is a 404', async () => {
    const { user } = await withTwoWays()
    const stranger = await signInLocally(app, newName())
    const ids = (await user.call(identities.list)).data.map(({ id }) => id)
    for (const id of [...ids, 'oidc:', 'oidc:AAAAAAAAAAAAAAAAAAAAAA', '1', "' or 1=1 --", '%00', 'x'.repeat(300)])
      expect((await unlink(stranger, id)).status, id).toBe(404)
    expect(await waysOf(user)).toEqual(['discord', 'main'])
  })
})
