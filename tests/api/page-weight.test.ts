/** Download size of the first pages of the last build, in every language. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { WEB_FOLDER } from '#backend/platform/http/pages.ts'
import { PANEL_LANGUAGES } from '#contract/text/panel-languages.ts'

/** Of JavaScript, after brotli. */
const MAX_BYTES = 220 * 1024
/** Each costs a request. */
const MAX_FILES = 24

type Manifest = Readonly<Record<string, { readonly file: string; readonly imports?: readonly string[] }>>

const manifest = JSON.parse(readFileSync(join(WEB_FOLDER, '.vite/manifest.json'), 'utf8')) as Manifest
const panel = Object.keys(manifest).find((name) => /^_panel-.*\.js$/.test(name)) ?? ''

/** The scripts that these modules import, transitively. */
function filesOf(modules: readonly string[]): string[] {
  const found = new Set<string>()
  const add = (name: string) => {
    if (found.has(name)) return
    found.add(name)
    manifest[name]?.imports?.forEach(add)
  }
  modules.forEach(add)
  return [...found].map((name) => manifest[name]?.file ?? `${name} is missing`)
}

const PAGES = { servers: 'pages/home-pages.ts', login: 'pages/login/login-page.tsx' } as const

for (const [page, module] of Object.entries(PAGES))
  test.each(PANEL_LANGUAGES)(`the ${page} page in %s stays within its size limit`, (language) => {
    const files = filesOf([panel, module, `../.cache/texts/${language}.js`])
    const sizes = files.map(
      (file) => statSync(join(WEB_FOLDER, `${file}.br`), { throwIfNoEntry: false })?.size ?? statSync(join(WEB_FOLDER, file)).size,
    )
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    expect(files.length).toBeLessThanOrEqual(MAX_FILES)
    expect(bytes, files.map((file, index) => `${file}: ${sizes[index]}`).join(', ')).toBeLessThan(MAX_BYTES)
    // A page without scripts would pass the limit.
    expect(bytes).toBeGreaterThan(MAX_BYTES / 4)
  })
