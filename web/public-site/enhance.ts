/** Enhances the public pages, which work without it: live numbers, search while typing, favourites, graphs, themes and reports. */
import './public-site.css'
import { type Language, localeOf } from '#contract/text/panel-languages.ts'
import { startCopying } from './enhance/copying.ts'
import { showFavourites, startFavourites } from './enhance/favourites.ts'
import { startLivePage } from './enhance/live-page.ts'
import { startReports } from './enhance/reports.ts'
import { startTheme } from './enhance/theme.ts'
import { showWeekGraph, startWeekGraph } from './enhance/week-graph.ts'

/** Shows times in the time zone of the visitor, in the language of the page. */
function showLocalTimes(): void {
  const format = new Intl.DateTimeFormat(localeOf(document.documentElement.lang as Language), { dateStyle: 'medium', timeStyle: 'short' })
  for (const time of document.querySelectorAll('time')) time.textContent = format.format(new Date(time.dateTime))
}

const update = () => {
  showFavourites()
  showLocalTimes()
  showWeekGraph()
}
startTheme()
startFavourites()
startWeekGraph()
update()
startCopying()
startReports()
startLivePage(update)
