import { useState } from 'react'
import type { SettingsView } from '#contract/benefits/benefit-settings.ts'
import type { SettingsKey } from '#contract/benefits/benefits.ts'
import { useBasis } from '#web/features/session/use-basis.ts'
import { usePersistedDraft } from '#web/features/session/use-persisted-draft.ts'
import { HttpError, messageOf } from '#web/lib/http/http-error.ts'
import { isEqual } from '#web/lib/is-equal.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import type { SettingsOwner } from './settings-owner.ts'
import { type ServerChoice, fieldOfError, pickBy, validate, withoutEqual } from './form-values.ts'
import { type FormShape, useSaveSettings } from './use-save-settings.ts'

type FieldErrors = Readonly<Record<string, string>>

type SettingsEditor<T extends ServerChoice> = ReturnType<typeof useSettingsForm<T>>

/** For fields, which only need the values. */
export type SettingsForm<T extends ServerChoice> = Omit<SettingsEditor<T>, 'conflict' | 'resolve'>

export type SettingsConflictState<T extends ServerChoice> = Pick<SettingsEditor<T>, 'conflict' | 'resolve' | 'closeConflict' | 'isBusy'>

/**
 * The saved settings with the user's changes on top. Untouched fields follow what other users save.
 * The changes are stored in this tab until they are saved or discarded.
 * A save is based on the settings from which the changes began. If they were changed meanwhile, `conflict` shows both.
 */
export function useSettingsForm<T extends ServerChoice>(
  key: SettingsKey,
  { id: ownerId, servers }: SettingsOwner,
  view: SettingsView,
  shape: FormShape<T>,
) {
  const { valuesOf, locked = [] } = shape
  const saved = valuesOf(view)
  const name = `benefit.${key}.${ownerId ?? 'own'}`
  const { changes: draft, setChanges, isRestored, discard } = usePersistedDraft<T>(name)
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [serverErrors, setServerErrors] = useState<FieldErrors>({})
  const changes = pickBy(draft, (name, value) => value === '' || !(locked as readonly string[]).includes(name))
  const values: T = { ...saved, ...changes }
  // Drops servers that no longer exist.
  values.server_ids = values.server_ids.filter((id) => servers.some(({ public_id }) => public_id === id))
  const isDirty = Object.keys(changes).length > 0 && !isEqual(values, saved)
  const basis = useBasis<T>({ version: view.version, values: saved }, Object.keys(draft).length > 0, name)
  const clientErrors = validate(key, values)
  const { save, isBusy, ...conflicts } = useSaveSettings({ key, ownerId, shape, basis, setChanges }, (error, form) => {
    const errors = error === undefined ? {} : errorsByField(error, values)
    setServerErrors(errors)
    if (error === undefined) setTouched(new Set())
    const [field] = Object.keys(errors)
    if (form !== undefined && field !== undefined && field !== 'root') focusField(form, field)
  })

  const submit = useSingleFlight(async (form: HTMLFormElement) => {
    const [invalidField] = Object.keys(clientErrors)
    setTouched(new Set(Object.keys(values)))
    setServerErrors({})
    if (invalidField !== undefined) return focusField(form, invalidField)
    await save(view, changes, values, form)
  })

  return {
    values,
    change: (partial: Partial<T>) => {
      // During a save, the saved values are about to change.
      setChanges((current) => (isBusy ? { ...current, ...partial } : withoutEqual({ ...current, ...partial }, saved)))
      setServerErrors((current) => pickBy(current, (field) => field !== 'root' && !(field in partial)))
    },
    touch: (field: keyof T & string) => setTouched((current) => new Set(current).add(field)),
    /** Errors by field; `root` is for the whole form. */
    errors: { ...pickBy(clientErrors, (field) => touched.has(field)), ...serverErrors },
    isDirty,
    /** The changes come from an earlier visit. */
    isRestored,
    isBusy,
    save: submit,
    ...conflicts,
    discard: () => {
      setChanges({})
      setServerErrors({})
      setTouched(new Set())
    },
    discardDraft: () => {
      discard()
      basis.clear()
    },
  }
}

function errorsByField(error: unknown, values: object): FieldErrors {
  const errors: Record<string, string> = {}
  for (const message of error instanceof HttpError ? error.errors : [messageOf(error)]) {
    const field = fieldOfError(message, values)
    errors[field] = errors[field] === undefined ? message : `${errors[field]} ${message}`
  }
  return errors
}

function focusField(form: HTMLFormElement, field: string): void {
  requestAnimationFrame(() => {
    form.querySelector<HTMLElement>(`[data-field="${field}"] :is(input:not([hidden]):not([type="color"]), button, select)`)?.focus()
  })
}
