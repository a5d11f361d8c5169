import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SettingsKey } from '#contract/benefits.ts'
import { m } from '#messages'
import { adminBenefitsOptions, benefitsOptions, benefitSettingsOptions, type OwnerId } from '#web/features/benefits/benefits.api.ts'
import { usePersistedDraft } from '#web/features/session/use-persisted-draft.ts'
import { call } from '#web/lib/call.ts'
import { HttpError, messageOf } from '#web/lib/http-error.ts'
import { isEqual } from '#web/lib/is-equal.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { toastSuccess } from '#web/ui/toast.ts'
import type { SettingsOwner } from './settings-owner.ts'
import { mergedBody, type ServerChoice, fieldOfError, validate } from './form-values.ts'

type FieldErrors = Readonly<Record<string, string>>

export type SettingsForm<T extends ServerChoice> = ReturnType<typeof useSettingsForm<T>>

/**
 * The saved settings with the user's changes on top. Untouched fields follow what other users save.
 * The changes are stored in this tab until they are saved or discarded.
 * @param saved the backend's values in the form's shape.
 * @param locked fields of a missing benefit, which can only be cleared. Their draft is kept until the benefit returns.
 */
export function useSettingsForm<T extends ServerChoice>(
  key: SettingsKey,
  { id: ownerId, servers }: SettingsOwner,
  saved: T,
  locked: readonly (keyof T & string)[] = [],
) {
  const { changes: draft, setChanges, isRestored, discard } = usePersistedDraft<T>(`benefit.${key}.${ownerId ?? 'own'}`)
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [serverErrors, setServerErrors] = useState<FieldErrors>({})
  const mutation = useSaveSettings(key, ownerId)
  const changes = pickBy(draft, (name, value) => value === '' || !(locked as readonly string[]).includes(name))
  const values: T = { ...saved, ...changes }
  // Drops servers that no longer exist.
  values.server_ids = values.server_ids.filter((id) => servers.some(({ public_id }) => public_id === id))
  const isDirty = Object.keys(changes).length > 0 && !isEqual(values, saved)
  const clientErrors = validate(key, values)

  const save = useSingleFlight(async (form: HTMLFormElement) => {
    const [invalidField] = Object.keys(clientErrors)
    setTouched(new Set(Object.keys(values)))
    setServerErrors({})
    if (invalidField !== undefined) return focusField(form, invalidField)
    try {
      await mutation.mutateAsync(changedFields(changes, values))
      // Changes made during the save stay unsaved.
      setChanges((current) => withoutEqual(current, values))
      setTouched(new Set())
      toastSuccess(m.benefits_form_saved())
    } catch (error) {
      const errors = errorsByField(error, values)
      setServerErrors(errors)
      const [field] = Object.keys(errors)
      if (field !== undefined && field !== 'root') focusField(form, field)
    }
  })

  return {
    values,
    change: (partial: Partial<T>) => {
      // During a save, the saved values are about to change.
      setChanges((current) => (mutation.isPending ? { ...current, ...partial } : withoutEqual({ ...current, ...partial }, saved)))
      setServerErrors((current) => pickBy(current, (field) => field !== 'root' && !(field in partial)))
    },
    touch: (field: keyof T & string) => setTouched((current) => new Set(current).add(field)),
    /** Errors by field; `root` is for the whole form. */
    errors: { ...pickBy(clientErrors, (field) => touched.has(field)), ...serverErrors },
    isDirty,
    /** The changes come from an earlier visit. */
    isRestored,
    isBusy: mutation.isPending,
    save,
    discard: () => {
      setChanges({})
      setServerErrors({})
      setTouched(new Set())
    },
    discardDraft: discard,
  }
}

function pickBy<T extends object>(object: T, predicate: (name: string, value: unknown) => boolean): T {
  return Object.fromEntries(Object.entries(object).filter(([name, value]) => predicate(name, value))) as T
}

/** The changes that differ from `other`. */
function withoutEqual<T extends object>(changes: Partial<T>, other: T): Partial<T> {
  return pickBy(changes, (name, value) => !isEqual(value, other[name as keyof T]))
}

/** The current values of the changed fields. The two server fields are only sent together. */
function changedFields<T extends ServerChoice>(changes: Partial<T>, values: T): Record<string, unknown> {
  const names = Object.keys(changes) as (keyof T)[]
  if (names.includes('all_servers') || names.includes('server_ids')) names.push('all_servers', 'server_ids')
  return Object.fromEntries(names.map((name) => [name, values[name]]))
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

/**
 * Saves the changed fields. The call replaces all settings, so it reads them again first. This keeps changes by other users.
 */
function useSaveSettings(key: SettingsKey, ownerId: OwnerId) {
  const client = useQueryClient()
  const options = benefitSettingsOptions(key, ownerId)
  return useMutation({
    mutationFn: async (changed: Readonly<Record<string, unknown>>) => {
      // A read in flight may be older than this save.
      await client.cancelQueries({ queryKey: options.queryKey })
      const body = mergedBody(await client.fetchQuery({ ...options, staleTime: 0 }), changed)
      return ownerId === undefined
        ? await call('PUT /api/users/benefits/{key}/settings', { params: { key }, body })
        : await call('PUT /api/admin/users/{id}/benefits/{key}/settings', { params: { id: ownerId, key }, body })
    },
    onSuccess: (saved) => {
      client.setQueryData(options.queryKey, saved)
      // The overview names the servers that use the benefit.
      void client.invalidateQueries({ queryKey: (ownerId === undefined ? benefitsOptions : adminBenefitsOptions(ownerId)).queryKey })
    },
  })
}
