/** Compiles the message catalogues (`messages/panel/<locale>.json`) into typed functions, imported as `#messages`. */
import { type CompilerOptions, compile } from '@inlang/paraglide-js'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'messages/panel')
const OUT = join(ROOT, '.cache/messages')
/** The compiled message modules. */
export const COMPILED = join(OUT, 'messages/')
const STAMP = join(OUT, 'sources.sha256')
/** The messages in English. */
export const CATALOGUE = join(FOLDER, 'en.json')
const CATALOGUES = globSync(join(FOLDER, '*.json')).toSorted()
const SOURCES = [import.meta.filename, ...CATALOGUES, join(FOLDER, 'project.inlang/settings.json'), join(ROOT, 'package-lock.json')]

/** One locale, known at build time: no cookies, no locale in URLs, no detection. */
export const MESSAGES: CompilerOptions = {
  project: join(FOLDER, 'project.inlang'),
  outdir: OUT,
  strategy: ['baseLocale'],
  experimentalStaticLocale: '"en"',
  emitGitIgnore: false,
  emitPrettierIgnore: false,
  emitReadme: false,
}

/** Compiles for the type checker and the tests if the sources have changed. The build and the dev server compile separately. */
export async function compileMessages(): Promise<void> {
  const hash = createHash('sha256')
  for (const source of SOURCES) hash.update(readFileSync(source))
  const stamp = hash.digest('hex')
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp) return
  await compile({ ...MESSAGES, outputStructure: 'locale-modules' })
  writeFileSync(STAMP, stamp)
}

if (import.meta.main) await compileMessages()
