import { useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form'
import { meOptions } from '#web/features/session/session.api.ts'
import { deleteDraft, writeDraft, readDraft } from '#web/lib/drafts.ts'

/** Stores the changed fields of a form until they are saved or discarded, and restores them on the next visit. */
export function useDraft<T extends FieldValues, C, O>(
  { setValue, formState: { isDirty, dirtyFields } }: UseFormReturn<T, C, O>,
  values: T,
  name: string,
): { isRestored: boolean; clear: () => void } {
  const { data: me } = useSuspenseQuery(meOptions)
  const key = `${me.id}.${name}`
  const [stored] = useState(() => readDraft(key))
  const [isRestored, setRestored] = useState(stored !== undefined)
  const wasDirty = useRef(false)

  useEffect(() => {
    for (const [field, value] of Object.entries(stored ?? {})) {
      setValue(field as Path<T>, value as PathValue<T, Path<T>>, { shouldDirty: true, shouldTouch: true, shouldValidate: true })
    }
  }, [stored, setValue])

  useEffect(() => {
    if (isDirty) writeDraft(key, Object.fromEntries(Object.entries(values).filter(([field]) => isChanged(dirtyFields, field))))
    else if (wasDirty.current) {
      deleteDraft(key)
      setRestored(false)
    }
    wasDirty.current = isDirty
  }, [key, values, isDirty, dirtyFields])

  return { isRestored, clear: () => deleteDraft(key) }
}

/** The form library marks each item of a list field. */
export function isChanged(dirtyFields: object, field: string): boolean {
  const dirty = (dirtyFields as Record<string, unknown>)[field]
  return Array.isArray(dirty) ? dirty.length > 0 : dirty === true
}
