import { useState } from 'react'
import { allowanceOfTier, TIERS } from '#contract/benefits.ts'
import type { AdminUser, Limits } from '#contract/users-admin.ts'
import { call } from '#web/lib/call.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Form } from '#web/ui/form/form.tsx'
import { UnsavedGuard } from '#web/ui/form/unsaved.tsx'
import { ErrorNote } from '#web/ui/note.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { useUserMutation } from './user-mutation.ts'
import { LIMITS, type LimitKey, limitError, changedLimits, type LimitInputs, toLimitInputs } from './limits.ts'

export function LimitsCard({ user }: { user: AdminUser }) {
  const allowed = user.active_tier === null ? 'everybody without a tier has' : `the tier ${TIERS[user.active_tier].name} allows`
  return (
    <Card
      title="Limits"
      below={`An empty field is what ${allowed}. What ${user.discord.username} has already stays, also over a lower limit.`}
    >
      <LimitsForm user={user} />
    </Card>
  )
}

function useLimitsForm(user: AdminUser) {
  const saved = toLimitInputs(user.own_limits)
  const [changed, setChanged] = useState<Partial<LimitInputs>>({})
  const [tried, setTried] = useState(false)
  const { mutateAsync, reset, isPending, error } = useUserMutation((body: Limits) =>
    call('PATCH /api/admin/users/{id}', { params: { id: user.id }, body }),
  )
  const typed: LimitInputs = { ...saved, ...changed }
  const send = useSingleFlight(async (limits: Limits) => {
    await mutateAsync(limits)
    // What was typed meanwhile stays.
    setChanged((now) => Object.fromEntries(Object.entries(now).filter(([key, text]) => text !== typed[key as LimitKey])))
    setTried(false)
    toastSuccess('Limits saved', user.discord.username)
  })
  const isDirty = LIMITS.some(({ key }) => typed[key].trim() !== saved[key])
  const save = (): boolean => {
    const limits = changedLimits(typed, saved)
    setTried(true)
    if (limits && isDirty) send(limits)
    return limits !== undefined
  }
  const type = (key: LimitKey, text: string) => {
    setChanged({ ...changed, [key]: text })
    reset()
  }
  const discard = () => {
    setChanged({})
    setTried(false)
    reset()
  }
  const problem = ({ key, label }: (typeof LIMITS)[number]) => (tried ? limitError(label, typed[key]) : undefined)
  return { typed, isDirty, isPending, error, save, type, discard, problem }
}

function LimitsForm({ user }: { user: AdminUser }) {
  const form = useLimitsForm(user)
  return (
    <Form
      onSubmit={(element) => {
        if (!form.save()) requestAnimationFrame(() => element.querySelector<HTMLElement>('[aria-invalid]')?.focus())
      }}
    >
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-3">
        {LIMITS.map((limit) => (
          <LimitField key={limit.key} limit={limit} user={user} form={form} />
        ))}
      </div>
      {form.error && <ErrorNote className="mt-4">{messageOf(form.error)}</ErrorNote>}
      <div className="mt-4 flex flex-wrap gap-2">
        <Button type="submit" look="primary" busy={form.isPending} disabled={!form.isDirty}>
          Save limits
        </Button>
        {form.isDirty && (
          <Button look="quiet" disabled={form.isPending} onClick={form.discard}>
            Discard
          </Button>
        )}
      </div>
      <UnsavedGuard dirty={form.isDirty} onLeave={form.discard} what={`the limits of ${user.discord.username}`} />
    </Form>
  )
}

interface LimitFieldProps {
  limit: (typeof LIMITS)[number]
  user: AdminUser
  form: ReturnType<typeof useLimitsForm>
}

function LimitField({ limit, user: { active_tier: tier }, form }: LimitFieldProps) {
  const { key, label, of } = limit
  const value = form.typed[key]
  const ofTier = allowanceOfTier(tier)[of]
  const allowedBy = tier === null ? 'without a tier' : 'the tier allows'
  return (
    <Field
      label={label}
      error={form.problem(limit)}
      hint={value.trim() === '' ? `As ${allowedBy}` : `${ofTier} ${allowedBy}`}
      aside={
        value !== '' && (
          <button
            type="button"
            className="min-h-6 rounded-6 px-1 font-medium text-accent hover:underline pointer-coarse:min-h-11"
            onClick={(event) => {
              form.type(key, '')
              // The button goes with the number.
              event.currentTarget.closest('.relative')?.querySelector('input')?.focus()
            }}
          >
            Use the tier’s<span className="sr-only"> for {label.toLowerCase()}</span>
          </button>
        )
      }
    >
      {(control) => (
        <input
          {...control}
          value={value}
          placeholder={String(ofTier)}
          inputMode="numeric"
          autoComplete="off"
          maxLength={6}
          onChange={(event) => form.type(key, event.target.value)}
          className="field-input tabular-nums"
        />
      )}
    </Field>
  )
}
