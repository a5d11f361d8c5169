/** Download size of the first page of the last build, in every language. Login and the servers page need nothing else. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { WEB_FOLDER } from '#backend/platform/http/pages.ts'
import { PANEL_LANGUAGES } from '#contract/text/panel-languages.ts'

/** Of JavaScript, after brotli. */
const MAX_BYTES = 220 * 1024

const assets = readdirSync(join(WEB_FOLDER, 'assets'))

function sizeOf(name: string): number {
  const file = assets.find((each) => new RegExp(`^${name}-[\\w-]{8}\\.js\\.br$`).test(each))
  if (file === undefined) throw new Error(`the build has no ${name}`)
  return statSync(join(WEB_FOLDER, 'assets', file)).size
}

test.each(PANEL_LANGUAGES)('the first page in %s stays within its size limit', (language) => {
  expect(sizeOf('panel') + sizeOf(language)).toBeLessThan(MAX_BYTES)
})
