/** Memberships in Patreon's format, and its signature. */
import { createHmac } from 'node:crypto'

export const SECRET = 'webhook-secret-of-the-tests'

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
