import { useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { deleteDraft, writeDraft, readDraft } from '#web/lib/drafts.ts'
import { meOptions } from './session.api.ts'

/**
 * What a person changed and has not saved, kept in this tab: it survives a session that ends and a step to another page.
 * `isBack` says that it comes from an earlier visit.
 */
export function usePersistedDraft<T extends object>(name: string) {
  const { data: me } = useSuspenseQuery(meOptions)
  const key = `${me.id}.${name}`
  const [changes, setChanges] = useState(() => (readDraft(key) ?? {}) as Partial<T>)
  const hasSome = Object.keys(changes).length > 0
  const [isBack, setBack] = useState(hasSome)
  const hadSome = useRef(isBack)
  useEffect(() => {
    if (hasSome) writeDraft(key, changes as Record<string, unknown>)
    else if (hadSome.current) {
      deleteDraft(key)
      setBack(false)
    }
    hadSome.current = hasSome
  }, [key, changes, hasSome])
  return { changes, setChanges, isBack, drop: () => deleteDraft(key) }
}
