import { pageLanguage } from '#web/lib/language.ts'

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

/** Whether the backend now serves other scripts. */
export async function isOutdated(): Promise<boolean> {
  const scripts = [...document.querySelectorAll('link[rel=modulepreload]')].map((link) => link.getAttribute('href') ?? '')
  // The page in this language, even if the cookie has changed.
  const headers = { accept: 'text/html', 'accept-language': pageLanguage }
  const reply = await fetch(location.href, { cache: 'no-store', credentials: 'omit', headers })
  const page = await reply.text()
  return reply.ok && scripts.some((script) => !page.includes(script))
}
