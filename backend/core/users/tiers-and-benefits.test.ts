/** Tiers and single benefits set by administrators. */
import { beforeAll, describe, expect, test } from 'vitest'
import * as activity from '#contract/events/activity.ts'
import { TIERS, TIER_IDS, benefitsOfTier } from '#contract/benefits/benefits.ts'
import * as managers from '#contract/servers/managers.ts'
import * as users from '#contract/users/users.ts'
import * as usersAdmin from '#contract/users/users-admin.ts'
import { grant, setTier } from '#tests/factories.ts'
import { type SignedInUser, startApp, type TestApp } from '#tests/harness.ts'
import { type StreamEvent, listen } from '#tests/listen.ts'

let app: TestApp
let admin: SignedInUser

beforeAll(async () => {
  app = await startApp()
  admin = await app.signIn('admin')
})

const me = async (user: SignedInUser) => (await user.call(users.me)).data
const force = (id: string, tier: unknown) =>
  admin.call(usersAdmin.forceTier, { params: { id }, body: { tier_id: tier } as { tier_id: 'GOLD' } })
const grantTo = (id: string, key: string) => admin.call(usersAdmin.grantBenefit, { params: { id, key } })
const revokeFrom = (id: string, key: string) => admin.call(usersAdmin.takeBenefit, { params: { id, key } })

describe('a forced tier', () => {
  test.each(TIER_IDS)('%s gives the configured benefits and limits', async (tier) => {
    const user = await app.newUser()
    const { data } = await force(user.id, tier)
    expect(data).toMatchObject({ id: user.id, active_tier: tier, owned_tier: null, is_tier_forced: true })
    const mine = await me(user)
    expect(mine.benefits.map((benefit) => benefit.key).toSorted()).toEqual(benefitsOfTier(tier).toSorted())
    expect(new Set(mine.benefits.map((benefit) => benefit.source))).toEqual(new Set(['tier']))
    const { servers, managers, groups } = TIERS[tier]
    expect(mine).toMatchObject({ max_masterlist_tokens: servers, max_managers: managers, max_masterlist_groups: groups })
  })

  test('overrides the owned tier, lower or higher, until it is cleared', async () => {
    const user = await app.newUser()
    await setTier(app, user.id, 'GOLD')
    await force(user.id, 'BRONZE')
    expect(await me(user)).toMatchObject({ active_tier: 'BRONZE', owned_tier: 'GOLD', is_tier_forced: true })
    await force(user.id, null)
    expect(await me(user)).toMatchObject({ active_tier: 'GOLD', owned_tier: 'GOLD', is_tier_forced: false })
  })

  test("is recorded once per change, in the user's activity without the administrator's name", async () => {
    const user = await app.newUser()
    await force(user.id, 'RUBY')
    await force(user.id, 'RUBY')
    await force(user.id, null)
    const entries = (await user.call(activity.ofAccount)).data.filter((entry) => entry.action === 'TIER_CHANGED')
    expect(entries.map(({ as, actor, before, after }) => ({ as, actor, before, after }))).toEqual([
      { as: 'administrator', actor: null, before: { forced_tier: 'RUBY' }, after: { forced_tier: null } },
      { as: 'administrator', actor: null, before: { forced_tier: null }, after: { forced_tier: 'RUBY' } },
    ])
  })

  test.each([['gold'], ['ADMIN'], [5], [undefined]])('cannot be %j', async (tier) => {
    const user = await app.newUser()
    const rejected = await force(user.id, tier)
    expect(rejected.status).toBe(400)
    expect(rejected.error.errors[0]).toContain('BRONZE')
    expect((await me(user)).active_tier).toBeNull()
  })
})

describe('a single benefit', () => {
  test('can be granted beside the tier and revoked, with a case-insensitive key', async () => {
    const user = await app.newUser()
    const { data } = await grantTo(user.id, 'custom_banner')
    expect(data.benefits).toEqual([{ key: 'CUSTOM_BANNER', source: 'grant' }])
    await grantTo(user.id, 'CUSTOM_BANNER')
    expect((await revokeFrom(user.id, 'Custom_Banner')).data.benefits).toEqual([])
    expect((await revokeFrom(user.id, 'CUSTOM_BANNER')).status).toBe(200)
    const actions = (await user.call(activity.ofAccount)).data.map((entry) => entry.action)
    expect(actions.filter((action) => action.startsWith('BENEFIT_'))).toEqual(['BENEFIT_TAKEN', 'BENEFIT_GRANTED'])
  })

  test('that the tier also includes has the source tier, and stays when the grant is revoked', async () => {
    const user = await app.newUser()
    await grantTo(user.id, 'CUSTOM_BANNER')
    await force(user.id, 'GOLD')
    expect((await me(user)).benefits).toContainEqual({ key: 'CUSTOM_BANNER', source: 'tier' })
    await revokeFrom(user.id, 'CUSTOM_BANNER')
    expect((await me(user)).benefits).toContainEqual({ key: 'CUSTOM_BANNER', source: 'tier' })
    await force(user.id, null)
    expect((await me(user)).benefits).toEqual([])
  })

  test.each(['NOTHING', 'cuſtom_banner', '__proto__', '%20'])('with the unknown key %s is rejected', async (key) => {
    const user = await app.newUser()
    for (const call of [grantTo, revokeFrom]) {
      const rejected = await call(user.id, key)
      expect(rejected.status).toBe(400)
      expect(rejected.error.errors).toEqual(['Invalid benefit key'])
    }
  })

  test.each(['0198c000-0000-7000-8000-000000000009', 'x'])('of an unknown user is 404: %s', async (id) => {
    expect((await grantTo(id, 'PROMOTED')).status).toBe(404)
    expect((await revokeFrom(id, 'PROMOTED')).status).toBe(404)
    expect((await force(id, 'GOLD')).status).toBe(404)
  })
})

describe('ADMIN', () => {
  test('can be granted and revoked, but not from the last administrator by themselves', async () => {
    const rejected = await revokeFrom(admin.id, 'ADMIN')
    expect(rejected.status).toBe(403)
    expect(rejected.error.errors[0]).toBe(
      "You are the last administrator, so you can't give up ADMIN. Make another user an administrator first.",
    )
    const other = await app.newUser()
    await grantTo(other.id, 'ADMIN')
    expect((await other.call(usersAdmin.adminUser, { params: { id: admin.id } })).status).toBe(200)
    await revokeFrom(other.id, 'ADMIN')
    expect((await other.call(usersAdmin.adminUser, { params: { id: admin.id } })).status).toBe(403)
  })
})

describe('open panels', () => {
  test('of the user and their current managers are notified about changed benefits, those of former managers are not', async () => {
    const [owner, manager, former] = [await app.newUser(), await app.newUser(), await app.newUser()]
    for (const each of [manager, former]) await grant(owner, each.id, ['EDIT_APPEARANCE'])
    const streams = [await listen(owner), await listen(manager), await listen(former)] as const
    await owner.call(managers.revoke, { body: { user_id: former.id } })
    for (const stream of streams) stream.received.length = 0
    await force(owner.id, 'GOLD')
    const changesBenefits = (event: StreamEvent) => event.event === 'account' && (event.data['changed'] as string[]).includes('benefits')
    await Promise.all([streams[0].until(changesBenefits), streams[1].until(changesBenefits)])
    expect(streams[2].received.filter(changesBenefits)).toEqual([])
    for (const stream of streams) stream.close()
  })
})
