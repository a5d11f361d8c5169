import { z } from 'zod'
import { allowanceOfTier } from '#contract/benefits/benefits.ts'
import type { AdminUser, Limits } from '#contract/users/users-admin.ts'
import { m } from '#messages'
import { type LimitKey, LIMITS } from '#web/features/users/limits.tsx'
import { call } from '#web/lib/http/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { NumberField } from '#web/ui/form/fields.tsx'
import { Form, FormNotes, useForm } from '#web/ui/form/form.tsx'
import { UnsavedGuard } from '#web/ui/form/unsaved-changes.tsx'
import type { Form as FormState } from '#web/ui/form/form-options.ts'
import { RichText } from '#web/ui/rich-text.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { useUserMutation } from './user-mutation.ts'

const MAX_LIMIT = 1000
const error = () => m.users_limits_invalid({ max: MAX_LIMIT })
const limit = z.int({ error }).min(0, { error }).max(MAX_LIMIT, { error }).nullable()
/** Null is the tier's limit. */
const LimitsSchema = z.object(Object.fromEntries(LIMITS.map(({ key }) => [key, limit])) as Record<LimitKey, typeof limit>)
type LimitInputs = z.input<typeof LimitsSchema>

export function LimitsCard({ user }: { user: AdminUser }) {
  const change = useUserMutation((body: Limits) => call('PATCH /api/admin/users/{id}', { params: { id: user.id }, body }))
  const form = useForm({
    schema: LimitsSchema,
    stored: user,
    valuesOf: ({ own_limits }) => own_limits,
    submit: async (limits, { changed }) => {
      // Changes by other administrators stay.
      const saved = await change.mutateAsync(Object.fromEntries(changed.map((key) => [key, limits[key]])))
      toastSuccess(m.users_limits_saved(), user.discord.username)
      return saved
    },
  })
  return (
    <Card title={m.users_limits()} description={m.users_limits_hint()}>
      <Form form={form}>
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-3">
          {LIMITS.map((each) => (
            <LimitField key={each.key} limit={each} tier={user.active_tier} form={form} />
          ))}
        </div>
        <FormNotes form={form} className="mt-4" />
        <div className="mt-4 flex flex-wrap gap-2">
          <Button type="submit" variant="primary" busy={form.isBusy} disabled={!form.isDirty}>
            {m.users_limits_save()}
          </Button>
          {form.isDirty && (
            <Button variant="quiet" disabled={form.isBusy} onClick={form.discard}>
              {m.ui_unsaved_discard()}
            </Button>
          )}
        </div>
        <UnsavedGuard form={form} what={m.users_limits_what({ user: user.discord.username })} />
      </Form>
    </Card>
  )
}

interface LimitFieldProps {
  limit: (typeof LIMITS)[number]
  tier: AdminUser['active_tier']
  form: FormState<LimitInputs>
}

function LimitField({ limit: { key, label, kind }, tier, form }: LimitFieldProps) {
  const max = allowanceOfTier(tier)[kind]
  return (
    <NumberField
      form={form}
      name={key}
      label={label}
      empty={null}
      hint={tier === null ? m.users_limits_default_no_tier({ max }) : m.users_limits_default({ max })}
      placeholder={String(max)}
      aside={
        form.values[key] !== null && (
          <button
            type="button"
            className="-my-1 min-h-6 rounded-6 px-1 font-medium text-accent hover:underline pointer-coarse:min-h-11"
            onClick={(event) => {
              form.change({ [key]: null })
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
    />
  )
}
