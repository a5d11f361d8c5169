import { createStore } from '#web/lib/store.ts'

/** Whether a new version of the panel was deployed since this page loaded. */
const hasNewVersion = createStore(false)
export const useHasNewVersion = hasNewVersion.use

/** Call it after the backend was away: a deployment restarts it. */
export async function checkVersion(): Promise<void> {
  if (hasNewVersion.get()) return
  const scripts = [...document.querySelectorAll('script[type=module]')].map((script) => script.getAttribute('src') ?? '')
  const page = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } })
    .then((reply) => (reply.ok ? reply.text() : undefined))
    .catch(() => undefined)
  hasNewVersion.set(page !== undefined && scripts.some((script) => !page.includes(script)))
}
