import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { BENEFITS, type BenefitKey, TIER_IDS, type TierId, TIERS } from '#contract/benefits.ts'
import type { AdminUser } from '#contract/users-admin.ts'
import { adminBenefitsOptions } from '#web/features/benefits/benefits.api.ts'
import { useUserChange } from '#web/features/users/admin/keep-user.ts'
import { call } from '#web/lib/call.ts'
import { focusAfterRemoval } from '#web/lib/focus.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Form } from '#web/ui/form/form.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { type LimitChange, tierChanges } from './tier-changes.ts'

export function TierCard({ user }: { user: AdminUser }) {
  const title = useRef<HTMLHeadingElement>(null)
  const { forced, chosen, setChosen } = useChosen(user)
  // The tier that is asked about, null is their own, and the person as they were then.
  const [asked, setAsked] = useState<{ tier: TierId | null; user: AdminUser }>()
  const own = tierName(user.owned_tier) ?? 'none'
  return (
    <Card
      title="Tier"
      titleRef={title}
      below={
        <>
          Own tier: <strong className="font-medium text-ink-1">{own}</strong>. A forced one counts in its place until you stop it.
        </>
      }
    >
      <Form
        onSubmit={() => {
          if (chosen !== forced) setAsked({ tier: chosen, user })
        }}
      >
        <Field label="Tier that counts">
          {(control) => (
            <select
              {...control}
              value={chosen ?? ''}
              onChange={(event) => setChosen(TIER_IDS.find((id) => id === event.target.value) ?? null)}
              className="field-input"
            >
              <option value="">Own tier: {own}</option>
              {TIER_IDS.map((id) => (
                <option key={id} value={id}>
                  {TIERS[id].name}, forced
                </option>
              ))}
            </select>
          )}
        </Field>
        <div className="mt-4 flex flex-wrap gap-2">
          <Button type="submit" look="primary" disabled={chosen === forced}>
            {chosen === null ? 'Use their own tier…' : 'Force this tier…'}
          </Button>
          {forced !== null && <Button onClick={() => setAsked({ tier: null, user })}>Stop forcing…</Button>}
        </div>
      </Form>
      {/* "Stop forcing" comes and goes. */}
      {asked && <TierDialog {...asked} onDone={() => focusAfterRemoval(() => title.current)} onClose={() => setAsked(undefined)} />}
    </Card>
  )
}

function tierName(tier: TierId | null): string | undefined {
  return tier === null ? undefined : TIERS[tier].name
}

function useChosen(user: AdminUser) {
  const forced = user.is_tier_forced ? user.active_tier : null
  const [chosen, setChosen] = useState<TierId | null>(forced)
  // What somebody else forced meanwhile is what is chosen.
  const [was, setWas] = useState(forced)
  if (forced !== was) {
    setWas(forced)
    setChosen(forced)
  }
  return { forced, chosen, setChosen }
}

interface TierDialogProps {
  user: AdminUser
  tier: TierId | null
  onDone: () => void
  onClose: () => void
}

function TierDialog({ user, tier, onDone, onClose }: TierDialogProps) {
  const force = useUserChange(() => call('PUT /api/admin/users/{id}/tier', { params: { id: user.id }, body: { tier_id: tier } }))
  const name = user.discord.username
  const forced = tierName(tier)
  const confirm = useSingleFlight(async () => {
    await force.mutateAsync()
    onClose()
    toastSuccess(forced === undefined ? 'Tier no longer forced' : `${forced} forced`, name)
    onDone()
  })
  const { data: overview, error: unread } = useQuery(adminBenefitsOptions(user.id))
  const granted = (overview ?? []).filter((each) => each.granted).map(({ key }) => key)
  const { gained, lost, limits } = tierChanges(user, granted, tier)
  const own = tierName(user.owned_tier) ?? 'no tier'
  return (
    <ConfirmDialog
      title={forced === undefined ? `Stop forcing a tier on ${name}?` : `Force ${forced} on ${name}?`}
      confirm={forced === undefined ? 'Stop forcing' : `Force ${forced}`}
      danger={lost.length > 0}
      busy={force.isPending}
      error={force.error ? messageOf(force.error) : undefined}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>
        {forced === undefined
          ? `What ${name} supports with counts again: ${own}.`
          : `It counts until an administrator stops it, whatever ${name} supports with (now ${own}). ${name} sees that an administrator set it.`}
      </p>
      <ul className="list-disc space-y-1 pl-5">
        {overview === undefined && (
          <li>
            {unread
              ? 'What is granted besides could not be read: of what is named here, that stays.'
              : 'Looking up what is granted besides…'}
          </li>
        )}
        {gained.length > 0 && <li>Gains {named(gained)}.</li>}
        {lost.length > 0 && <li>Loses {named(lost)}. What was set up with it is kept, hidden from players.</li>}
        {limits.map((limit) => (
          <li key={limit.of}>{limitText(limit)}</li>
        ))}
        {gained.length + lost.length + limits.length === 0 && <li>No benefit and no limit changes.</li>}
      </ul>
    </ConfirmDialog>
  )
}

const list = new Intl.ListFormat('en')

function named(keys: readonly BenefitKey[]): string {
  return list.format(keys.map((key) => BENEFITS[key].name))
}

function limitText({ of, from, to, over }: LimitChange): string {
  const change = `May have ${to} ${to === 1 ? of.slice(0, -1) : of} instead of ${from}`
  return over === undefined ? `${change}.` : `${change}: all ${over} stay, and no more can be added.`
}
