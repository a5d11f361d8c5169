/** Whether a new version of the panel was deployed since this page loaded. */
import { useSyncExternalStore } from 'react'

let hasNewVersion = false
const listeners = new Set<() => void>()

/** Whether the backend now serves another version. */
async function isOutdated(): Promise<boolean> {
  const scripts = [...document.querySelectorAll('script[type=module]')].map((script) => script.getAttribute('src') ?? '')
  const reply = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } })
  const page = await reply.text()
  return reply.ok && scripts.some((script) => !page.includes(script))
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
