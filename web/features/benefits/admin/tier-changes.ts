/** Benefits and limits that a tier override would change. */
import { type Allowance, allowanceOfTier, type BenefitKey, benefitsOfTier, type TierId } from '#contract/benefits/benefits.ts'
import type { AdminUser } from '#contract/users/users-admin.ts'
import { BENEFITS_IN_ORDER } from '#web/features/benefits/tiers.ts'
import { LIMITS, limitUsage } from '#web/features/users/limits.tsx'

export type LimitChange = ReturnType<typeof limitChanges>[number]

type TierUser = Pick<
  AdminUser,
  'active_tier' | 'owned_tier' | 'max_masterlist_tokens' | 'max_managers' | 'max_masterlist_groups' | 'own_limits'
> &
  Parameters<typeof limitUsage>[0]

/**
 * The changes from the active tier to `tier`; null is their own tier.
 * @param granted benefits granted independently of tiers, which stay.
 */
export function tierChanges(user: TierUser, granted: readonly BenefitKey[], tier: TierId | null) {
  const current = benefitsOfTier(user.active_tier)
  const next = benefitsOfTier(tier ?? user.owned_tier)
  const onlyIn = (keys: readonly BenefitKey[], others: readonly BenefitKey[]) =>
    BENEFITS_IN_ORDER.filter((key) => keys.includes(key) && !others.includes(key) && !granted.includes(key))
  return {
    gained: onlyIn(next, current),
    lost: onlyIn(current, next),
    limits: limitChanges(user, allowanceOfTier(tier ?? user.owned_tier)),
  }
}

function limitChanges(user: TierUser, allowance: Allowance) {
  const used = limitUsage(user)
  return LIMITS.filter(({ key, kind }) => user.own_limits[key] === null && user[key] !== allowance[kind]).map(({ key, kind }) => {
    const count = used[kind]
    // Users keep what they have above a lowered limit.
    return { kind, from: user[key], to: allowance[kind], over: count !== undefined && count > allowance[kind] ? count : undefined }
  })
}
