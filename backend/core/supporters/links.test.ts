/** The link from a supporter to Discord, also before they have signed in. */
import { beforeAll, describe, expect, test } from 'vitest'
import { ofAccount } from '#contract/events/activity.ts'
import { me } from '#contract/users/users.ts'
import { snowflakeOf } from '#backend/core/auth/local-provider.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { tierOfSupporter } from './supporters.ts'
import { lockSupporter } from '#backend/platform/database/lock-order.ts'
import { SUPPORTERS, supportersOf, gold, ruby } from '#tests/patreon.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp(SUPPORTERS)
})

const { deliver, tierOf, createSupporter } = supportersOf(() => app)

describe('the link to Discord', () => {
  test('removes the tier when removed and returns it when restored', async () => {
    const { user, discord, member } = await createSupporter()
    await deliver({ member, discord, tiers: gold })
    await deliver({ member, discord: null, tiers: gold })
    expect(await tierOf(user)).toBeNull()
    await deliver({ member, discord, tiers: gold })
    expect(await tierOf(user)).toBe('GOLD')
  })

  test('stays if a delivery has no link information', async () => {
    const { user, discord, member } = await createSupporter()
    await deliver({ member, discord, tiers: gold })
    await deliver({ member, tiers: ruby })
    expect(await tierOf(user)).toBe('RUBY')
  })

  test('moves the tier to another user when it changes', async () => {
    const [a, b] = [await createSupporter(), await createSupporter()]
    await deliver({ member: a.member, discord: a.discord, tiers: gold })
    await deliver({ member: a.member, discord: b.discord, tiers: gold })
    expect([await tierOf(a.user), await tierOf(b.user)]).toEqual([null, 'GOLD'])
  })

  test('of two members swapped concurrently matches the last deliveries', async () => {
    const [a, b] = [await createSupporter(), await createSupporter()]
    await deliver({ member: a.member, discord: a.discord, tiers: gold })
    await deliver({ member: b.member, discord: b.discord, tiers: ruby })
    await Promise.all([
      deliver({ member: a.member, discord: b.discord, tiers: gold }),
      deliver({ member: b.member, discord: a.discord, tiers: ruby }),
    ])
    expect([await tierOf(a.user), await tierOf(b.user)]).toEqual(['RUBY', 'GOLD'])
  })
})

describe('a supporter who has not signed in yet', () => {
  test('gets the tier at their first sign-in, recorded in the activity', async () => {
    await deliver({ member: 'early', discord: snowflakeOf('early.bird'), tiers: gold })
    const user = await app.signIn('early.bird')
    expect((await user.call(me)).data).toMatchObject({ owned_tier: 'GOLD', active_tier: 'GOLD' })
    const recorded = (await user.call(ofAccount)).data.map((entry) => [entry.action, entry.as])
    expect(recorded).toEqual([
      ['TIER_CHANGED', 'system'],
      ['ACCOUNT_CREATED', 'self'],
    ])
    // A later sign-in records nothing.
    await app.signIn('early.bird')
    expect((await user.call(ofAccount)).data).toHaveLength(2)
  })

  /** Whether the call is still pending after much longer than it usually takes. */
  const isWaiting = async (act: Promise<unknown>) =>
    (await Promise.race([act.then(() => 'done'), new Promise((resolve) => setTimeout(resolve, 300, 'waiting'))])) === 'waiting'

  test('waits for a concurrent delivery about them', async () => {
    const discord = snowflakeOf('waiter')
    const { signing, waited } = await app.db.transaction().execute(async (trx) => {
      await lockSupporter(trx, discord)
      await trx.insertInto('supporters').values({ provider: 'other', member_id: 'w', discord_id: discord, tier: 'GOLD' }).execute()
      const pending = app.signIn('waiter')
      return { signing: [pending], waited: await isWaiting(pending) }
    })
    expect(waited).toBe(true)
    const [user] = await Promise.all(signing)
    expect(user === undefined ? undefined : await tierOf(user)).toBe('GOLD')
  })

  test('is awaited by a concurrent delivery, which then finds them', async () => {
    const discord = snowflakeOf('awaited')
    const { notified, waited } = await app.db.transaction().execute(async (trx) => {
      await trx
        .insertInto('users')
        .values({ id: '01900000-0000-7000-8000-000000000001', discord_id: discord, username: 'awaited', avatar: null })
        .execute()
      expect(await tierOfSupporter(trx, discord)).toBeNull()
      const pending = deliver({ member: 'awaited', discord, tiers: gold })
      return { notified: [pending], waited: await isWaiting(pending) }
    })
    expect(waited).toBe(true)
    await Promise.all(notified)
    expect(await tierOf(await app.signIn('awaited'))).toBe('GOLD')
  })

  test('never misses a delivery during the sign-in', async () => {
    for (let round = 0; round < 8; round += 1) {
      const name = `racer${round}`
      const [user] = await Promise.all([app.signIn(name), deliver({ member: name, discord: snowflakeOf(name), tiers: gold })])
      expect(await tierOf(user)).toBe('GOLD')
    }
  })
})
