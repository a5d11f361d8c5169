import { useState } from 'react'
import { usePersistedDraft } from '#web/features/session/use-persisted-draft.ts'
import { HttpError, messageOf } from '#web/lib/http/http-error.ts'
import { isEqual } from '#web/lib/is-equal.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { fieldOf } from './field-of-message.ts'
import { type Field, FIELD_ORDER, type FieldErrors, validate, type WebhookInput } from './webhook-input.ts'

export type WebhookForm = ReturnType<typeof useWebhookForm>

interface WebhookFormOptions {
  /** The name of the draft in this tab. */
  draft: string
  /** Untouched fields follow these values. */
  saved: WebhookInput
  /** Seconds. */
  minSilence: number
  isBusy: boolean
  send: (values: WebhookInput) => Promise<void>
}

/** The saved values with the user's changes on top. The changes are stored in this tab until they are saved or discarded. */
export function useWebhookForm({ draft: name, saved, minSilence, isBusy, send }: WebhookFormOptions) {
  const { changes: draft, setChanges, isRestored, discard } = usePersistedDraft<WebhookInput>(name)
  const [touched, setTouched] = useState<ReadonlySet<Field>>(new Set())
  const [isSubmitted, setSubmitted] = useState(false)
  const [rejections, setRejections] = useState<FieldErrors>({})
  const changes = withoutEqual(draft, saved)
  const values: WebhookInput = { ...saved, ...changes }
  const found = validate(values, minSilence)
  const shown = Object.fromEntries(Object.entries(found).filter(([field]) => isSubmitted || touched.has(field as Field))) as FieldErrors

  const save = useSingleFlight(async (form: HTMLFormElement) => {
    setSubmitted(true)
    setRejections({})
    if (Object.keys(found).length > 0) return focusFirst(form, found)
    try {
      await send(values)
      // Changes made during the request stay unsaved.
      setChanges((current) => withoutEqual(current, values))
      setSubmitted(false)
      setTouched(new Set())
    } catch (error) {
      const errors = rejectionsOf(error)
      setRejections(errors)
      focusFirst(form, errors)
    }
  })

  return {
    values,
    change: (partial: Partial<WebhookInput>) => {
      setChanges((current) => ({ ...current, ...partial }))
      const changed = Object.keys(partial)
      setRejections((current) =>
        Object.fromEntries(Object.entries(current).filter(([field]) => field !== 'root' && !changed.includes(field))),
      )
    },
    touch: (field: Field) => setTouched((current) => new Set(current).add(field)),
    /** `root` is for the whole form. */
    errors: { ...shown, ...rejections } as FieldErrors,
    isDirty: Object.keys(changes).length > 0,
    isRestored,
    isBusy,
    save,
    discard: () => {
      setChanges({})
      setRejections({})
      setSubmitted(false)
      setTouched(new Set())
    },
    discardDraft: discard,
  }
}

/** The changes that differ from `other`. */
function withoutEqual(changes: Partial<WebhookInput>, other: WebhookInput): Partial<WebhookInput> {
  return Object.fromEntries(Object.entries(changes).filter(([name, value]) => !isEqual(value, other[name as keyof WebhookInput])))
}

function rejectionsOf(error: unknown): FieldErrors {
  const errors: Partial<Record<Field, string>> = {}
  for (const message of error instanceof HttpError ? error.errors : [messageOf(error)]) {
    const field = fieldOf(message)
    errors[field] = errors[field] === undefined ? message : `${errors[field]} ${message}`
  }
  return errors
}

function focusFirst(form: HTMLFormElement, errors: FieldErrors): void {
  const field = FIELD_ORDER.find((each) => errors[each] !== undefined)
  if (field === undefined) return
  requestAnimationFrame(() => {
    form.querySelector<HTMLElement>(`[data-field="${field}"] :is(input, button, select)`)?.focus()
  })
}
