/** Reloads the page where a part failed to load because the backend has a new version. */
export function reloadForNewVersion(): void {
  addEventListener('vite:preloadError', () => {
    isOutdated().then(
      (yes) => yes && location.reload(),
      () => {},
    )
  })
}

/** Whether the page as served now begins with another script: so it can't reload in circles. */
async function isOutdated(): Promise<boolean> {
  const entry = document.querySelector('script[type=module]')?.getAttribute('src')
  const reply = await fetch(location.href, { cache: 'no-store', headers: { accept: 'text/html' } })
  return reply.ok && typeof entry === 'string' && !(await reply.text()).includes(entry)
}
