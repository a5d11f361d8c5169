/** What an override with another tier would change for a user. */
import { type Allowance, allowanceOfTier, type BenefitKey, benefitsOfTier, type TierId } from '#contract/benefits.ts'
import type { AdminUser } from '#contract/users-admin.ts'
import { BENEFITS_IN_ORDER } from '#web/features/benefits/tiers.ts'
import { LIMITS, limitUsage } from '#web/features/users/admin/limits.ts'

export type LimitChange = ReturnType<typeof limitsUnder>[number]

type TierUser = Pick<
  AdminUser,
  'active_tier' | 'owned_tier' | 'max_masterlist_tokens' | 'max_managers' | 'max_masterlist_groups' | 'own_limits'
> &
  Parameters<typeof limitUsage>[0]

/**
 * The changes from the active tier to `tier`; null is their own.
 * @param granted benefits granted outside any tier, which stay.
 */
export function tierChanges(user: TierUser, granted: readonly BenefitKey[], tier: TierId | null) {
  const now = benefitsOfTier(user.active_tier)
  const then = benefitsOfTier(tier ?? user.owned_tier)
  const differ = (some: readonly BenefitKey[], others: readonly BenefitKey[]) =>
    BENEFITS_IN_ORDER.filter((key) => some.includes(key) && !others.includes(key) && !granted.includes(key))
  return { gained: differ(then, now), lost: differ(now, then), limits: limitsUnder(user, allowanceOfTier(tier ?? user.owned_tier)) }
}

function limitsUnder(user: TierUser, allowed: Allowance) {
  const used = limitUsage(user)
  return LIMITS.filter(({ key, of }) => user.own_limits[key] === null && user[key] !== allowed[of]).map(({ key, of }) => {
    const has = used[of]
    // Users keep what exceeds the new limit.
    return { of, from: user[key], to: allowed[of], over: has !== undefined && has > allowed[of] ? has : undefined }
  })
}
