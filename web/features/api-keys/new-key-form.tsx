import { useId, useState } from 'react'
import { z } from 'zod'
import { API_KEY_DAYS, API_KEY_NAME, type ApiKeyWithSecret, NewApiKey } from '#contract/users/api-keys.ts'
import { SCOPE_KEYS, SCOPES } from '#contract/users/scopes.ts'
import { m } from '#messages'
import { DAY_MS, formatTime, useNow } from '#web/lib/time.ts'
import { Button } from '#web/ui/button.tsx'
import { Field, FieldGroup, NumberField, TextField, useField } from '#web/ui/form/fields.tsx'
import type { Form as FormState } from '#web/ui/form/form-options.ts'
import { Form, FormNotes, useForm } from '#web/ui/form/form.tsx'
import { Options } from '#web/ui/form/option.tsx'
import { useCreateApiKey } from './api-keys.api.ts'

const CHOICES = [7, 30, 90, 365] as const
const CUSTOM = 'custom'

const daysError = { error: () => m.api_keys_days_invalid(API_KEY_DAYS) }
const KeySchema = NewApiKey.extend({
  expires_in_days: z.int(daysError).min(API_KEY_DAYS.min, daysError).max(API_KEY_DAYS.max, daysError),
})
type KeyInput = z.input<typeof KeySchema>

export function NewKeyForm({ onCreated, onCancel }: { onCreated: (created: ApiKeyWithSecret) => void; onCancel: () => void }) {
  const titleId = useId()
  const create = useCreateApiKey()
  const form = useForm({
    schema: KeySchema,
    initial: { name: '', scopes: ['servers:read'], expires_in_days: 90 },
    submit: async (body) => onCreated(await create.mutateAsync(body)),
  })
  return (
    <Form form={form} aria-labelledby={titleId} className="card space-y-5 p-5">
      <h2 id={titleId} className="font-medium">
        {m.api_keys_new()}
      </h2>
      <TextField
        form={form}
        name="name"
        label={m.api_keys_name()}
        hint={m.api_keys_name_hint()}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just opened this form
        autoFocus
        maxLength={API_KEY_NAME.max * 2}
      />
      <ExpiryFields form={form} />
      <ScopeFields form={form} />
      <FormNotes form={form} />
      <div className="flex flex-wrap gap-2 max-sm:flex-col">
        <Button type="submit" variant="primary" busy={form.isBusy}>
          {m.api_keys_create()}
        </Button>
        <Button variant="quiet" onClick={onCancel} disabled={form.isBusy}>
          {m.common_cancel()}
        </Button>
      </div>
    </Form>
  )
}

function ExpiryFields({ form }: { form: FormState<KeyInput> }) {
  const [isCustom, setCustom] = useState(false)
  const now = useNow()
  const days = form.values.expires_in_days
  const isValid = KeySchema.shape.expires_in_days.safeParse(days).success
  const hint = isValid ? m.api_keys_expires_on({ date: formatTime(now + days * DAY_MS, 'longDate') }) : undefined
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label={m.api_keys_expiry()} hint={isCustom ? undefined : hint}>
        {(control) => (
          <select
            {...control}
            value={isCustom ? CUSTOM : days}
            onChange={({ target }) => {
              setCustom(target.value === CUSTOM)
              if (target.value !== CUSTOM) form.change({ expires_in_days: Number(target.value) })
            }}
            className="field-input"
          >
            {CHOICES.map((choice) => (
              <option key={choice} value={choice}>
                {m.api_keys_days({ count: choice })}
              </option>
            ))}
            <option value={CUSTOM}>{m.api_keys_days_custom()}</option>
          </select>
        )}
      </Field>
      {isCustom && (
        <NumberField
          form={form}
          name="expires_in_days"
          label={m.api_keys_days_label({ max: API_KEY_DAYS.max })}
          hint={hint}
          {...API_KEY_DAYS}
        />
      )}
    </div>
  )
}

const isRead = (scope: string) => scope.endsWith(':read')
const SCOPE_GROUPS = [
  { title: m.api_keys_scopes_read(), scopes: SCOPE_KEYS.filter(isRead) },
  { title: m.api_keys_scopes_write(), scopes: SCOPE_KEYS.filter((scope) => !isRead(scope)) },
]

function ScopeFields({ form }: { form: FormState<KeyInput> }) {
  const field = useField(form, 'scopes')
  return (
    <FieldGroup legend={m.api_keys_scopes()} error={field.error} className="mb-2 text-13">
      <div className="space-y-4">
        {SCOPE_GROUPS.map(({ title, scopes }) => (
          <div key={title} role="group" aria-label={title} className="min-w-0">
            <p aria-hidden="true" className="mb-1.5 text-12 text-ink-3">
              {title}
            </p>
            <div className="grid gap-2 sm:grid-cols-2">
              <Options
                keys={SCOPE_KEYS}
                shown={scopes}
                field={field}
                titleOf={(scope) => (
                  <>
                    <span className="font-medium">{SCOPES[scope].title()}</span>
                    <code className="font-mono text-12 text-ink-3">{scope}</code>
                  </>
                )}
                hintOf={(scope) => SCOPES[scope].hint()}
                optionClass="rounded-6 border border-line has-checked:border-accent"
              />
            </div>
          </div>
        ))}
      </div>
    </FieldGroup>
  )
}
