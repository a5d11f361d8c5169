/** Favourites and recently viewed servers, stored in this browser only. */
import { browserStorage } from '#web/lib/storage.ts'

const FAVOURITES = 'muster.favourites'
const RECENT = 'muster.recent'
const MAX_FAVOURITES = 100
const MAX_RECENT = 20

function read(key: string): string[] {
  return (browserStorage.read(key) ?? '').split(',').filter((id) => /^[0-9A-Za-z]{7}$/.test(id))
}

/** The latest first. */
function add(key: string, id: string, max: number): void {
  browserStorage.write(key, [id, ...read(key).filter((other) => other !== id)].slice(0, max).join(','))
}

function toggle(id: string): void {
  const favourites = read(FAVOURITES)
  if (favourites.includes(id)) browserStorage.write(FAVOURITES, favourites.filter((other) => other !== id).join(','))
  else add(FAVOURITES, id, MAX_FAVOURITES)
}

export function startFavourites(): void {
  const viewed = document.querySelector<HTMLElement>('[data-server]')?.dataset['server']
  if (viewed !== undefined) add(RECENT, viewed, MAX_RECENT)
  document.addEventListener('click', ({ target }) => {
    const id = (target as Element).closest<HTMLElement>('[data-favourite]')?.dataset['favourite']
    if (id === undefined) return
    toggle(id)
    showFavourites()
  })
}

/** Shows them on the page. Call again after the page has changed. */
export function showFavourites(): void {
  const favourites = read(FAVOURITES)
  const recent = read(RECENT)
  for (const button of document.querySelectorAll<HTMLElement>('[data-favourite]'))
    button.ariaPressed = String(favourites.includes(button.dataset['favourite'] ?? ''))
  const chosen = new URLSearchParams(location.search).get('ids')
  const isRecent = chosen !== null && chosen === recent.join(',') && chosen !== favourites.join(',')
  for (const [kind, ids] of [
    ['favourites', favourites],
    ['recent', recent],
  ] as const) {
    const link = document.querySelector<HTMLAnchorElement>(`[data-chosen=${kind}]`)
    if (link === null) continue
    link.href = `/browse?ids=${ids.join(',')}`
    link.ariaCurrent = chosen !== null && isRecent === (kind === 'recent') ? 'true' : null
    const count = link.querySelector('[data-count]')
    if (count !== null) count.textContent = String(ids.length)
  }
}
