/** Roles by groups of a provider of OpenID Connect, and administrators by configured IDs. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as identities from '#contract/users/identities.ts'
import * as users from '#contract/users/users.ts'
import * as usersAdmin from '#contract/users/users-admin.ts'
import type { FakeOidc } from '#tests/fakes/fake-oidc.ts'
import type { TestApp } from '#tests/harness.ts'
import { type Member, beginOidc, complete, linkOidc, signInByOidc, signInLocally, startWithProviders } from '#tests/oidc-sign-in.ts'
import { oidcIdOf } from './oidc-claims.ts'

const GROUPS = { GROUPS_CLAIM: 'groups', GROUP_ROLES: '/staff = ADMIN, k=v=ADMIN' }

let app: TestApp
let main: FakeOidc
let spare: FakeOidc
let admin: Member
let count = 0

beforeAll(async () => {
  ;({ app, main, spare } = await startWithProviders({}, GROUPS))
  admin = await signInLocally(app, 'admin')
})

afterAll(async () => {
  await main.close()
  await spare.close()
})

const newSub = () => `member${(count += 1)}`
const signIn = (sub: string, ...groups: string[]) => signInByOidc(app, 'main', main, { sub, groups })
const isAdmin = async (user: Member) => (await user.call(users.me)).data.benefits.some(({ key }) => key === 'ADMIN')
const ofAdmin = (user: Member) => ({ params: { id: user.id, key: 'ADMIN' } })

const eventsOf = async (user: Member) => {
  const rows = app.db.selectFrom('activity').select(['action', 'role', 'before', 'after']).where('owner_id', '=', user.id)
  return rows.where('action', 'like', 'BENEFIT%').orderBy('id').execute()
}

test('asks for the scope of the claim if the provider has one, and gives no role for a group that is not named', async () => {
  let scope: string | null = null
  await beginOidc(app, 'main', main, { sub: newSub() }, (url) => (scope = url.searchParams.get('scope')))
  expect(scope).toBe('openid profile groups')
  for (const group of ['staff', '/STAFF', 'k', 'k=v=ADMIN', 'ADMIN'])
    expect(await isAdmin(await signIn(newSub(), group)), group).toBe(false)
})

test.each([['/staff'], ['k=v']])('the group %s gives the role at each sign-in, and takes it when it is gone', async (group) => {
  const sub = newSub()
  const user = await signIn(sub, 'others', group)
  expect(await isAdmin(user)).toBe(true)
  await signIn(sub, group)
  expect(await eventsOf(user)).toEqual([
    { action: 'BENEFIT_GRANTED', role: 'system', before: null, after: { benefit: 'ADMIN', provider: 'Main ID' } },
  ])
  await signIn(sub, 'others')
  expect(await isAdmin(user)).toBe(false)
  expect((await eventsOf(user)).at(-1)).toEqual({
    action: 'BENEFIT_TAKEN',
    role: 'system',
    before: { benefit: 'ADMIN', provider: 'Main ID' },
    after: null,
  })
})

test('a role that an administrator granted is not taken with a group', async () => {
  const sub = newSub()
  const user = await signIn(sub)
  await admin.call(usersAdmin.grantBenefit, ofAdmin(user))
  await signIn(sub, '/staff')
  await signIn(sub)
  expect(await isAdmin(user)).toBe(true)
})

test('a sign-in by another way changes no role', async () => {
  const sub = newSub()
  const user = await signIn(sub, '/staff')
  await linkOidc(app, user, 'spare', spare, { sub })
  await signInByOidc(app, 'spare', spare, { sub, groups: [] })
  expect(await isAdmin(user)).toBe(true)
})

test('linking gives no role until the next sign-in, and unlinking takes it', async () => {
  const user = await signInLocally(app, newSub())
  const as = { sub: newSub(), groups: ['/staff'] }
  await linkOidc(app, user, 'main', main, as)
  expect(await isAdmin(user)).toBe(false)
  await signInByOidc(app, 'main', main, as)
  expect(await isAdmin(user)).toBe(true)
  const way = (await user.call(identities.list)).data.find(({ provider }) => provider === 'main')
  expect((await user.call(identities.unlink, { params: { id: way?.id ?? '' } })).status).toBe(204)
  expect(await isAdmin(user)).toBe(false)
})

test('ten concurrent sign-ins with and without the group leave the role as the last one says', async () => {
  const sub = newSub()
  const user = await signIn(sub, '/staff')
  await Promise.all(Array.from({ length: 10 }, (_, index) => signIn(sub, ...(index % 2 === 0 ? ['/staff'] : []))))
  await signIn(sub)
  expect(await isAdmin(user)).toBe(false)
})

describe('the last administrator', () => {
  /** Alone with the role, which a group gave. */
  async function onlyAdministrator(): Promise<{ user: Member; sub: string }> {
    const sub = newSub()
    const user = await signIn(sub, '/staff')
    await app.db.deleteFrom('benefit_grants').where('key', '=', 'ADMIN').where('user_id', '<>', user.id).execute()
    return { user, sub }
  }

  test('keeps the role without the group, which is logged, and loses it once there is another one', async () => {
    const { user, sub } = await onlyAdministrator()
    await signIn(sub)
    expect(await isAdmin(user)).toBe(true)
    expect(app.takeLogs().map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      'role kept, because no administrator would remain',
    ])
    admin = await signInLocally(app, 'admin')
    await signIn(sub)
    expect(await isAdmin(user)).toBe(false)
  })

  test('keeps the role when the identity is unlinked', async () => {
    const { user, sub } = await onlyAdministrator()
    await linkOidc(app, user, 'spare', spare, { sub })
    const way = (await user.call(identities.list)).data.find(({ provider }) => provider === 'main')
    expect((await user.call(identities.unlink, { params: { id: way?.id ?? '' } })).status).toBe(204)
    expect(await isAdmin(user)).toBe(true)
    expect(app.takeLogs()).toHaveLength(1)
    admin = await signInLocally(app, 'admin')
  })

  test('is not lost by two who leave their groups at once', async () => {
    const [first, second] = [await onlyAdministrator(), { sub: newSub() }]
    await signIn(second.sub, '/staff')
    const leaving = [await beginOidc(app, 'main', main, { sub: first.sub }), await beginOidc(app, 'main', main, second)]
    await Promise.all(leaving.map((callback) => complete(app, callback)))
    const rows = await app.db.selectFrom('benefit_grants').select('user_id').where('key', '=', 'ADMIN').execute()
    expect(rows).toHaveLength(1)
    expect(app.takeLogs()).toHaveLength(1)
    admin = await signInLocally(app, 'admin')
  })
})

test('ADMIN_DISCORD_IDS makes administrators by the ID of an identity, and its groups do not take that', async () => {
  const sub = newSub()
  const {
    app: other,
    main: provider,
    spare: unused,
  } = await startWithProviders(
    { ADMIN_DISCORD_IDS: `123, ${oidcIdOf({ issuer: main.issuer, subject: sub })}` },
    { ...GROUPS, ISSUER: main.issuer },
  )
  await main.allow(`${other.panelUrl}/login/main/callback`)
  await signInByOidc(other, 'main', main, { sub: newSub() })
  const user = await signInByOidc(other, 'main', main, { sub, groups: ['/staff'] })
  expect(await isAdmin(user)).toBe(true)
  await signInByOidc(other, 'main', main, { sub, groups: [] })
  expect(await isAdmin(user)).toBe(true)
  const others = await other.db.selectFrom('benefit_grants').select('user_id').execute()
  expect(others.map((row) => row.user_id)).toEqual([user.id])
  await Promise.all([provider.close(), unused.close()])
})
