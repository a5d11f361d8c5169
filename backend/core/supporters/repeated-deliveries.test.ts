/** Deliveries of supporters' webhooks that arrive again, late, or at once. */
import { beforeAll, describe, expect, test } from 'vitest'
import { ofAccount } from '#contract/events/activity.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { SUPPORTERS, supportersOf, bodyOf, gold, ruby } from '#tests/patreon.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp(SUPPORTERS)
})

const { signed, deliver, tierOf, createSupporter } = supportersOf(() => app)

describe('a repeated delivery', () => {
  test('changes nothing after a newer one', async () => {
    const { user, discord, member } = await createSupporter()
    const old = bodyOf({ member, discord, tiers: ruby })
    expect((await signed(old)).status).toBe(204)
    await deliver({ member, discord, tiers: gold })
    expect((await signed(old)).status).toBe(204)
    expect(await tierOf(user)).toBe('GOLD')
  })

  test('counts once if ten arrive concurrently', async () => {
    const { user, discord, member } = await createSupporter()
    const body = bodyOf({ member, discord, tiers: gold })
    const responses = await Promise.all(Array.from({ length: 10 }, () => signed(body)))
    expect(responses.map((response) => response.status)).toEqual(Array.from({ length: 10 }, () => 204))
    const recorded = (await user.call(ofAccount)).data.filter((entry) => entry.action === 'TIER_CHANGED')
    expect(recorded).toMatchObject([{ as: 'system', actor: null, before: { owned_tier: null }, after: { owned_tier: 'GOLD' } }])
  })

  const UPDATES = ['members:create', 'members:update', 'members:pledge:create', 'members:pledge:update']
  const DELETIONS = ['members:delete', 'members:pledge:delete']

  test('has no effect under any unsigned event header once the membership has ended', async () => {
    const { user, discord, member } = await createSupporter()
    const [paid, cancelled] = [bodyOf({ member, discord, tiers: gold }), bodyOf({ member, discord })]
    await signed(paid)
    expect(await tierOf(user)).toBe('GOLD')
    await signed(cancelled)
    for (const event of [...UPDATES, ...DELETIONS, ...UPDATES]) {
      expect((await signed(paid, event)).status).toBe(204)
      expect(await tierOf(user), event).toBeNull()
    }
  })

  test('has no effect as an update after it was first received as a deletion', async () => {
    const { user, discord, member } = await createSupporter()
    const body = bodyOf({ member, discord, tiers: gold })
    for (const event of [...DELETIONS, ...UPDATES, ...DELETIONS]) {
      expect((await signed(body, event)).status).toBe(204)
      expect(await tierOf(user), event).toBeNull()
    }
  })

  test('ends its own membership when received as a deletion, once', async () => {
    const { user, discord, member } = await createSupporter()
    const body = bodyOf({ member, discord, tiers: gold })
    await signed(body)
    await signed(body, 'members:pledge:delete')
    expect(await tierOf(user)).toBeNull()
    await deliver({ member, discord, tiers: ruby })
    for (const event of [...DELETIONS, ...UPDATES]) await signed(body, event)
    expect(await tierOf(user)).toBe('RUBY')
  })

  test('received concurrently as update and deletion ends with no tier, in either order', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { user, discord, member } = await createSupporter()
      const body = bodyOf({ member, discord, tiers: gold })
      await Promise.all([...UPDATES, ...DELETIONS].map((event) => signed(body, event)))
      expect(await tierOf(user)).toBeNull()
    }
  })

  test('as a deletion restores no link that has changed since', async () => {
    const [a, b] = [await createSupporter(), await createSupporter()]
    const old = bodyOf({ member: a.member, discord: a.discord, tiers: gold })
    await signed(old)
    await deliver({ member: a.member, discord: b.discord, tiers: gold })
    await signed(old, 'members:delete')
    await deliver({ member: a.member, tiers: gold })
    expect(await tierOf(a.user)).toBeNull()
    await deliver({ member: a.member, discord: b.discord, tiers: gold })
    expect([await tierOf(a.user), await tierOf(b.user)]).toEqual([null, 'GOLD'])
  })

  test('restores no erased membership', async () => {
    const { user, discord, member } = await createSupporter()
    const body = bodyOf({ member, discord, tiers: gold })
    await signed(body)
    // Deletes the same rows as an erasure.
    await app.db.deleteFrom('supporters').where('member_id', '=', member).execute()
    await app.db.updateTable('users').set({ owned_tier: null }).where('id', '=', user.id).execute()
    for (const event of [...UPDATES, ...DELETIONS]) await signed(body, event)
    expect(await tierOf(user)).toBeNull()
    expect(await isKnown(member)).toBe(false)
    await deliver({ member, discord, tiers: gold })
    expect([await tierOf(user), await isKnown(member)]).toEqual(['GOLD', true])
  })
})

const isKnown = async (member: string) =>
  (await app.db.selectFrom('supporters').select('member_id').where('member_id', '=', member).execute()).length > 0
