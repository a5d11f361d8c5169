import { useRef, useState } from 'react'
import { TIER_IDS, type TierId, TIERS } from '#contract/benefits.ts'
import type { AdminUser } from '#contract/users-admin.ts'
import { focusOnceGone } from '#web/lib/focus.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { useSingly } from '#web/lib/use-singly.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { useForceTier } from './change-user.ts'
import { TierDialog } from './tier-dialog.tsx'

/** The tier of somebody: his own, and the one that is forced on him. */
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
    </section>
  )
}

function ownTier({ owned_tier: owned }: AdminUser): string {
  return owned === null ? 'none' : TIERS[owned].name
}

/** Forces a tier, or lets the person have his own again. */
function TierForm({ user, onDone }: { user: AdminUser; onDone: () => void }) {
  const { forced, chosen, setChosen } = useChosen(user)
  // The tier that is asked about, null is his own, and the person as he was then.
  const [asked, setAsked] = useState<{ tier: TierId | null; user: AdminUser }>()
  return (
    <>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
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
              <option value="">Own tier: {ownTier(user)}</option>
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
      </form>
      {asked && <Question {...asked} onDone={onDone} onClose={() => setAsked(undefined)} />}
    </>
  )
}

/** The tier that is chosen in the form; null is his own. */
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

interface QuestionProps {
  user: AdminUser
  tier: TierId | null
  onDone: () => void
  onClose: () => void
}

function Question({ user, tier, onDone, onClose }: QuestionProps) {
  const force = useForceTier(user.id)
  const confirm = useSingly(async () => {
    await force.mutateAsync(tier)
    onClose()
    toastSuccess(tier === null ? 'Tier no longer forced' : `${TIERS[tier].name} forced`, user.discord.username)
    // "Stop forcing" comes and goes.
    onDone()
  })
  const error = force.error ? messageOf(force.error) : undefined
  return <TierDialog user={user} tier={tier} busy={force.isPending} error={error} onConfirm={confirm} onClose={onClose} />
}
