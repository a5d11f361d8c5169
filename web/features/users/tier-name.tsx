import { Gem } from 'lucide-react'
import { type TierId, TIERS } from '#contract/benefits/benefits.ts'
import { cx } from '#web/ui/class-names.ts'

/** Whole class names, because the stylesheet is generated from the sources. */
export const TIER_TEXT_CLASS: Readonly<Record<TierId, string>> = {
  BRONZE: 'text-(--tier-bronze)',
  SILVER: 'text-(--tier-silver)',
  GOLD: 'text-(--tier-gold)',
  PLATINUM: 'text-(--tier-platinum)',
  RUBY: 'text-(--tier-ruby)',
  DIAMOND_ALTRUIST: 'text-(--tier-diamond)',
}

export function TierName({ tier, className }: { tier: TierId; className?: string }) {
  return (
    <span className={cx('inline-flex items-center gap-1.5 font-medium', TIER_TEXT_CLASS[tier], className)}>
      <Gem size={14} className="shrink-0" aria-hidden="true" />
      {TIERS[tier].name}
    </span>
  )
}
