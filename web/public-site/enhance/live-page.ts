/** Replaces the live part of the page with the current one from the backend. */
import { Idiomorph } from 'idiomorph/dist/idiomorph.esm.js'

const REFRESH_MS = 10_000
const TIMEOUT_MS = 10_000
const TYPING_PAUSE_MS = 150
/** A refresh may fail now and then. After this many in a row, the page says that its numbers are old. */
const MAX_FAILURES = 3

/** Only the newest request may change the page. */
let current: AbortController | undefined
const address = () => location.pathname + location.search
/** Where the shown servers are from. Differs from `address()` until a search has succeeded. */
let shown = address()
let failures = 0

/** @param onUpdate called after each change of the page */
export function startLivePage(onUpdate: () => void): void {
  const live = liveOf(document)
  if (live === null) return
  const update = () => void replace(address()).then((isReplaced) => isReplaced && onUpdate())
  const refresh = () => {
    if (!document.hidden && current === undefined) update()
  }
  // `data-live` can name another number of seconds.
  setInterval(refresh, Number(live.getAttribute('data-live')) * 1000 || REFRESH_MS)
  document.addEventListener('visibilitychange', refresh)
  startSearch(update)
  startFilterSheet(update)
  closeMenusOutside()
}

/** Searches while the visitor types. The address follows, so that a reload or a bookmark shows the same. */
function startSearch(update: () => void): void {
  document.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event
    if (key !== '/' || ctrlKey || metaKey || altKey || (target as Element).closest('input, textarea, select') !== null) return
    const field = document.querySelector<HTMLInputElement>('form[data-search] input[type=search]')
    if (field === null) return
    event.preventDefault()
    field.select()
    field.focus()
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  const search = (form: HTMLFormElement) => {
    // An empty `ids` is an empty choice, not the whole list.
    const isSent = (name: string, value: unknown) => (value !== '' || name === 'ids') && !(name === 'sort' && value === 'players')
    const fields = [...new FormData(form)].filter(([name, value]) => isSent(name, value))
    const query = new URLSearchParams(fields as [string, string][]).toString()
    history.replaceState(null, '', query === '' ? '/browse' : `/browse?${query}`)
    update()
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

/** The sheet of the filters stays open while the visitor chooses. Its links work as usual elsewhere. */
function startFilterSheet(update: () => void): void {
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('#filters:popover-open a')
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    document.querySelector('[data-found]')?.setAttribute('role', 'status')
    history.pushState(null, '', link.href)
    update()
  })
  // Links within the page fire it as well.
  addEventListener('popstate', () => {
    if (address() !== shown) update()
  })
}

function liveOf(page: Document): Element | null {
  return page.querySelector('[data-live]')
}

async function replace(url: string): Promise<boolean> {
  current?.abort()
  const controller = new AbortController()
  current = controller
  try {
    const page = await load(url, controller.signal)
    const [now, next] = [liveOf(document), liveOf(page)]
    if (controller.signal.aborted || now === null || next === null) return false
    morph(now, next, page, url === shown)
    shown = url
    if (failures > 0) clearStatus()
    failures = 0
    return true
  } catch (error) {
    if (!controller.signal.aborted) showFailure(url, error)
    return false
  } finally {
    if (current === controller) current = undefined
  }
}

/** @param isRefresh whether the page shows the same search, so that nothing may move under the pointer */
function morph(now: Element, next: Element, page: Document, isRefresh: boolean): void {
  if (isRefresh) keepRows(page)
  document.title = page.title
  const sheet = document.querySelector<HTMLElement>('#filters:focus-within')
  Idiomorph.morph(now, next, {
    // Of a field only: it would keep the children of the sheet while that has the focus.
    ignoreActiveValue: document.activeElement instanceof HTMLInputElement,
    callbacks: {
      beforeNodeMorphed: (node: Node) => !(isRefresh && node instanceof HTMLDetailsElement && node.open),
      // What the script announces, and menus that the visitor has opened.
      beforeAttributeUpdated: (name: string) => name !== 'role' && name !== 'open',
    },
  })
  // The chosen link may be gone.
  if (sheet !== null && document.activeElement === document.body) sheet.focus()
}

/** What the visitor sees is then of another search, or old. */
function showFailure(url: string, error: unknown): void {
  failures += 1
  if (url !== shown || failures >= MAX_FAILURES) showStatus(error instanceof Rejection ? error.message : undefined)
}

/** The backend's sentences. */
class Rejection extends Error {}

async function load(url: string, signal: AbortSignal): Promise<Document> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
  // The browser revalidates it: an unchanged page costs no bytes.
  const reply = await fetch(url, { signal: limited, cache: 'no-cache' })
  // The server of this page is not public any more.
  if (reply.status === 404) location.reload()
  const page = new DOMParser().parseFromString(await reply.text(), 'text/html')
  if (!reply.ok) throw new Rejection(Array.from(page.querySelectorAll('[data-problem]'), ({ textContent }) => textContent).join(' '))
  return page
}

/**
 * Gives the new page the rows of the current one, with new numbers. A server that left this page of the list shows none. Others follow
 * where there is room.
 */
function keepRows(page: Document): void {
  const [rows, next] = [rowsOf(document), rowsOf(page)]
  if (rows.length === 0) return
  const kept = rows.map((row) => page.getElementById(row.id) ?? withoutNumbers(row))
  const all = new Set([...kept, ...next])
  page.querySelector('[data-rows]')?.replaceChildren(...[...all].slice(0, Math.max(rows.length, next.length)))
}

const rowsOf = (page: Document) => [...(page.querySelector('[data-rows]')?.children ?? [])]

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

/** One line at the edge of the window, which screen readers announce. */
const lineOf = () => document.querySelector<HTMLElement>('[data-status]')

/** @param text by default that the page is not current */
export function showStatus(text?: string): void {
  const line = lineOf()
  if (line !== null) line.textContent = text || (line.dataset['status'] ?? '')
}

export function clearStatus(): void {
  lineOf()?.replaceChildren()
}
