/** Enhances the public pages, which work without it: live numbers, search while typing, favourites, graphs, themes and reports. */
import './public-site.css'
import { startCopying } from './enhance/copying.ts'
import { showFavourites, startFavourites } from './enhance/favourites.ts'
import { startLivePage } from './enhance/live-page.ts'
import { startReports } from './enhance/reports.ts'
import { showLocalTimes } from './enhance/local-times.ts'
import { startTheme } from './enhance/theme.ts'
import { showWeekGraph, startWeekGraph } from './enhance/week-graph.ts'

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
