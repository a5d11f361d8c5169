/**
 * Patreon's webhooks: a JSON:API document about one membership, signed with HMAC-MD5 over the raw bytes. Patreon chose MD5; forging a
 * signature still needs the secret. Source: Patreon's API reference, sections Webhooks and Member.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { TIERS, TIER_IDS, type TierId } from '#contract/benefits/benefits.ts'
import type { Env } from '#backend/platform/env.ts'
import { invalid } from '#backend/platform/errors.ts'

/** Such as `members:create` and `members:pledge:delete`. Other events, such as posts, don't concern memberships. */
const MEMBER_EVENT = /^members:(?:pledge:)?(?:create|update|delete)$/
const SIGNATURE = /^[0-9a-f]{32}$/i

const Id = z.string().regex(/^[\w-]{1,100}$/)

const Member = z.object({
  data: z.object({
    type: z.literal('member'),
    id: Id,
    attributes: z.object({ patron_status: z.string().nullish() }).nullish(),
    relationships: z
      .object({
        currently_entitled_tiers: z.object({ data: z.array(z.object({ id: z.coerce.string() })).max(100) }).nullish(),
        user: z.object({ data: z.object({ id: z.coerce.string() }).nullish() }).nullish(),
      })
      .nullish(),
  }),
  included: z
    .array(z.object({ type: z.string(), id: z.coerce.string(), attributes: z.record(z.string(), z.unknown()).nullish() }))
    .max(1000)
    .nullish(),
})
type Member = z.output<typeof Member>

const UserAttributes = z.object({
  social_connections: z.object({ discord: z.object({ user_id: z.string().regex(/^[\w-]{1,64}$/) }).nullish() }).nullish(),
})

const TierAttributes = z.object({ title: z.string().nullish() })

/** One membership's state in a delivery. */
export interface MembershipEvent {
  /** `delete` ends the membership, whatever the body contains. */
  readonly kind: 'update' | 'delete'
  readonly memberId: string
  /** Null if the member linked no Discord account; undefined if the delivery has no link information. */
  readonly discordId: string | null | undefined
  /** The tier it currently pays for; null if none, and for `delete`. */
  readonly tier: TierId | null
  /** Paid tiers at Patreon without a mapping to ours; empty if the member also pays for a mapped one. */
  readonly unmappedTiers: readonly { readonly id: string; readonly title: string | undefined }[]
}

/** Whether Patreon signed exactly these bytes. */
export function isSigned(secret: string, headers: IncomingHttpHeaders, rawBody: Buffer): boolean {
  const signature = headers['x-patreon-signature']
  if (typeof signature !== 'string' || !SIGNATURE.test(signature)) return false
  return timingSafeEqual(createHmac('md5', secret).update(rawBody).digest(), Buffer.from(signature, 'hex'))
}

/** Undefined for an event that doesn't concern a membership. Throws `invalid` if the body has an unexpected shape. */
export function parseEvent(tiers: Env['PATREON_TIERS'], headers: IncomingHttpHeaders, json: unknown): MembershipEvent | undefined {
  const event = String(headers['x-patreon-event'] ?? '')
  if (!MEMBER_EVENT.test(event)) return undefined
  const parsed = Member.safeParse(json)
  if (!parsed.success) throw invalid('PATREON_BODY_INVALID')
  const { data } = parsed.data
  const membership = { memberId: data.id, discordId: discordIdOf(parsed.data) }
  // The event is in a header, which is not signed.
  if (event.endsWith(':delete')) return { ...membership, kind: 'delete', tier: null, unmappedTiers: [] }
  return { ...membership, kind: 'update', ...tierOf(tiers, parsed.data) }
}

/** The highest tier that the member is currently entitled to; none if their payment was declined. */
function tierOf(tiers: Env['PATREON_TIERS'], { data, included }: Member): Pick<MembershipEvent, 'tier' | 'unmappedTiers'> {
  const entitled = data.relationships?.currently_entitled_tiers?.data
  if (entitled === undefined) throw invalid('PATREON_TIERS_MISSING')
  const status = data.attributes?.patron_status
  if (status === 'declined_patron') return { tier: null, unmappedTiers: [] }
  const entitledTiers = entitled.map(({ id }) => {
    const includedTier = included?.find((item) => item.type === 'tier' && item.id === id)
    return { id, title: TierAttributes.safeParse(includedTier?.attributes).data?.title?.trim() }
  })
  const mappedTiers = entitledTiers.map(
    ({ id, title }): TierId | undefined => tiers.get(id.toLowerCase()) ?? findTierByTitle(tiers, title?.toLowerCase()),
  )
  const tier = TIER_IDS.findLast((id) => mappedTiers.includes(id)) ?? null
  // Members who pay nothing have a tier too: the free one.
  return { tier, unmappedTiers: tier === null && status === 'active_patron' ? entitledTiers : [] }
}

function findTierByTitle(tiers: Env['PATREON_TIERS'], title: string | undefined): TierId | undefined {
  return title === undefined ? undefined : (tiers.get(title) ?? tierByName(title))
}

/** A tier without a mapping counts if it has the name of one of ours. */
function tierByName(title: string): TierId | undefined {
  return TIER_IDS.find((tier) => TIERS[tier].name.toLowerCase() === title)
}

/** Null if the member linked no Discord account; undefined if the body has no information about their links. */
function discordIdOf({ data, included }: Member): string | null | undefined {
  const userId = data.relationships?.user?.data?.id
  const user = included?.find((item) => item.type === 'user' && item.id === userId)
  if (user?.attributes === undefined || user.attributes === null || !('social_connections' in user.attributes)) return undefined
  const parsed = UserAttributes.safeParse(user.attributes)
  if (!parsed.success) throw invalid('PATREON_LINK_INVALID')
  return parsed.data.social_connections?.discord?.user_id ?? null
}
