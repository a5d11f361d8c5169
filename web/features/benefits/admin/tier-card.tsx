import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { BENEFITS } from '#contract/benefits/benefit-texts.ts'
import {
  type Allowance,
  allowanceOfTier,
  type BenefitKey,
  benefitsOfTier,
  TIER_IDS,
  type TierId,
  TIERS,
} from '#contract/benefits/benefits.ts'
import type { AdminUser } from '#contract/users/users-admin.ts'
import { m } from '#messages'
import { adminBenefitsOptions } from '#web/features/benefits/benefits.api.ts'
import { BENEFITS_IN_ORDER } from '#web/features/benefits/tiers.ts'
import { useUserMutation } from '#web/features/users/admin/user-mutation.ts'
import { LIMITS, limitUsage } from '#web/features/users/limits.tsx'
import { call } from '#web/lib/http/call.ts'
import { formatList } from '#web/lib/lists.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { counted } from '#web/ui/count-text.ts'
import { MutationDialog } from '#web/ui/dialog/confirm-dialog.tsx'
import { SelectField } from '#web/ui/form/fields.tsx'
import { Form, useForm } from '#web/ui/form/form.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { toastSuccess } from '#web/ui/toast.ts'

export function TierCard({ user }: { user: AdminUser }) {
  const override = user.is_tier_forced ? user.active_tier : null
  const form = useForm({
    schema: z.object({ tier: z.enum(TIER_IDS).nullable() }),
    // Follows an override by another administrator.
    initial: { tier: override },
    submit: async ({ tier }) => {
      if (tier !== override) setConfirming({ tier, user })
    },
  })
  const selected = form.values.tier
  // The tier to confirm (null for their own), with a snapshot of the user.
  const [confirming, setConfirming] = useState<{ tier: TierId | null; user: AdminUser }>()
  const own = tierName(user.owned_tier) ?? m.tiers_admin_none()
  return (
    <Card
      title={m.tiers_tier()}
      description={
        <RichText message={m.tiers_admin_override_about} tags={{ tier: () => <strong className="font-medium text-ink-1">{own}</strong> }} />
      }
    >
      <Form form={form}>
        <SelectField form={form} name="tier" label={m.tiers_admin_effective()} isNullable>
          <option value="">{m.tiers_admin_own({ tier: own })}</option>
          {TIER_IDS.map((id) => (
            <option key={id} value={id}>
              {m.tiers_admin_override_option({ tier: TIERS[id].name })}
            </option>
          ))}
        </SelectField>
        <div className="mt-4 flex flex-wrap gap-2">
          <Button type="submit" variant="primary" disabled={selected === override}>
            {selected === null ? m.tiers_admin_use_own() : m.tiers_admin_override()}
          </Button>
          {override !== null && <Button onClick={() => setConfirming({ tier: null, user })}>{m.tiers_admin_remove()}</Button>}
        </div>
      </Form>
      {confirming && <TierDialog {...confirming} onClose={() => setConfirming(undefined)} />}
    </Card>
  )
}

function tierName(tier: TierId | null): string | undefined {
  return tier === null ? undefined : TIERS[tier].name
}

function TierDialog({ user, tier, onClose }: { user: AdminUser; tier: TierId | null; onClose: () => void }) {
  const setTier = useUserMutation(() => call('PUT /api/admin/users/{id}/tier', { params: { id: user.id }, body: { tier_id: tier } }))
  const name = user.discord.username
  const newTier = tierName(tier)
  const { data: overview } = useQuery(adminBenefitsOptions(user.id))
  const granted = (overview ?? []).filter((each) => each.granted).map(({ key }) => key)
  const { gained, lost, limits } = tierChanges(user, granted, tier)
  return (
    <MutationDialog
      title={
        newTier === undefined ? m.tiers_admin_remove_title({ user: name }) : m.tiers_admin_override_title({ user: name, tier: newTier })
      }
      confirm={newTier === undefined ? m.tiers_admin_remove_confirm() : m.tiers_admin_override_confirm({ tier: newTier })}
      danger={lost.length > 0}
      mutation={setTier}
      onConfirm={async () => {
        await setTier.mutateAsync()
        onClose()
        toastSuccess(newTier === undefined ? m.tiers_admin_remove_done() : m.tiers_admin_override_done({ tier: newTier }), name)
      }}
      onClose={onClose}
    >
      <p>{hintText(name, tierName(user.owned_tier), newTier)}</p>
      <ul className="list-disc space-y-1 pl-5">
        {gained.length > 0 && <li>{m.tiers_admin_gains({ user: name, benefits: benefitNames(gained) })}</li>}
        {lost.length > 0 && <li>{m.tiers_admin_loses({ user: name, benefits: benefitNames(lost) })}</li>}
        {limits.map((limit) => (
          <li key={limit.kind}>{limitText(limit)}</li>
        ))}
        {gained.length + lost.length + limits.length === 0 && <li>{m.tiers_admin_change_none()}</li>}
      </ul>
    </MutationDialog>
  )
}

function hintText(user: string, own: string | undefined, newTier: string | undefined): string {
  if (newTier !== undefined) return m.tiers_admin_override_hint({ user, own: own ?? m.tiers_admin_none() })
  return own === undefined ? m.tiers_admin_remove_hint_none({ user }) : m.tiers_admin_remove_hint({ user, own })
}

function benefitNames(keys: readonly BenefitKey[]): string {
  return formatList(keys.map((key) => BENEFITS[key].name()))
}

const COUNT_TEXT = { servers: m.count_servers, managers: m.count_managers, groups: m.count_groups } as const

function limitText({ kind, from, to, over }: LimitChange): string {
  const items = COUNT_TEXT[kind](counted(to))
  return over === undefined ? m.tiers_admin_limit({ items, from }) : m.tiers_admin_limit_over({ items, from, over })
}

type LimitChange = ReturnType<typeof limitChanges>[number]

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
