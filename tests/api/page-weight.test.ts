/** Download size of the entry pages of the last build, in every language. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { WEB_FOLDER } from '#backend/platform/http/pages.ts'
import { type Language, PANEL_LANGUAGES } from '#contract/text/panel-languages.ts'

/** Gzip bytes without fonts, including about 3 % of headroom. */
const MAX_BYTES = { index: 160_000, login: 80_000 } as const
/** Cyrillic letters take two bytes. */
const EXTRA_BYTES: Readonly<Partial<Record<Language, number>>> = { ru: 1000 }

/** Browsers load these after the page. */
const LATE = /\.(?:woff2|webmanifest)$/

/** The page and every script, style and image that it references. */
function weightOf(page: string): { bytes: number; files: string[] } {
  const html = readFileSync(join(WEB_FOLDER, page), 'utf8')
  const references = html.matchAll(/<(?:link|script|img)[^>]* (?:href|src)="\/([^"]+)"/g)
  const files = [page, ...new Set(Array.from(references, ([, file = '']) => file).filter((file) => !LATE.test(file)))]
  const sizes = files.map((file) => {
    const path = join(WEB_FOLDER, file)
    return statSync(existsSync(`${path}.gz`) ? `${path}.gz` : path).size
  })
  return { bytes: sizes.reduce((sum, size) => sum + size, 0), files }
}

const PAGES = PANEL_LANGUAGES.flatMap((language) => (['index', 'login'] as const).map((page) => ({ language, page })))

test.each(PAGES)('the first page $page in $language has at most four scripts and stays within its size limit', ({ language, page }) => {
  const { bytes, files } = weightOf(`${language}/${page}.html`)
  expect(files.filter((file) => file.endsWith('.js')).length, 'too many scripts').toBeLessThanOrEqual(4)
  expect(bytes, files.join(', ')).toBeLessThan(MAX_BYTES[page] + (EXTRA_BYTES[language] ?? 0))
  // A page without references would pass the limit.
  expect(bytes).toBeGreaterThan(MAX_BYTES[page] / 4)
})
