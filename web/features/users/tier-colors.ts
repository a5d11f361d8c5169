/** The colours of tiers. The classes are written out because the stylesheet is made of what stands in the sources. */
import type { TierId } from '#contract/benefits.ts'

export const TIER_TEXT: Readonly<Record<TierId, string>> = {
  BRONZE: 'text-(--tier-bronze)',
  SILVER: 'text-(--tier-silver)',
  GOLD: 'text-(--tier-gold)',
  PLATINUM: 'text-(--tier-platinum)',
  RUBY: 'text-(--tier-ruby)',
  DIAMOND_ALTRUIST: 'text-(--tier-diamond)',
}
