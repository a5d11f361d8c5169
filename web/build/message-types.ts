/** Writes the types of compiled messages from the English texts. The type checker would take half a minute to find them in the code. */
import { readFileSync } from 'node:fs'
import { PANEL_LANGUAGES } from '#contract/text/panel-languages.ts'

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

/** @param english the path of the catalogue */
export function messageTypes(english: string): string {
  const { $schema: _schema, ...sources } = JSON.parse(readFileSync(english, 'utf8')) as Readonly<Record<string, Source>>
  const rows = Object.entries(sources).map(([key, source]) => `  readonly ${key}: ${typeOf(source)}`)
  return `${HEAD}export declare const m: {\n${rows.join('\n')}\n}\n`
}

export const runtimeTypes = () => `export declare function overwriteGetLocale(getLocale: () => ${LOCALE}): void\n`
