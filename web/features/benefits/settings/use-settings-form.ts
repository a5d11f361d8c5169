import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SettingsKey } from '#contract/benefits.ts'
import { m } from '#messages'
import { adminBenefitsOptions, benefitsOptions, settingsOptions, type OwnerId } from '#web/features/benefits/benefits.api.ts'
import { usePersistedDraft } from '#web/features/session/use-persisted-draft.ts'
import { call } from '#web/lib/call.ts'
import { HttpError, messageOf } from '#web/lib/http-error.ts'
import { isEqual } from '#web/lib/is-equal.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { toastSuccess } from '#web/ui/toast.ts'
import type { SettingsOwner } from './settings-owner.ts'
import { mergedBody, type ServerChoice, fieldOf, problemsOf } from './form-values.ts'

type Problems = Readonly<Record<string, string>>

export type SettingsForm<T extends ServerChoice> = ReturnType<typeof useSettingsForm<T>>

/**
 * The saved settings with the user's changes on top. Only changes are held, so untouched fields follow what other users save meanwhile.
 * The changes are stored in this tab until they are saved or discarded.
 * @param saved the backend's values in the form's shape.
 * @param locked fields of a benefit that is not held: they can only be emptied. Typed text waits until the benefit is back.
 */
export function useSettingsForm<T extends ServerChoice>(
  key: SettingsKey,
  { whose, servers }: SettingsOwner,
  saved: T,
  locked: readonly (keyof T & string)[] = [],
) {
  const { changes: kept, setChanges, isRestored, discard } = usePersistedDraft<T>(`benefit.${key}.${whose ?? 'own'}`)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [refused, setRefused] = useState<Problems>({})
  const mutation = useSaveSettings(key, whose)
  const changes = pick(kept, (name, value) => value === '' || !(locked as readonly string[]).includes(name))
  const typed: T = { ...saved, ...changes }
  // Drops servers that no longer exist.
  typed.server_ids = typed.server_ids.filter((id) => servers.some(({ public_id }) => public_id === id))
  const isDirty = Object.keys(changes).length > 0 && !isEqual(typed, saved)
  const found = problemsOf(key, typed)

  const save = useSingleFlight(async (form: HTMLFormElement) => {
    const [wrong] = Object.keys(found)
    setLeft(new Set(Object.keys(typed)))
    setRefused({})
    if (wrong !== undefined) return focusField(form, wrong)
    try {
      await mutation.mutateAsync(changedOf(changes, typed))
      // Changes made during the save stay unsaved.
      setChanges((now) => unlike(now, typed))
      setLeft(new Set())
      toastSuccess(m.benefits_form_saved())
    } catch (error) {
      const problems = sentencesOf(error, typed)
      setRefused(problems)
      const [field] = Object.keys(problems)
      if (field !== undefined && field !== 'root') focusField(form, field)
    }
  })

  return {
    typed,
    change: (some: Partial<T>) => {
      // During a save, the saved values are about to change.
      setChanges((now) => (mutation.isPending ? { ...now, ...some } : unlike({ ...now, ...some }, saved)))
      setRefused((now) => pick(now, (field) => field !== 'root' && !(field in some)))
    },
    leave: (field: keyof T & string) => setLeft((now) => new Set(now).add(field)),
    /** Problems by field; `root` is for the whole form. */
    problems: { ...pick(found, (field) => left.has(field)), ...refused },
    isDirty,
    /** The changes come from an earlier visit. */
    isRestored,
    isBusy: mutation.isPending,
    save,
    discard: () => {
      setChanges({})
      setRefused({})
      setLeft(new Set())
    },
    discardDraft: discard,
  }
}

function pick<T extends object>(some: T, isMeant: (name: string, value: unknown) => boolean): T {
  return Object.fromEntries(Object.entries(some).filter(([name, value]) => isMeant(name, value))) as T
}

function unlike<T extends object>(changes: Partial<T>, other: T): Partial<T> {
  return pick(changes, (name, value) => !isEqual(value, other[name as keyof T]))
}

/** What is sent of a form: its changes, as they show now. The two fields about servers say one thing together. */
function changedOf<T extends ServerChoice>(changes: Partial<T>, typed: T): Record<string, unknown> {
  const names = Object.keys(changes) as (keyof T)[]
  if (names.includes('all_servers') || names.includes('server_ids')) names.push('all_servers', 'server_ids')
  return Object.fromEntries(names.map((name) => [name, typed[name]]))
}

function sentencesOf(error: unknown, typed: object): Problems {
  const problems: Record<string, string> = {}
  for (const sentence of error instanceof HttpError ? error.errors : [messageOf(error)]) {
    const field = fieldOf(sentence, typed)
    problems[field] = problems[field] === undefined ? sentence : `${problems[field]} ${sentence}`
  }
  return problems
}

function focusField(form: HTMLFormElement, field: string): void {
  requestAnimationFrame(() => {
    form.querySelector<HTMLElement>(`[data-field="${field}"] :is(input:not([hidden]):not([type="color"]), button, select)`)?.focus()
  })
}

/**
 * Saves the changed fields. The call replaces all settings, so they are read again first. Changes by other users since then stay and
 * appear in the form.
 */
function useSaveSettings(key: SettingsKey, whose: OwnerId) {
  const client = useQueryClient()
  const options = settingsOptions(key, whose)
  return useMutation({
    mutationFn: async (changed: Readonly<Record<string, unknown>>) => {
      // A read in flight may be older than this save.
      await client.cancelQueries({ queryKey: options.queryKey })
      const body = mergedBody(await client.fetchQuery({ ...options, staleTime: 0 }), changed)
      return whose === undefined
        ? await call('PUT /api/users/benefits/{key}/settings', { params: { key }, body })
        : await call('PUT /api/admin/users/{id}/benefits/{key}/settings', { params: { id: whose, key }, body })
    },
    onSuccess: (saved) => {
      client.setQueryData(options.queryKey, saved)
      // The overview names the servers that use the benefit.
      void client.invalidateQueries({ queryKey: (whose === undefined ? benefitsOptions : adminBenefitsOptions(whose)).queryKey })
    },
  })
}
