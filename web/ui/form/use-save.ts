import { useEffect, useState } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { currentOf } from '#web/lib/current-of.ts'
import { deleteDraft } from '#web/lib/drafts.ts'
import { mergeRows } from '#web/lib/merge.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import type { Conflict, ConflictPart } from './conflict-dialog.tsx'
import { showErrors } from './form-errors.ts'
import { type Bases, type Basis, basisOf, changesIn, type EditOptions, type Form, type FormOptions, namesOf, pick } from './form-options.ts'

/** Sends a form. A change by another user becomes a conflict, unless it is of fields that the form does not have. */
export function useSave<T extends FieldValues, B, S extends object>(
  options: FormOptions<T, B, S>,
  { getValues, setError, handleSubmit, reset }: UseFormReturn<T, unknown, B>,
  { latest, basis, rebase }: Bases<T>,
): Pick<Form<T>, 'submit' | 'conflict'> {
  const [conflict, setConflict] = useState<{ readonly shown: Conflict<T>; readonly current: Basis<T> }>()
  const [sent, setSent] = useState<{ readonly element: HTMLElement | null }>({ element: null })
  const edit = 'stored' in options ? options : undefined

  /** Starts again from what is saved, with these fields of the user's on top. */
  const restart = (current: Basis<T>, mine: T, kept: readonly (keyof T)[]) => {
    rebase(current)
    reset({ ...current.values, ...pick(mine, kept) })
  }

  async function send(): Promise<void> {
    const values = structuredClone(getValues())
    const changed = changesIn(values, latest().values)
    setConflict(undefined)
    if (edit !== undefined && changed.length === 0) return edit.onUnchanged?.()
    const { version: ifMatch, values: previous } = basis()
    await handleSubmit(async (body) => {
      try {
        const reply = await options.submit(body, { changed, ifMatch, previous })
        if (options.draft !== undefined) deleteDraft(options.draft)
        if (edit === undefined) return
        const typed = structuredClone(getValues())
        // Text typed during the request stays unsaved.
        restart(basisOf<T, B, S>(edit, reply as S), typed, changesIn(typed, values))
      } catch (error) {
        const current = currentOf(error) as S | undefined
        if (edit !== undefined && current !== undefined) return await merge(edit, current, values, changed)
        showErrors(error, namesOf(values), (name, message) => setError(name as Path<T>, { type: 'server', message }))
      }
    })()
  }

  async function merge(object: EditOptions<T, B, S>, stored: S, sent: T, changed: readonly (keyof T)[]): Promise<void> {
    const { values: previous } = basis()
    const current = basisOf<T, B, S>(object, stored)
    const mine: T = { ...previous, ...pick(sent, changed) }
    const rows = mergeRows(object.parts ?? [], previous, mine, current.values)
    const savedAt = (stored as { updated_at?: string | null }).updated_at ?? undefined
    if (rows.some(({ preselected, isContested }) => preselected === 'theirs' || isContested))
      return setConflict({ shown: { rows, mine, theirs: current.values, savedAt }, current })
    restart(current, mine, changed)
    await send()
  }

  const submit = useSingleFlight(async (element: HTMLElement | null) => {
    await send()
    setSent({ element })
  })
  const resolve = useSingleFlight(async (kept: readonly ConflictPart<T>[]) => {
    if (conflict === undefined) return
    const names = kept.map(({ name }) => name)
    restart(conflict.current, conflict.shown.mine, names)
    await send()
  })
  // The first mistake, after the errors are drawn.
  useEffect(() => {
    sent.element?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid] :is(input:not([hidden]), button, select)')?.focus()
  }, [sent])
  return { submit, conflict: conflict && { ...conflict.shown, resolve, close: () => setConflict(undefined) } }
}
