/** Enhances the public pages, which work without it: live numbers, search while typing, favourites, graphs, themes and reports. */
import { type Language, localeOf } from '#contract/text/panel-languages.ts'
import { browserStorage, tabStorage } from '#web/lib/storage.ts'
import { onSystemTheme, readTheme, showTheme, storeTheme, type ThemeChoice } from '#web/lib/stored-theme.ts'
import { copyText } from '#web/ui/copy-text.ts'
import { clearStatus, showStatus, startLivePage } from './enhance/live-page.ts'
import { showWeekGraph, startWeekGraph } from './enhance/week-graph.ts'
import './public-site.css'

/** Favourites and recently viewed servers, stored in this browser only. */
const FAVOURITES = 'muster.favourites'
const RECENT = 'muster.recent'
const MAX_FAVOURITES = 100
const MAX_RECENT = 20

function readIds(key: string): string[] {
  return (browserStorage.read(key) ?? '').split(',').filter((id) => /^[0-9A-Za-z]{7}$/.test(id))
}

/** The latest first. */
function addId(key: string, id: string, max: number): void {
  browserStorage.write(key, [id, ...readIds(key).filter((other) => other !== id)].slice(0, max).join(','))
}

function toggleFavourite(id: string): void {
  const favourites = readIds(FAVOURITES)
  if (favourites.includes(id)) browserStorage.write(FAVOURITES, favourites.filter((other) => other !== id).join(','))
  else addId(FAVOURITES, id, MAX_FAVOURITES)
}

function startFavourites(): void {
  const viewed = document.querySelector<HTMLElement>('[data-server]')?.dataset['server']
  if (viewed !== undefined) addId(RECENT, viewed, MAX_RECENT)
  document.addEventListener('click', ({ target }) => {
    const id = (target as Element).closest<HTMLElement>('[data-favourite]')?.dataset['favourite']
    if (id === undefined) return
    toggleFavourite(id)
    showFavourites()
  })
}

/** Shows them on the page. Call again after the page has changed. */
function showFavourites(): void {
  const favourites = readIds(FAVOURITES)
  const recent = readIds(RECENT)
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

/** Sends the report form. What the visitor typed stays if it fails, and while they sign in. */
function startReports(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-report]')
  if (form !== null) restoreDraft(form)
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    if (form.dataset['report'] === undefined) return
    event.preventDefault()
    void sendReport(form, form.dataset['report'])
  })
}

async function sendReport(form: HTMLFormElement, id: string): Promise<void> {
  const status = form.querySelector<HTMLElement>('[data-report-status]')
  const signIn = form.querySelector<HTMLElement>('[data-report-sign-in]')
  const button = form.querySelector<HTMLButtonElement>('button[type=submit]')
  if (status === null || signIn === null || button === null || button.ariaDisabled === 'true') return
  // Not `disabled`, which would take the focus away.
  button.ariaDisabled = 'true'
  signIn.hidden = true
  try {
    const reply = await fetch(`/api/public/servers/${id}/reports`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-language': document.documentElement.lang },
      body: JSON.stringify(Object.fromEntries(new FormData(form))),
    })
    if (reply.ok) {
      status.textContent = form.dataset['sent'] ?? ''
      form.reset()
      return
    }
    const { errors = [] } = (await reply.json()) as { errors?: string[] }
    status.textContent = errors.join(' ')
    if (reply.status !== 403 || (await isSignedIn())) return
    signIn.hidden = false
    tabStorage.write(draftKey(form), new URLSearchParams(new FormData(form) as unknown as Record<string, string>).toString())
  } catch {
    status.textContent = form.dataset['failed'] ?? ''
  } finally {
    button.ariaDisabled = null
  }
}

const isSignedIn = async () => (await fetch('/api/auth/me')).ok

const draftKey = (form: HTMLFormElement) => `muster.report.${form.dataset['report'] ?? ''}`

/** Shows it once. */
function restoreDraft(form: HTMLFormElement): void {
  const draft = tabStorage.read(draftKey(form))
  if (draft === null) return
  tabStorage.write(draftKey(form), null)
  for (const [name, value] of new URLSearchParams(draft)) {
    const field = form.elements.namedItem(name)
    if (field instanceof HTMLSelectElement || field instanceof HTMLTextAreaElement) field.value = value
  }
  const details = form.closest('details')
  if (details !== null) details.open = true
  form.scrollIntoView({ block: 'center' })
}

/** Shows times in the time zone of the visitor, in the language of the page. */
function showLocalTimes(): void {
  const format = new Intl.DateTimeFormat(localeOf(document.documentElement.lang as Language), { dateStyle: 'medium', timeStyle: 'short' })
  for (const time of document.querySelectorAll('time')) time.textContent = format.format(new Date(time.dateTime))
}

/** The theme and language that the visitor chooses, stored as the panel stores them. */
function startPreferences(): void {
  applyTheme()
  onSystemTheme(applyTheme)
  document.addEventListener('click', ({ target }) => {
    const choice = (target as Element).closest<HTMLElement>('[data-theme-choice]')?.dataset['themeChoice']
    if (choice === undefined) return
    storeTheme(choice as ThemeChoice)
    applyTheme()
  })
  // A choice here takes precedence over the last language of an account (web/lib/language-choice.ts).
  document.getElementById('languages')?.addEventListener('submit', () => browserStorage.write('muster.language', null))
}

function applyTheme(): void {
  const choice = readTheme()
  showTheme(choice)
  for (const button of document.querySelectorAll<HTMLElement>('[data-theme-choice]'))
    button.ariaPressed = String(button.dataset['themeChoice'] === choice)
}

const COPIED_MS = 2000

let timer: ReturnType<typeof setTimeout> | undefined

/** Buttons with `data-copy` copy that text, and show a tick and a message. */
function startCopying(): void {
  document.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest<HTMLElement>('[data-copy]')
    const text = button?.dataset['copy']
    if (button === null || text === undefined) return
    void copyText(text).then((isCopied) => isCopied && showCopied(button))
  })
}

function showCopied(button: HTMLElement): void {
  button.classList.add('copied')
  showStatus(button.dataset['copied'])
  setTimeout(() => button.classList.remove('copied'), COPIED_MS)
  // A second copy in the meantime is shown for as long.
  clearTimeout(timer)
  timer = setTimeout(clearStatus, COPIED_MS)
}

const update = () => {
  showFavourites()
  showLocalTimes()
  showWeekGraph()
}
startPreferences()
startFavourites()
startWeekGraph()
update()
startCopying()
startReports()
startLivePage(update)
