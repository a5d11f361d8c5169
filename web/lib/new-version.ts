/** Reloads the page where a part failed to load because the backend has another version by now. */
export function reloadForNewVersion(): void {
  addEventListener('vite:preloadError', () => {
    replaced().then(
      (yes) => yes && location.reload(),
      () => {},
    )
  })
}

/** True where the page as it is served now begins with another script than this one did: it can't go in circles. */
async function replaced(): Promise<boolean> {
  const entry = document.querySelector('script[type=module]')?.getAttribute('src')
  const reply = await fetch(location.href, { cache: 'no-store', headers: { accept: 'text/html' } })
  return reply.ok && typeof entry === 'string' && !(await reply.text()).includes(entry)
}
