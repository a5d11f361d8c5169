import { useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { meOptions } from './session.api.ts'
import { deleteDraft, readDraft, writeDraft } from '#web/lib/drafts.ts'

/** @param draft the key of the draft. */
export const basisKey = (draft: string) => `${draft}.basis`

/** The saved object that a form's changes are based on. */
export interface Basis<T> {
  readonly version: number
  readonly values: T
}

/**
 * The newest object while nothing is changed, then the one from which the changes began. It is stored beside the draft, so that an old draft
 * conflicts with newer changes instead of overwriting them.
 * @param name the draft's name.
 */
export function useBasis<T>(newest: Basis<T>, isDirty: boolean, name: string) {
  const { data: me } = useSuspenseQuery(meOptions)
  const key = basisKey(`${me.id}.${name}`)
  const [stored] = useState(() => readDraft(key) as unknown as Basis<T> | undefined)
  const basis = useRef(stored ?? newest)
  const latest = useRef(newest)
  // The draft with a stored basis makes the form dirty right after the first render.
  const isSettled = useRef(stored === undefined)
  const { version } = newest
  useEffect(() => {
    latest.current = newest
  })
  useEffect(() => {
    if (isDirty) writeDraft(key, { ...basis.current })
    else if (isSettled.current) {
      basis.current = latest.current
      deleteDraft(key)
    }
    isSettled.current = true
  }, [key, version, isDirty])
  return {
    get: () => basis.current,
    /** The user has seen this object. */
    set: (next: Basis<T>) => {
      basis.current = next
      writeDraft(key, { ...next })
    },
    clear: () => deleteDraft(key),
  }
}
