import type { BenefitOverview } from '#contract/benefits/benefit-settings.ts'
import { BENEFIT_KEYS, type BenefitKey, benefitsOfTier, TIER_IDS, type TierId, lowestTierWith } from '#contract/benefits/benefits.ts'

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
