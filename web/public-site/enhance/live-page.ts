/** Replaces the live part of the page with the current one from the backend. */
import { Idiomorph } from 'idiomorph/dist/idiomorph.esm.js'

const REFRESH_MS = 10_000
const TYPING_PAUSE_MS = 150

/** Only the newest request may change the page. */
let current: AbortController | undefined

/** @param onUpdate called after each change of the page */
export function startLivePage(onUpdate: () => void): void {
  if (liveOf(document) === null) return
  const update = (url: string, keepsOrder = false) => void replaceWith(url, keepsOrder).then((isReplaced) => isReplaced && onUpdate())
  const refresh = () => {
    if (!document.hidden && current === undefined) update(location.href, true)
  }
  setInterval(refresh, REFRESH_MS)
  document.addEventListener('visibilitychange', refresh)
  startSearch(update)
  closeMenusOutside()
}

/** Searches while the visitor types. The address follows, so that a reload or a bookmark shows the same. */
function startSearch(update: (url: string) => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const search = (form: HTMLFormElement) => {
    // An empty `ids` is an empty choice, not the whole list.
    const isSent = (name: string, value: unknown) => (value !== '' || name === 'ids') && !(name === 'sort' && value === 'players')
    const fields = [...new FormData(form)].filter(([name, value]) => isSent(name, value))
    const query = new URLSearchParams(fields as [string, string][]).toString()
    const url = query === '' ? '/browse' : `/browse?${query}`
    history.replaceState(null, '', url)
    update(url)
  }
  document.addEventListener('input', ({ target }) => {
    const form = (target as HTMLElement).closest<HTMLFormElement>('form[data-search]')
    if (form === null) return
    // Announced from now on, and not with each refresh before.
    document.querySelector('[data-found]')?.setAttribute('role', 'status')
    clearTimeout(timer)
    timer = setTimeout(() => search(form), TYPING_PAUSE_MS)
  })
  document.addEventListener('submit', (event) => {
    const form = (event.target as HTMLElement).closest<HTMLFormElement>('form[data-search]')
    if (form === null) return
    event.preventDefault()
    clearTimeout(timer)
    search(form)
  })
}

function liveOf(page: Document): Element | null {
  return page.querySelector('[data-live]')
}

/** @param keepsOrder whether the shown servers stay where they are, so that nothing moves under the pointer */
async function replaceWith(url: string, keepsOrder: boolean): Promise<boolean> {
  current?.abort()
  const controller = new AbortController()
  current = controller
  try {
    const page = await load(url, controller.signal)
    if (keepsOrder) keepRows(page)
    const [now, next] = [liveOf(document), liveOf(page)]
    if (controller.signal.aborted || now === null || next === null) return false
    document.title = page.title
    Idiomorph.morph(now, next, {
      ignoreActiveValue: true,
      callbacks: { beforeAttributeUpdated: (name: string) => name !== 'open' && name !== 'role' },
    })
    return true
  } catch {
    // Offline, too many requests, or a newer one. The next one tries again.
    return false
  } finally {
    if (current === controller) current = undefined
  }
}

async function load(url: string, signal: AbortSignal): Promise<Document> {
  // The browser revalidates it: an unchanged page costs no bytes.
  const reply = await fetch(url, { signal, cache: 'no-cache' })
  // The server of this page is not public any more.
  if (reply.status === 404) location.reload()
  if (!reply.ok) throw new Error(String(reply.status))
  return new DOMParser().parseFromString(await reply.text(), 'text/html')
}

/** Gives the new page the rows of the current one, with new numbers. A server that left this page of the list shows none. */
function keepRows(page: Document): void {
  const rows = [...(document.querySelector('[data-rows]')?.children ?? [])]
  const next = rows.map((row) => page.getElementById(row.id) ?? withoutNumbers(row))
  if (rows.length > 0) page.querySelector('[data-rows]')?.replaceChildren(...next)
}

function withoutNumbers(row: Element): Element {
  const copy = row.cloneNode(true) as Element
  copy.classList.add('row-left')
  return copy
}

function closeMenusOutside(): void {
  const close = (except: Node | null) => {
    for (const menu of document.querySelectorAll('details[name=filter][open]')) if (!menu.contains(except)) menu.removeAttribute('open')
  }
  document.addEventListener('click', ({ target }) => close(target as Node))
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return
    document.querySelector<HTMLElement>('details[name=filter][open] summary')?.focus()
    close(null)
  })
}
