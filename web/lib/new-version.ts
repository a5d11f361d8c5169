import { pageLanguage } from './language.ts'

/** Reloads the page if a chunk failed to load because a new version is deployed. */
export function reloadForNewVersion(): void {
  addEventListener('vite:preloadError', () => {
    // Without the check, a page with a broken chunk would reload forever.
    isOutdated().then(
      (yes) => yes && location.reload(),
      () => {},
    )
  })
}

/** Whether the backend now serves another entry script. */
export async function isOutdated(): Promise<boolean> {
  const entry = document.querySelector('script[type=module]')?.getAttribute('src')
  // The page in this language, even if the cookie has changed.
  const headers = { accept: 'text/html', 'accept-language': pageLanguage }
  const reply = await fetch(location.href, { cache: 'no-store', credentials: 'omit', headers })
  return reply.ok && typeof entry === 'string' && !(await reply.text()).includes(entry)
}
