/** Tiers and single benefits, as administrators set them. */
import { beforeAll, describe, expect, test } from 'vitest'
import * as activity from '#contract/activity.ts'
import { TIERS, TIER_IDS, benefitsOfTier } from '#contract/benefits.ts'
import * as managers from '#contract/managers.ts'
import * as users from '#contract/users.ts'
import * as usersAdmin from '#contract/users-admin.ts'
import { grant, setTier } from '#tests/factories.ts'
import { type SignedIn, startApp, type TestApp } from '#tests/harness.ts'
import { type StreamEvent, listen } from '#tests/listen.ts'

let app: TestApp
let admin: SignedIn

beforeAll(async () => {
  app = await startApp()
  admin = await app.signIn('admin')
})

const me = async (person: SignedIn) => (await person.call(users.me)).data
const force = (id: string, tier: unknown) =>
  admin.call(usersAdmin.forceTier, { params: { id }, body: { tier_id: tier } as { tier_id: 'GOLD' } })
const give = (id: string, key: string) => admin.call(usersAdmin.grantBenefit, { params: { id, key } })
const take = (id: string, key: string) => admin.call(usersAdmin.takeBenefit, { params: { id, key } })

describe('a forced tier', () => {
  test.each(TIER_IDS)('%s gives the configured benefits and limits', async (tier) => {
    const person = await app.someone()
    const { data } = await force(person.id, tier)
    expect(data).toMatchObject({ id: person.id, active_tier: tier, owned_tier: null, is_tier_forced: true })
    const mine = await me(person)
    expect(mine.benefits.map((one) => one.key).toSorted()).toEqual(benefitsOfTier(tier).toSorted())
    expect(new Set(mine.benefits.map((one) => one.source))).toEqual(new Set(['tier']))
    const { servers, managers, groups } = TIERS[tier]
    expect(mine).toMatchObject({ max_masterlist_tokens: servers, max_managers: managers, max_masterlist_groups: groups })
  })

  test('overrides the owned tier, lower or higher, until it is cleared', async () => {
    const person = await app.someone()
    await setTier(app, person.id, 'GOLD')
    await force(person.id, 'BRONZE')
    expect(await me(person)).toMatchObject({ active_tier: 'BRONZE', owned_tier: 'GOLD', is_tier_forced: true })
    await force(person.id, null)
    expect(await me(person)).toMatchObject({ active_tier: 'GOLD', owned_tier: 'GOLD', is_tier_forced: false })
  })

  test("is recorded once per change, in the user's activity without the administrator's name", async () => {
    const person = await app.someone()
    await force(person.id, 'RUBY')
    await force(person.id, 'RUBY')
    await force(person.id, null)
    const entries = (await person.call(activity.ofAccount)).data.filter((entry) => entry.action === 'TIER_CHANGED')
    expect(entries.map(({ as, actor, before, after }) => ({ as, actor, before, after }))).toEqual([
      { as: 'administrator', actor: null, before: { forced_tier: 'RUBY' }, after: { forced_tier: null } },
      { as: 'administrator', actor: null, before: { forced_tier: null }, after: { forced_tier: 'RUBY' } },
    ])
  })

  test.each([['gold'], ['ADMIN'], [5], [undefined]])('cannot be %j', async (tier) => {
    const person = await app.someone()
    const rejected = await force(person.id, tier)
    expect(rejected.status).toBe(400)
    expect(rejected.error.errors[0]).toContain('BRONZE')
    expect((await me(person)).active_tier).toBeNull()
  })
})

describe('a single benefit', () => {
  test('can be granted beside the tier and revoked, with its key in any case', async () => {
    const person = await app.someone()
    const { data } = await give(person.id, 'custom_banner')
    expect(data.benefits).toEqual([{ key: 'CUSTOM_BANNER', source: 'grant' }])
    await give(person.id, 'CUSTOM_BANNER')
    expect((await take(person.id, 'Custom_Banner')).data.benefits).toEqual([])
    expect((await take(person.id, 'CUSTOM_BANNER')).status).toBe(200)
    const actions = (await person.call(activity.ofAccount)).data.map((entry) => entry.action)
    expect(actions.filter((action) => action.startsWith('BENEFIT_'))).toEqual(['BENEFIT_TAKEN', 'BENEFIT_GRANTED'])
  })

  test('that the tier also gives has the source tier, and stays when the grant is revoked', async () => {
    const person = await app.someone()
    await give(person.id, 'CUSTOM_BANNER')
    await force(person.id, 'GOLD')
    expect((await me(person)).benefits).toContainEqual({ key: 'CUSTOM_BANNER', source: 'tier' })
    await take(person.id, 'CUSTOM_BANNER')
    expect((await me(person)).benefits).toContainEqual({ key: 'CUSTOM_BANNER', source: 'tier' })
    await force(person.id, null)
    expect((await me(person)).benefits).toEqual([])
  })

  test.each(['NOTHING', 'cuſtom_banner', '__proto__', '%20'])('with the unknown key %s is rejected', async (key) => {
    const person = await app.someone()
    for (const call of [give, take]) {
      const rejected = await call(person.id, key)
      expect(rejected.status).toBe(400)
      expect(rejected.error.errors).toEqual(['Invalid benefit key'])
    }
  })

  test.each(['0198c000-0000-7000-8000-000000000009', 'x'])('of an unknown user is 404: %s', async (id) => {
    expect((await give(id, 'PROMOTED')).status).toBe(404)
    expect((await take(id, 'PROMOTED')).status).toBe(404)
    expect((await force(id, 'GOLD')).status).toBe(404)
  })
})

describe('ADMIN', () => {
  test('can be granted and revoked, but not from the last administrator by themselves', async () => {
    const alone = await take(admin.id, 'ADMIN')
    expect(alone.status).toBe(403)
    expect(alone.error.errors[0]).toBe(
      "You are the last administrator, so you can't give up ADMIN. Make another user an administrator first.",
    )
    const other = await app.someone()
    await give(other.id, 'ADMIN')
    expect((await other.call(usersAdmin.adminUser, { params: { id: admin.id } })).status).toBe(200)
    await take(other.id, 'ADMIN')
    expect((await other.call(usersAdmin.adminUser, { params: { id: admin.id } })).status).toBe(403)
  })
})

describe('open panels', () => {
  test('of the user and their current managers are notified about changed benefits, those of former managers are not', async () => {
    const [owner, manager, former] = [await app.someone(), await app.someone(), await app.someone()]
    for (const one of [manager, former]) await grant(owner, one.id, ['EDIT_APPEARANCE'])
    const streams = [await listen(owner), await listen(manager), await listen(former)] as const
    await owner.call(managers.revoke, { body: { user_id: former.id } })
    for (const stream of streams) stream.received.length = 0
    await force(owner.id, 'GOLD')
    const changesBenefits = (one: StreamEvent) => one.event === 'account' && (one.data['changed'] as string[]).includes('benefits')
    await Promise.all([streams[0].until(changesBenefits), streams[1].until(changesBenefits)])
    expect(streams[2].received.filter(changesBenefits)).toEqual([])
    for (const stream of streams) stream.close()
  })
})
