/** The texts of the page: `#messages` and `#api-messages` in the browser. The build makes one file of each language. */
import type { m as apiTexts } from '#api-messages'
import type { m as panelTexts } from '#messages'
import { pageLanguage } from './language.ts'

/** Modules that import it wait for the file. The backend's `Link` header makes the browser load it early. */
export const m = (await import(`../../.cache/texts/${pageLanguage}.js`)) as typeof panelTexts & typeof apiTexts
