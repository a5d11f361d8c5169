/** Enhances the public pages, which work without it: live numbers, search while typing, favourites, copying and reports. */
import './public-site.css'
import { startCopying } from './enhance/copying.ts'
import { showFavourites, startFavourites } from './enhance/favourites.ts'
import { startLivePage } from './enhance/live-page.ts'
import { startReports } from './enhance/reports.ts'
import { showLocalTimes } from './enhance/local-times.ts'

const update = () => {
  showFavourites()
  showLocalTimes()
}
startFavourites()
update()
startCopying()
startReports()
startLivePage(update)
