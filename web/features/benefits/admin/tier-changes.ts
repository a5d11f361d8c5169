/** What another tier changes for somebody, before it is forced on them. */
import { type Allowance, allowanceOfTier, type BenefitKey, benefitsOfTier, type TierId } from '#contract/benefits.ts'
import type { AdminUser } from '#contract/users-admin.ts'
import { BENEFITS_IN_ORDER } from '#web/features/benefits/tiers.ts'
import { LIMITS, usedOf } from '#web/features/users/admin/limits.ts'

export type LimitChange = ReturnType<typeof limitsUnder>[number]

type Standing = Pick<
  AdminUser,
  'active_tier' | 'owned_tier' | 'max_masterlist_tokens' | 'max_managers' | 'max_masterlist_groups' | 'own_limits'
> &
  Parameters<typeof usedOf>[0]

/**
 * From how they stand now to the tier; null is their own.
 * @param granted what they hold beside any tier, which none gives or takes.
 */
export function tierChanges(user: Standing, granted: readonly BenefitKey[], tier: TierId | null) {
  const now = benefitsOfTier(user.active_tier)
  const then = benefitsOfTier(tier ?? user.owned_tier)
  const differ = (some: readonly BenefitKey[], others: readonly BenefitKey[]) =>
    BENEFITS_IN_ORDER.filter((key) => some.includes(key) && !others.includes(key) && !granted.includes(key))
  return { gained: differ(then, now), lost: differ(now, then), limits: limitsUnder(user, allowanceOfTier(tier ?? user.owned_tier)) }
}

function limitsUnder(user: Standing, allowed: Allowance) {
  const used = usedOf(user)
  return LIMITS.filter(({ key, of }) => user.own_limits[key] === null && user[key] !== allowed[of]).map(({ key, of }) => {
    const has = used[of]
    // Where they have more than they may have then, all stay.
    return { of, from: user[key], to: allowed[of], over: has !== undefined && has > allowed[of] ? has : undefined }
  })
}
