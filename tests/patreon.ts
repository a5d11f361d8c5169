/** Memberships in Patreon's format, and its signature. */
import { createHmac } from 'node:crypto'
import { expect } from 'vitest'
import { me } from '#contract/users/users.ts'
import { snowflakeOf } from '#backend/core/auth/local-provider.ts'
import type { TestApp, TestUser } from './harness.ts'

export const SECRET = 'webhook-secret-of-the-tests'
/** Environment of an app with supporters. */
export const SUPPORTERS = { PATREON_WEBHOOK_SECRET: SECRET, PATREON_TIERS: 'Town Hero=GOLD, 777=RUBY', LOG_LEVEL: 'trace' }

export interface Membership {
  readonly member: string
  /** Discord id; null means no link, undefined omits link information. */
  readonly discord?: string | null
  readonly tiers?: readonly { id: string; title?: string }[]
  readonly status?: string | null
  /** Makes this delivery different from an equal earlier one. */
  readonly salt?: number
}

let salt = 0

/** A membership in Patreon's format. */
export function bodyOf({ member, discord, tiers = [], status = 'active_patron', salt: given }: Membership): string {
  salt += 1
  return JSON.stringify({
    data: {
      type: 'member',
      id: member,
      attributes: { patron_status: status, lifetime_support_cents: given ?? salt },
      relationships: {
        currently_entitled_tiers: { data: tiers.map(({ id }) => ({ id, type: 'tier' })) },
        user: { data: { id: '9', type: 'user' } },
      },
    },
    included: [
      {
        type: 'user',
        id: '9',
        attributes: {
          full_name: 'Full Name',
          ...(discord !== undefined && { social_connections: { discord: discord === null ? null : { user_id: discord }, twitch: null } }),
        },
      },
      ...tiers.map(({ id, title }) => ({ type: 'tier', id, attributes: { title } })),
    ],
  })
}

export const sign = (body: string | Buffer, secret = SECRET) => createHmac('md5', secret).update(body).digest('hex')

export const gold = [{ id: '1', title: 'Town Hero' }]
export const ruby = [{ id: '777', title: 'Anything' }]

let userCount = 0

/** Delivers memberships to an app, and reads the tiers that follow. */
export function supportersOf(app: () => TestApp) {
  const post = (body: string | Buffer, headers: Record<string, string> = {}, to = app(), provider = 'patreon'): Promise<Response> =>
    fetch(`${to.panelUrl}/api/supporters/${provider}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-patreon-event': 'members:update', ...headers },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    })
  const signed = (body: string | Buffer, event = 'members:update') =>
    post(body, { 'x-patreon-signature': sign(body), 'x-patreon-event': event })
  return {
    post,
    signed,
    deliver: async (about: Membership, event = 'members:update') => {
      const response = await signed(bodyOf(about), event)
      expect(response.status, await response.text()).toBe(204)
    },
    tierOf: async (user: TestUser) => (await user.call(me)).data.owned_tier,
    /** A signed-in user with their Discord id and a membership. */
    createSupporter: async () => {
      const username = `supporter${(userCount += 1)}`
      const user = await app().signIn(username)
      return { user, discord: snowflakeOf(username), member: `member-${userCount}` }
    },
  }
}
