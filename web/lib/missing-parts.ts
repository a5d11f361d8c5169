/** A part of the page that can't be loaded is, most often, a part of the version before this one. */
const KEY = 'muster.reloaded-at'
const LOOP_MS = 30_000

/** Reloads the page once when a part is missing. Twice in half a minute is no matter of versions: the error goes on. */
export function reloadOnceForMissingParts(): void {
  addEventListener('vite:preloadError', (event) => {
    try {
      const before = Number(sessionStorage.getItem(KEY) ?? 0)
      if (Date.now() - before < LOOP_MS) return
      sessionStorage.setItem(KEY, String(Date.now()))
    } catch {
      return
    }
    event.preventDefault()
    location.reload()
  })
}
