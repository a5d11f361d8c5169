/** Which tier a Discord account supports with. */
import { TIER_IDS, type TierId } from '#contract/benefits.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { ownTier } from '#backend/features/users/owned-tier.ts'
import { listTiers, lockSupporter } from './supporters.queries.ts'

/** For somebody's first sign-in: the tier he came with. No notice about him comes in between before the transaction ends. */
export async function tierOfSupporter(trx: Db, discordId: string): Promise<TierId | null> {
  await lockSupporter(trx, discordId)
  return highestTier(trx, discordId)
}

/** Gives a new user the tier that they supported with before they came. In the transaction of their first sign-in. */
export async function ownTierOfSupporter(trx: Db, userId: string, discordId: string): Promise<void> {
  await ownTier(trx, { id: userId, owned_tier: null }, await tierOfSupporter(trx, discordId))
}

/** The highest over all his memberships, at whichever provider. */
export async function highestTier(trx: Db, discordId: string): Promise<TierId | null> {
  const tiers = await listTiers(trx, discordId)
  return TIER_IDS.findLast((tier) => tiers.includes(tier)) ?? null
}
