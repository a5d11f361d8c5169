import type { BenefitOverview } from '#contract/benefit-settings.ts'
import { BENEFIT_KEYS, type BenefitKey, benefitsOfTier, TIER_IDS, type TierId, TIERS, lowestTierWith } from '#contract/benefits.ts'
import { m } from '#messages'

export function nextTier(tier: TierId | null): TierId | null {
  return TIER_IDS[tier === null ? 0 : TIER_IDS.indexOf(tier) + 1] ?? null
}

export function includesTier(tier: TierId | null, other: TierId): boolean {
  return tier !== null && TIER_IDS.indexOf(tier) >= TIER_IDS.indexOf(other)
}

export const BENEFITS_IN_ORDER: readonly BenefitKey[] = [
  ...benefitsOfTier(TIER_IDS.at(-1) ?? null),
  ...BENEFIT_KEYS.filter((key) => lowestTierWith(key) === null),
]

export function inBenefitOrder(overview: readonly BenefitOverview[]): BenefitOverview[] {
  return overview.toSorted((a, b) => BENEFITS_IN_ORDER.indexOf(a.key) - BENEFITS_IN_ORDER.indexOf(b.key))
}

/** Why a benefit that comes with the tier `from` is locked. */
export function whyLocked(from: TierId, active: TierId | null): string {
  const tier = TIERS[from].name
  return active === null ? m.benefits_locked_no_tier({ tier }) : m.benefits_locked_tier({ current: TIERS[active].name, tier })
}
