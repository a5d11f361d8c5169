import { type RefObject, useId, useRef, useState } from 'react'
import { API_KEY_DAYS, API_KEY_NAME, type ApiKeyWithSecret, NewApiKey } from '#contract/users/api-keys.ts'
import type { Scope } from '#contract/users/scopes.ts'
import { m } from '#messages'
import { messageOf } from '#web/lib/http/http-error.ts'
import { formatTime, useNow } from '#web/lib/time.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { NumberInput } from '#web/ui/form/number-input.tsx'
import { ErrorNote } from '#web/ui/note.tsx'
import { useCreateApiKey } from './api-key-mutations.ts'
import { ScopeFields } from './scope-fields.tsx'

const CHOICES = [7, 30, 90, 365] as const
const CUSTOM = 'custom'

type FieldName = 'name' | 'scopes' | 'expires_in_days'

/** The first mistake of each field. */
function mistakesIn(input: unknown): Partial<Record<FieldName, string>> {
  const issues = NewApiKey.safeParse(input).error?.issues ?? []
  return Object.fromEntries(issues.toReversed().map(({ path, message }) => [path[0], message])) as Partial<Record<FieldName, string>>
}

interface NewKeyFormProps {
  onCreated: (created: ApiKeyWithSecret) => void
  onCancel: () => void
}

export function NewKeyForm({ onCreated, onCancel }: NewKeyFormProps) {
  const titleId = useId()
  const form = useRef<HTMLFormElement>(null)
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly Scope[]>(['servers:read'])
  const [days, setDays] = useState(90)
  const [isSubmitted, setSubmitted] = useState(false)
  const create = useCreateApiKey()
  const input = { name, scopes: [...scopes], expires_in_days: days }
  const errors = isSubmitted ? mistakesIn(input) : {}
  const submit = useSingleFlight(async () => {
    setSubmitted(true)
    if (Object.keys(mistakesIn(input)).length > 0) return focusMistake(form)
    await create.mutateAsync(input).then(onCreated, () => {})
  })
  return (
    <form
      ref={form}
      noValidate
      aria-labelledby={titleId}
      className="card space-y-5 p-5"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <h2 id={titleId} className="font-medium">
        {m.api_keys_new()}
      </h2>
      <Field label={m.api_keys_name()} hint={m.api_keys_name_hint()} error={errors.name}>
        {(control) => (
          <input
            {...control}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just opened this form
            autoFocus
            autoComplete="off"
            maxLength={API_KEY_NAME.max * 2}
            value={name}
            onChange={({ target }) => setName(target.value)}
            className="field-input"
          />
        )}
      </Field>
      <ExpiryFields days={days} onChange={setDays} error={errors.expires_in_days} />
      <ScopeFields value={scopes} onChange={setScopes} error={errors.scopes} />
      {create.error && <ErrorNote>{messageOf(create.error)}</ErrorNote>}
      <div className="flex flex-wrap gap-2 max-sm:flex-col">
        <Button type="submit" variant="primary" busy={create.isPending}>
          {m.api_keys_create()}
        </Button>
        <Button variant="quiet" onClick={onCancel} disabled={create.isPending}>
          {m.common_cancel()}
        </Button>
      </div>
    </form>
  )
}

/** After the errors are drawn. A group without a choice has no invalid control, so its first box gets the focus. */
function focusMistake(form: RefObject<HTMLFormElement | null>): void {
  requestAnimationFrame(() => {
    const invalid = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? form.current?.querySelector('[type="checkbox"]')
    if (invalid instanceof HTMLElement) invalid.focus()
  })
}

interface ExpiryFieldsProps {
  days: number
  onChange: (days: number) => void
  error: string | undefined
}

function ExpiryFields({ days, onChange, error }: ExpiryFieldsProps) {
  const [isCustom, setCustom] = useState(false)
  const now = useNow()
  const isValid = Number.isInteger(days) && days >= API_KEY_DAYS.min && days <= API_KEY_DAYS.max
  const hint = isValid ? m.api_keys_expires_on({ date: formatTime(now + days * 86_400_000, 'longDate') }) : undefined
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label={m.api_keys_expiry()} hint={isCustom ? undefined : hint}>
        {(control) => (
          <select
            {...control}
            value={isCustom ? CUSTOM : days}
            onChange={({ target }) => {
              setCustom(target.value === CUSTOM)
              if (target.value !== CUSTOM) onChange(Number(target.value))
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
        <Field label={m.api_keys_days_label({ max: API_KEY_DAYS.max })} hint={hint} error={error && m.api_keys_days_invalid(API_KEY_DAYS)}>
          {(control) => <NumberInput {...control} {...API_KEY_DAYS} value={days} onChange={onChange} />}
        </Field>
      )}
    </div>
  )
}
