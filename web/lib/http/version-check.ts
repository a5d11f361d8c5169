/** Whether a new version of the panel was deployed since this page loaded. */
import { useSyncExternalStore } from 'react'
import { isOutdated } from './new-version.ts'

let hasNewVersion = false
const listeners = new Set<() => void>()

/** Call it after the backend was away: a deployment restarts it. */
export async function checkVersion(): Promise<void> {
  hasNewVersion ||= await isOutdated().catch(() => false)
  for (const each of listeners) each()
}

export function useHasNewVersion(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => hasNewVersion,
  )
}
