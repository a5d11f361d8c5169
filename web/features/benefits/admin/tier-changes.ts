/** What another tier changes for somebody, before it is forced on him. */
import { type Allowance, allowanceOfTier, type BenefitKey, benefitsOfTier, type TierId } from '#contract/benefits.ts'
import type { AdminUser } from '#contract/users-admin.ts'
import { BENEFITS_IN_ORDER } from '#web/features/benefits/standing.ts'

export interface LimitChange {
  readonly of: keyof Allowance
  readonly from: number
  readonly to: number
  /** How many he has where that is known and more than he may have then: he keeps them. */
  readonly over: number | undefined
}

export interface TierChanges {
  readonly gained: readonly BenefitKey[]
  readonly lost: readonly BenefitKey[]
  readonly limits: readonly LimitChange[]
}

type Standing = Pick<
  AdminUser,
  'active_tier' | 'owned_tier' | 'max_masterlist_tokens' | 'max_managers' | 'max_masterlist_groups' | 'own_limits'
> & { readonly masterListTokens: readonly unknown[]; readonly gived_managements: readonly unknown[] }

/**
 * From how he stands now to the tier; null is his own.
 * @param granted what is granted to him besides: a tier neither gives nor takes that.
 */
export function tierChanges(user: Standing, granted: readonly BenefitKey[], tier: TierId | null): TierChanges {
  const now = benefitsOfTier(user.active_tier)
  const then = benefitsOfTier(tier ?? user.owned_tier)
  const differ = (some: readonly BenefitKey[], others: readonly BenefitKey[]) =>
    BENEFITS_IN_ORDER.filter((key) => some.includes(key) && !others.includes(key) && !granted.includes(key))
  return { gained: differ(then, now), lost: differ(now, then), limits: limitsUnder(user, allowanceOfTier(tier ?? user.owned_tier)) }
}

/** The limits that follow the tier. One that an administrator set stays as it is. */
function limitsUnder({ own_limits: own, ...user }: Standing, allowed: Allowance): LimitChange[] {
  const limits = [
    { of: 'servers', own: own.max_masterlist_tokens, from: user.max_masterlist_tokens, used: user.masterListTokens.length },
    { of: 'managers', own: own.max_managers, from: user.max_managers, used: user.gived_managements.length },
    { of: 'groups', own: own.max_masterlist_groups, from: user.max_masterlist_groups, used: undefined },
  ] as const
  return limits
    .filter((limit) => limit.own === null && limit.from !== allowed[limit.of])
    .map(({ of, from, used }) => ({ of, from, to: allowed[of], over: used !== undefined && used > allowed[of] ? used : undefined }))
}
