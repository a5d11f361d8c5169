import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SettingsView } from '#contract/benefit-settings.ts'
import type { SettingsKey } from '#contract/benefits.ts'
import { m } from '#messages'
import { adminBenefitsOptions, benefitsOptions, benefitSettingsOptions, type OwnerId } from '#web/features/benefits/benefits.api.ts'
import { useBasis } from '#web/features/session/use-basis.ts'
import { usePersistedDraft } from '#web/features/session/use-persisted-draft.ts'
import { call } from '#web/lib/call.ts'
import { HttpError, currentOf, messageOf } from '#web/lib/http-error.ts'
import { isEqual } from '#web/lib/is-equal.ts'
import { mergeRows } from '#web/lib/merge.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import type { Conflict, ConflictPart } from '#web/ui/form/conflict-dialog.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import type { SettingsOwner } from './settings-owner.ts'
import { mergedBody, type ServerChoice, fieldOfError, validate } from './form-values.ts'

type FieldErrors = Readonly<Record<string, string>>

interface FormShape<T> {
  /** The settings in the form's shape. */
  readonly valuesOf: (view: SettingsView) => T
  /** The parts that a conflict shows. */
  readonly parts: readonly ConflictPart<T>[]
  /** Fields of a missing benefit, which can only be cleared. Their draft is kept until the benefit returns. */
  readonly locked?: readonly (keyof T & string)[]
}

export interface SettingsConflict<T> extends Conflict<T> {
  readonly current: SettingsView
}

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
  { valuesOf, parts, locked = [] }: FormShape<T>,
) {
  const saved = valuesOf(view)
  const { changes: draft, setChanges, isRestored, discard } = usePersistedDraft<T>(`benefit.${key}.${ownerId ?? 'own'}`)
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [serverErrors, setServerErrors] = useState<FieldErrors>({})
  const mutation = useSaveSettings(key, ownerId)
  const changes = pickBy(draft, (name, value) => value === '' || !(locked as readonly string[]).includes(name))
  const values: T = { ...saved, ...changes }
  // Drops servers that no longer exist.
  values.server_ids = values.server_ids.filter((id) => servers.some(({ public_id }) => public_id === id))
  const isDirty = Object.keys(changes).length > 0 && !isEqual(values, saved)
  const basis = useBasis<T>({ version: view.version, values: saved }, Object.keys(draft).length > 0, `benefit.${key}.${ownerId ?? 'own'}`)
  const [conflict, setConflict] = useState<SettingsConflict<T>>()
  const clientErrors = validate(key, values)

  const save = useSingleFlight(async (form: HTMLFormElement) => {
    const [invalidField] = Object.keys(clientErrors)
    setTouched(new Set(Object.keys(values)))
    setServerErrors({})
    if (invalidField !== undefined) return focusField(form, invalidField)
    await send(form, view, changes, values)
  })

  /** @param current the settings that the fields outside `changed` keep. */
  const send = async (form: HTMLFormElement | null, current: SettingsView, changed: Partial<T>, sent: T): Promise<void> => {
    try {
      const saved = await mutation.mutateAsync({ body: mergedBody(current, changedFields(changed, sent)), ifMatch: basis.get().version })
      basis.set({ version: saved.version, values: valuesOf(saved) })
      setConflict(undefined)
      // Changes made during the save stay unsaved.
      setChanges((latest) => withoutEqual(latest, sent))
      setTouched(new Set())
      toastSuccess(m.benefits_form_saved())
    } catch (error) {
      const newest = currentOf(error) as SettingsView | undefined
      if (newest !== undefined) return await onConflict(newest, changed)
      setConflict(undefined)
      const errors = errorsByField(error, values)
      setServerErrors(errors)
      const [field] = Object.keys(errors)
      if (form !== null && field !== undefined && field !== 'root') focusField(form, field)
    }
  }

  const onConflict = async (current: SettingsView, changed: Partial<T>): Promise<void> => {
    const theirs = valuesOf(current)
    const mine: T = { ...basis.get().values, ...changed }
    const rows = mergeRows(parts, basis.get().values, mine, theirs)
    if (rows.some((row) => row.preselected === 'theirs' || row.isContested))
      return setConflict({ rows, mine, theirs, savedAt: current.updated_at ?? undefined, current })
    // Nobody else changed a part of this form.
    await saveOnTop(current, changed)
  }

  const saveOnTop = async (current: SettingsView, changed: Partial<T>): Promise<void> => {
    const theirs = valuesOf(current)
    basis.set({ version: current.version, values: theirs })
    setChanges(changed)
    await send(null, current, changed, { ...theirs, ...changed })
  }

  const acceptTheirs = (current: SettingsView) => {
    basis.set({ version: current.version, values: valuesOf(current) })
    setChanges({})
    setConflict(undefined)
  }

  const resolve = useSingleFlight(async (kept: readonly ConflictPart<T>[]) => {
    if (conflict === undefined) return
    const { current, mine } = conflict
    if (kept.length === 0) return acceptTheirs(current)
    const fields = kept.flatMap((part) => part.fields)
    const changed = Object.fromEntries(fields.map((field) => [field, mine[field]])) as Partial<T>
    await saveOnTop(current, changed)
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
    conflict,
    resolve,
    closeConflict: () => setConflict(undefined),
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

interface SettingsUpdate {
  readonly body: Record<string, unknown>
  /** The version that the changes are based on. */
  readonly ifMatch: number
}

/** Rejects with the current settings (`currentOf`) if they were changed meanwhile. */
function useSaveSettings(key: SettingsKey, ownerId: OwnerId) {
  const client = useQueryClient()
  const options = benefitSettingsOptions(key, ownerId)
  return useMutation({
    mutationFn: async ({ body, ifMatch }: SettingsUpdate) => {
      // A read in flight may be older than this save.
      await client.cancelQueries({ queryKey: options.queryKey })
      return ownerId === undefined
        ? await call('PUT /api/users/benefits/{key}/settings', { params: { key }, body, ifMatch })
        : await call('PUT /api/admin/users/{id}/benefits/{key}/settings', { params: { id: ownerId, key }, body, ifMatch })
    },
    onSuccess: (saved) => {
      client.setQueryData(options.queryKey, saved)
      // The overview names the servers that use the benefit.
      void client.invalidateQueries({ queryKey: (ownerId === undefined ? benefitsOptions : adminBenefitsOptions(ownerId)).queryKey })
    },
    onError: (error) => {
      const current = currentOf(error)
      if (current !== undefined) client.setQueryData(options.queryKey, current as SettingsView)
    },
  })
}
