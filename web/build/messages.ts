/** Compiles the message catalogues (`messages/<name>/<locale>.json`) into typed functions, imported as `#messages` and `#api-messages`. */
import type { CompilerOptions } from '@inlang/paraglide-js'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEFAULT_LANGUAGE, PANEL_LANGUAGES } from '#contract/text/panel-languages.ts'

const ROOT = join(import.meta.dirname, '../..')
/** A module for each language with the texts of both catalogues that browsers need (`web/lib/texts.ts`). */
const TEXTS = join(ROOT, '.cache/texts')

export interface Catalogue {
  readonly folder: string
  /** The messages in English. */
  readonly english: string
  readonly options: CompilerOptions
}

function catalogueOf(name: string, folderOfModules: string): Catalogue {
  const folder = join(ROOT, 'messages', name)
  return {
    folder,
    english: join(folder, 'en.json'),
    options: {
      project: join(folder, 'project.inlang'),
      outdir: join(ROOT, '.cache', folderOfModules),
      outputStructure: 'locale-modules',
      // Without one that detects the locale: the backend and the panel set it.
      strategy: ['baseLocale'],
      cleanOutdir: false,
      emitGitIgnore: false,
      emitPrettierIgnore: false,
      emitReadme: false,
    },
  }
}

/** The texts of the panel. */
export const PANEL = catalogueOf('panel', 'messages')
/** The texts that the backend sends. The contract uses them, so the panel shows some too. */
export const API = catalogueOf('api', 'api-messages')

/** Texts of `API` that only the backend says, so browsers don't load them. `tests/checks/catalogues.ts` checks it. */
export const BACKEND_ONLY = /^(consequence|delivery|error(?!_benefit)|finding|list|listing|notification|probe|resolution|transfer)_/

/** The messages in a language by key: a text, or the variants of a message. A missing one is in English. */
export function textsOf({ english, folder }: Catalogue, language: string): Readonly<Record<string, unknown>> {
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, unknown>>
  return { ...read(english), ...read(join(folder, `${language}.json`)) }
}

/** A text, or the texts of its plural forms. */
type Source = string | readonly { readonly declarations?: readonly string[]; readonly match: Readonly<Record<string, string>> }[]

const LOCALE = PANEL_LANGUAGES.map((language) => `'${language}'`).join(' | ')
const HEAD = `type Options = { locale?: ${LOCALE} }
type Part = { type: 'text'; value: string } | { type: 'markup-start' | 'markup-end' | 'markup-standalone'; name: string }
type Rich<Text extends (...args: never[]) => string, Markup> = Text & {
  parts: (...args: Parameters<Text>) => Part[]
  readonly __paraglide?: { readonly markup: Markup }
}
`

const namesIn = (texts: readonly string[], pattern: RegExp) =>
  texts.flatMap((text) => Array.from(text.matchAll(pattern), ([, name]) => name))
const objectOf = (names: readonly unknown[]) =>
  `{ ${[...new Set(names)].map((name) => `${String(name)}: NonNullable<unknown>`).join('; ')} }`

function typeOf(source: Source): string {
  const variants = typeof source === 'string' ? [{ match: { '': source } }] : source
  const texts = variants.flatMap(({ match }) => Object.values(match))
  const declared = namesIn(
    variants.flatMap(({ declarations = [] }) => declarations),
    /^input (\w+)$/g,
  )
  const inputs = [...declared, ...namesIn(texts, /(?<!\\)\{(\w+)\}/g)]
  const tags = namesIn(texts, /\{#(\w+)\/?\}/g)
  const call = `(inputs${inputs.length === 0 ? '?' : ''}: ${objectOf(inputs)}, options?: Options) => string`
  return tags.length === 0 ? call : `Rich<${call}, ${objectOf(tags)}>`
}

/** Writes the types from the English texts. The type checker would take half a minute to find them in the code. */
function messageTypes(english: string): string {
  const { $schema: _schema, ...sources } = JSON.parse(readFileSync(english, 'utf8')) as Readonly<Record<string, Source>>
  const rows = Object.entries(sources).map(([key, source]) => `  readonly ${key}: ${typeOf(source)}`)
  return `${HEAD}export declare const m: {\n${rows.join('\n')}\n}\n`
}

/** Compiles the catalogues that have changed. */
export async function compileMessages(): Promise<void> {
  for (const { folder, english, options } of [PANEL, API]) {
    const sources = [
      import.meta.filename,
      ...globSync(join(folder, '{*.json,*.inlang/settings.json}')).toSorted(),
      join(ROOT, 'package-lock.json'),
    ]
    const hash = createHash('sha256')
    for (const source of sources) hash.update(readFileSync(source))
    const digest = hash.digest('hex')
    const stamp = join(options.outdir, 'sources.sha256')
    // Vite's plugin removes the types in development.
    const types = join(options.outdir, 'messages.d.ts')
    if ([stamp, types].every(existsSync) && readFileSync(stamp, 'utf8') === digest) continue
    const { compile } = await import('@inlang/paraglide-js')
    await compile(options)
    writeFileSync(types, messageTypes(english))
    writeFileSync(join(options.outdir, 'runtime.d.ts'), `export declare function overwriteGetLocale(getLocale: () => ${LOCALE}): void\n`)
    writeFileSync(stamp, digest)
  }
  mkdirSync(TEXTS, { recursive: true })
  const keys = Object.keys(textsOf(API, DEFAULT_LANGUAGE)).filter((key) => key !== '$schema' && !BACKEND_ONLY.test(key))
  const fileOf = ({ options }: Catalogue, language: string) => JSON.stringify(join(options.outdir, 'messages', `${language}.js`))
  for (const language of PANEL_LANGUAGES)
    writeIfChanged(
      join(TEXTS, `${language}.js`),
      `export * from ${fileOf(PANEL, language)}\nexport { ${keys.join(', ')} } from ${fileOf(API, language)}\n`,
    )
}

/** Commands of an installed Muster may run as a user who can't write here. */
function writeIfChanged(path: string, text: string): void {
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text)
}

if (import.meta.main) await compileMessages()
