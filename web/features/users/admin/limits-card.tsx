import { useState } from 'react'
import { allowanceOfTier } from '#contract/benefits/benefits.ts'
import type { AdminUser, Limits } from '#contract/users/users-admin.ts'
import { m } from '#messages'
import { call } from '#web/lib/http/call.ts'
import { messageOf } from '#web/lib/http/http-error.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Form } from '#web/ui/form/form.tsx'
import { UnsavedGuard } from '#web/ui/form/unsaved-changes.tsx'
import { ErrorNote } from '#web/ui/note.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { changedLimits, limitError, type LimitInputs, type LimitKey, LIMITS, toLimitInputs } from './limits.ts'
import { useUserMutation } from './user-mutation.ts'

export function LimitsCard({ user }: { user: AdminUser }) {
  return (
    <Card title={m.users_limits()} description={m.users_limits_hint()}>
      <LimitsForm user={user} />
    </Card>
  )
}

function useLimitsForm(user: AdminUser) {
  const saved = toLimitInputs(user.own_limits)
  const [changes, setChanges] = useState<Partial<LimitInputs>>({})
  const [isSubmitted, setSubmitted] = useState(false)
  const { mutateAsync, reset, isPending, error } = useUserMutation((body: Limits) =>
    call('PATCH /api/admin/users/{id}', { params: { id: user.id }, body }),
  )
  const values: LimitInputs = { ...saved, ...changes }
  const send = useSingleFlight(async (limits: Limits) => {
    await mutateAsync(limits)
    // Keeps text typed during the request.
    setChanges((current) => Object.fromEntries(Object.entries(current).filter(([key, text]) => text !== values[key as LimitKey])))
    setSubmitted(false)
    toastSuccess(m.users_limits_saved(), user.discord.username)
  })
  const isDirty = LIMITS.some(({ key }) => values[key].trim() !== saved[key])
  const save = (): boolean => {
    const limits = changedLimits(values, saved)
    setSubmitted(true)
    if (limits && isDirty) send(limits)
    return limits !== undefined
  }
  const change = (key: LimitKey, text: string) => {
    setChanges({ ...changes, [key]: text })
    reset()
  }
  const discard = () => {
    setChanges({})
    setSubmitted(false)
    reset()
  }
  const errorOf = (key: LimitKey) => (isSubmitted ? limitError(values[key]) : undefined)
  return { values, isDirty, isPending, error, save, change, discard, errorOf }
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
        <Button type="submit" variant="primary" busy={form.isPending} disabled={!form.isDirty}>
          {m.users_limits_save()}
        </Button>
        {form.isDirty && (
          <Button variant="quiet" disabled={form.isPending} onClick={form.discard}>
            {m.ui_unsaved_discard()}
          </Button>
        )}
      </div>
      <UnsavedGuard dirty={form.isDirty} onLeave={form.discard} what={m.users_limits_what({ user: user.discord.username })} />
    </Form>
  )
}

interface LimitFieldProps {
  limit: (typeof LIMITS)[number]
  user: AdminUser
  form: ReturnType<typeof useLimitsForm>
}

function LimitField({ limit, user: { active_tier: tier }, form }: LimitFieldProps) {
  const { key, label, kind } = limit
  const value = form.values[key]
  const max = allowanceOfTier(tier)[kind]
  return (
    <Field
      label={label}
      error={form.errorOf(key)}
      hint={tier === null ? m.users_limits_default_no_tier({ max }) : m.users_limits_default({ max })}
      aside={
        value !== '' && (
          <button
            type="button"
            className="-my-1 min-h-6 rounded-6 px-1 font-medium text-accent hover:underline pointer-coarse:min-h-11"
            onClick={(event) => {
              form.change(key, '')
              // The button disappears.
              event.currentTarget.closest('.relative')?.querySelector('input')?.focus()
            }}
          >
            <RichText
              message={m.users_limits_use_default}
              inputs={{ limit: label }}
              tags={{ sr: (text) => <span className="sr-only">{text}</span> }}
            />
          </button>
        )
      }
    >
      {(control) => (
        <input
          {...control}
          value={value}
          placeholder={String(max)}
          inputMode="numeric"
          autoComplete="off"
          maxLength={6}
          onChange={(event) => form.change(key, event.target.value)}
          className="field-input tabular-nums"
        />
      )}
    </Field>
  )
}
