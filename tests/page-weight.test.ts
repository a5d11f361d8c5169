/** What a browser must fetch before it shows anything, as it was built last. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { WEB_FOLDER } from '#backend/platform/http/pages.ts'

/** Bytes as they travel to a browser that takes gzip; fonts have a form of their own and are not counted. Some 3 % of it is room. */
const MOST = { index: 150_000, login: 80_000 } as const

/** The page and every script, style and picture that it names, which is all that is fetched before it shows. */
function weightOf(page: string): { bytes: number; files: string[] } {
  const html = readFileSync(join(WEB_FOLDER, page), 'utf8')
  const named = html.matchAll(/(?:href|src)="\/([^"]+)"/g)
  const files = [page, ...new Set(Array.from(named, ([, file = '']) => file).filter((file) => !file.endsWith('.woff2')))]
  const sizes = files.map((file) => {
    const path = join(WEB_FOLDER, file)
    return statSync(existsSync(`${path}.gz`) ? `${path}.gz` : path).size
  })
  return { bytes: sizes.reduce((sum, size) => sum + size, 0), files }
}

test.each(['index', 'login'] as const)('the first page, %s.html, stays light', (page) => {
  const { bytes, files } = weightOf(`${page}.html`)
  expect(files.filter((file) => file.endsWith('.js')).length, 'a round trip more than the page needs').toBeLessThanOrEqual(4)
  expect(bytes, files.join(', ')).toBeLessThan(MOST[page])
  // A page that names nothing would weigh nothing. How far below is nobody's business: lighter is better.
  expect(bytes).toBeGreaterThan(MOST[page] / 4)
})
