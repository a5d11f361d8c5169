import { useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { deleteDraft, writeDraft, readDraft } from '#web/lib/drafts.ts'
import { meOptions } from './session.api.ts'

/**
 * Unsaved changes, stored in this tab. They survive visits to other pages and the end of the session. `isRestored` is true while they
 * include changes from an earlier visit.
 */
export function usePersistedDraft<T extends object>(name: string) {
  const { data: me } = useSuspenseQuery(meOptions)
  const key = `${me.id}.${name}`
  const [changes, setChanges] = useState(() => (readDraft(key) ?? {}) as Partial<T>)
  const hasChanges = Object.keys(changes).length > 0
  const [isRestored, setRestored] = useState(hasChanges)
  const hadChanges = useRef(isRestored)
  useEffect(() => {
    if (hasChanges) writeDraft(key, changes as Record<string, unknown>)
    else if (hadChanges.current) {
      deleteDraft(key)
      setRestored(false)
    }
    hadChanges.current = hasChanges
  }, [key, changes, hasChanges])
  return { changes, setChanges, isRestored, discard: () => deleteDraft(key) }
}
