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
  const reply = await fetch(location.href, { cache: 'no-store', headers: { accept: 'text/html' } })
  return reply.ok && typeof entry === 'string' && !(await reply.text()).includes(entry)
}
