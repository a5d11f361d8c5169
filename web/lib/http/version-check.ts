/** Whether a new version of the panel was deployed since this page loaded. */
import { useSyncExternalStore } from 'react'

let hasNewVersion = false
const listeners = new Set<() => void>()

/** Whether the backend now serves another version. */
async function isOutdated(): Promise<boolean> {
  const script = document.querySelector('script[type=module]')?.getAttribute('src')
  const reply = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } })
  return reply.ok && !(await reply.text()).includes(`"${script}"`)
}

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
