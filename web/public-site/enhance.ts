/** Enhances the public pages, which work without it: live numbers, search while typing, favourites, graphs, themes and reports. */
import { type Language, localeOf } from '#contract/text/panel-languages.ts'
import { browserStorage } from '#web/lib/storage.ts'
import { onSystemTheme, readTheme, showTheme, storeTheme, type ThemeChoice } from '#web/lib/stored-theme.ts'
import { copyText } from '#web/ui/copy-text.ts'
import { showFavourites, startFavourites } from './enhance/favourites.ts'
import { clearStatus, showStatus, startLivePage } from './enhance/live-page.ts'
import { startReports } from './enhance/reports.ts'
import { showWeekGraph, startWeekGraph } from './enhance/week-graph.ts'
import './public-site.css'

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
