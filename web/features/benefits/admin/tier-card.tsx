import { useRef, useState } from 'react'
import { TIER_IDS, type TierId, TIERS } from '#contract/benefits.ts'
import type { AdminUser } from '#contract/users-admin.ts'
import { focusOnceGone } from '#web/lib/focus.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { useSingly } from '#web/lib/use-singly.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { ErrorNote } from '#web/ui/note.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { useForceTier } from './change-user.ts'

/** The tier of somebody: his own, the one that is forced on him, and what it allows. */
export function TierCard({ user }: { user: AdminUser }) {
  const title = useRef<HTMLHeadingElement>(null)
  return (
    <section aria-labelledby="tier-title" className="card p-5">
      <h2 id="tier-title" ref={title} tabIndex={-1} className="font-medium outline-none">
        Tier
      </h2>
      <p className="mt-0.5 mb-4 text-13 text-pretty text-ink-2">
        Own tier: <strong className="font-medium text-ink-1">{ownTier(user)}</strong>. A forced one counts in its place until you stop it.
      </p>
      <TierForm user={user} onDone={() => focusOnceGone(() => title.current)} />
      <dl className="mt-5 space-y-1.5 border-t border-line pt-4 text-13">
        <Limit label="Servers" used={user.masterListTokens.length} max={user.max_masterlist_tokens} />
        <Limit label="Managers" used={user.gived_managements.length} max={user.max_managers} />
        <Limit label="Groups allowed" max={user.max_masterlist_groups} />
      </dl>
    </section>
  )
}

function ownTier({ owned_tier: owned }: AdminUser): string {
  return owned === null ? 'none' : TIERS[owned].name
}

/** Forces a tier, or lets the person have his own again. */
function TierForm({ user, onDone }: { user: AdminUser; onDone: () => void }) {
  const forced = user.is_tier_forced ? user.active_tier : null
  const [chosen, setChosen] = useState<TierId | null>(forced)
  // What somebody else forced meanwhile is what is chosen.
  const [was, setWas] = useState(forced)
  if (forced !== was) {
    setWas(forced)
    setChosen(forced)
  }
  const force = useForceTier(user.id)
  const name = user.discord.username
  const apply = useSingly(async (tier: TierId | null) => {
    await force.mutateAsync(tier)
    if (tier === null) toastSuccess('Tier no longer forced', name)
    else toastSuccess(`${TIERS[tier].name} forced`, name)
    // "Stop forcing" comes and goes.
    onDone()
  })
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen !== forced) apply(chosen)
      }}
    >
      <Field label="Tier that counts">
        {(control) => (
          <select
            {...control}
            value={chosen ?? ''}
            disabled={force.isPending}
            onChange={(event) => {
              setChosen(TIER_IDS.find((id) => id === event.target.value) ?? null)
              force.reset()
            }}
            className="field-input"
          >
            <option value="">Own tier: {ownTier(user)}</option>
            {TIER_IDS.map((id) => (
              <option key={id} value={id}>
                {TIERS[id].name}, forced
              </option>
            ))}
          </select>
        )}
      </Field>
      {force.error && <ErrorNote className="mt-3">{messageOf(force.error)}</ErrorNote>}
      <div className="mt-4 flex flex-wrap gap-2">
        <Button type="submit" look="primary" busy={force.isPending} disabled={chosen === forced}>
          {chosen === null ? 'Use the own tier' : 'Force this tier'}
        </Button>
        {forced !== null && (
          <Button disabled={force.isPending} onClick={() => apply(null)}>
            Stop forcing
          </Button>
        )}
      </div>
    </form>
  )
}

function Limit({ label, used, max }: { label: string; used?: number; max: number }) {
  return (
    <div className="flex justify-between gap-3">
      <dt className="text-ink-3">{label}</dt>
      <dd className="text-ink-1 tabular-nums">{used === undefined ? max : `${used} of ${max}`}</dd>
    </div>
  )
}
