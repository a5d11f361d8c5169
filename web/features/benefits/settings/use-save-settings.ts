/** Saves benefit settings, and asks the user if they were changed meanwhile. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Dispatch, type SetStateAction, useState } from 'react'
import type { SettingsView } from '#contract/benefits/benefit-settings.ts'
import type { SettingsKey } from '#contract/benefits/benefits.ts'
import { m } from '#messages'
import { adminBenefitsOptions, benefitsOptions, benefitSettingsOptions, type OwnerId } from '#web/features/benefits/benefits.api.ts'
import type { useBasis } from '#web/features/session/use-basis.ts'
import { call } from '#web/lib/http/call.ts'
import { currentOf } from '#web/lib/current-of.ts'
import { mergeRows } from '#web/lib/merge.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import type { Conflict, ConflictPart } from '#web/ui/form/conflict-dialog.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { type ServerChoice, changedFields, mergedBody, withoutEqual } from './form-values.ts'

export interface FormShape<T> {
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

interface SaveOptions<T> {
  readonly key: SettingsKey
  readonly ownerId: OwnerId
  readonly shape: FormShape<T>
  readonly basis: ReturnType<typeof useBasis<T>>
  readonly setChanges: Dispatch<SetStateAction<Partial<T>>>
}

/** @param onDone called with the error of a rejected save, and with undefined after a successful one. */
export function useSaveSettings<T extends ServerChoice>(
  { key, ownerId, shape: { valuesOf, parts }, basis, setChanges }: SaveOptions<T>,
  onDone: (error: unknown, form: HTMLFormElement | undefined) => void,
) {
  const mutation = useUpdateSettings(key, ownerId)
  const [conflict, setConflict] = useState<SettingsConflict<T>>()
  const rebase = (current: SettingsView, changes: Partial<T>) => {
    basis.set({ version: current.version, values: valuesOf(current) })
    setChanges(changes)
  }

  /** @param current the settings that the fields outside `changed` keep. */
  async function save(current: SettingsView, changed: Partial<T>, sent: T, form?: HTMLFormElement): Promise<void> {
    try {
      const saved = await mutation.mutateAsync({ body: mergedBody(current, changedFields(changed, sent)), ifMatch: basis.get().version })
      basis.set({ version: saved.version, values: valuesOf(saved) })
      setConflict(undefined)
      // Changes made during the save stay unsaved.
      setChanges((latest) => withoutEqual(latest, sent))
      onDone(undefined, form)
      toastSuccess(m.benefits_form_saved())
    } catch (error) {
      const newest = currentOf(error) as SettingsView | undefined
      if (newest !== undefined) return await onConflict(newest, changed)
      setConflict(undefined)
      onDone(error, form)
    }
  }

  async function onConflict(current: SettingsView, changed: Partial<T>): Promise<void> {
    const theirs = valuesOf(current)
    const mine: T = { ...basis.get().values, ...changed }
    const rows = mergeRows(parts, basis.get().values, mine, theirs)
    if (rows.some((row) => row.preselected === 'theirs' || row.isContested))
      return setConflict({ rows, mine, theirs, savedAt: current.updated_at ?? undefined, current })
    // Nobody else changed a part of this form.
    await saveOnTop(current, changed)
  }

  async function saveOnTop(current: SettingsView, changed: Partial<T>): Promise<void> {
    rebase(current, changed)
    await save(current, changed, { ...valuesOf(current), ...changed })
  }

  const resolve = useSingleFlight(async (kept: readonly ConflictPart<T>[]) => {
    if (conflict === undefined) return
    const { current, mine } = conflict
    const fields = kept.flatMap((part) => part.fields)
    if (fields.length > 0) return await saveOnTop(current, Object.fromEntries(fields.map((field) => [field, mine[field]])) as Partial<T>)
    rebase(current, {})
    setConflict(undefined)
  })

  return { save, isBusy: mutation.isPending, conflict, resolve, closeConflict: () => setConflict(undefined) }
}

interface SettingsUpdate {
  readonly body: Record<string, unknown>
  /** The version that the changes are based on. */
  readonly ifMatch: number
}

/** Rejects with the current settings (`currentOf`) if they were changed meanwhile. */
function useUpdateSettings(key: SettingsKey, ownerId: OwnerId) {
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
