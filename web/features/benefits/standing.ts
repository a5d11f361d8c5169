/** How somebody stands to the tiers and to each benefit, in words. */
import { BENEFIT_KEYS, type BenefitKey, benefitsOfTier, TIER_IDS, type TierId, TIERS, tierWith } from '#contract/benefits.ts'

/** The tier after this one; null after the last. */
export function nextTier(tier: TierId | null): TierId | null {
  return TIER_IDS[tier === null ? 0 : TIER_IDS.indexOf(tier) + 1] ?? null
}

/** Whether a tier is this one or above it. */
export function reaches(tier: TierId | null, asked: TierId): boolean {
  return tier !== null && TIER_IDS.indexOf(tier) >= TIER_IDS.indexOf(asked)
}

/** The benefits as they are shown: up the tiers, and last what no tier gives. */
export const BENEFITS_IN_ORDER: readonly BenefitKey[] = [
  ...benefitsOfTier(TIER_IDS.at(-1) ?? null),
  ...BENEFIT_KEYS.filter((key) => tierWith(key) === null),
]

/** Why a benefit is not held. */
export function whyLocked(key: BenefitKey, active: TierId | null): string {
  const from = tierWith(key)
  if (from === null) return 'No tier has it. An administrator gives it to a single person.'
  if (active === null) return `You have no tier. It comes with ${TIERS[from].name}.`
  return `Your tier is ${TIERS[active].name}. It comes with ${TIERS[from].name}.`
}
