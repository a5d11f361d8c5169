/** The texts of the page: `#messages` and `#api-messages` in the browser. The build makes one file of each language. */
import type { m as apiTexts } from '../../.cache/api-messages/messages.js'
import type { m as panelTexts } from '../../.cache/messages/messages.js'
import type { Language } from '#contract/text/panel-languages.ts'

type Texts = typeof panelTexts & typeof apiTexts

/** Empty until `loadTexts`. */
export let m = {} as Texts

export async function loadTexts(language: Language): Promise<void> {
  m = (await import(`../../.cache/texts/${language}.js`)) as Texts
}
