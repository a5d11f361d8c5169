/** Part of `npm run check:text`: every translation has the keys, placeholders and markup of the English text, and all its plural forms. */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DEFAULT_LANGUAGE, PANEL_LANGUAGES } from '#contract/text/panel-languages.ts'
import { API, type Catalogue, PANEL } from '#web/build/messages.ts'

interface Variants {
  /** Such as `local form = count: plural`. */
  readonly declarations?: readonly string[]
  readonly selectors?: readonly string[]
  /** Texts by their conditions, such as `form=one`. */
  readonly match: Readonly<Record<string, string>>
}

type Message = string | readonly Variants[]

function read({ folder }: Catalogue, language: string): ReadonlyMap<string, Message> {
  const catalogue = JSON.parse(readFileSync(join(folder, `${language}.json`), 'utf8')) as Record<string, Message>
  return new Map(Object.entries(catalogue).filter(([key]) => key !== '$schema'))
}

const textsOf = (message: Message) => (typeof message === 'string' ? [message] : message.flatMap(({ match }) => Object.values(match)))

/** Every placeholder and tag, such as `{name}` and `{#b}`. A plural form may leave some out, so all forms count together. */
const placeholdersOf = (message: Message) => textsOf(message).flatMap((text) => text.match(/\{[^}]*\}/g) ?? [])

const without = (texts: readonly string[], others: readonly string[]) => [...new Set(texts)].filter((text) => !others.includes(text))

/** Plural forms without a text. Paraglide would show the key instead. */
function missingForms(message: Message, language: string): string[] {
  if (typeof message === 'string') return []
  return message.flatMap(({ declarations = [], match }) => {
    const conditions = Object.keys(match).flatMap((condition) => condition.split(/,\s*/))
    const plurals = declarations.flatMap((declaration) => /^local (\w+) = \w+: plural/.exec(declaration)?.[1] ?? [])
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
    return plurals.flatMap((name) => {
      if (conditions.includes(`${name}=*`)) return []
      return pluralCategories.map((category) => `${name}=${category}`).filter((condition) => !conditions.includes(condition))
    })
  })
}

function faultsOf(catalogue: Catalogue, language: string): string[] {
  const english = read(catalogue, DEFAULT_LANGUAGE)
  const translated = read(catalogue, language)
  const faults = [...translated.keys()].filter((key) => !english.has(key)).map((key) => `${key} is not in English`)
  for (const [key, source] of english) {
    const message = translated.get(key)
    if (message === undefined) {
      faults.push(`${key} is missing`)
      continue
    }
    const [expected, actual] = [placeholdersOf(source), placeholdersOf(message)]
    for (const each of without(expected, actual)) faults.push(`${key} lacks ${each}`)
    for (const each of without(actual, expected)) faults.push(`${key} has ${each}, which English lacks`)
    for (const form of missingForms(message, language)) faults.push(`${key} lacks ${form}`)
  }
  return faults.map((fault) => `messages/${basename(catalogue.folder)}/${language}.json: ${fault}`)
}

const faults = [PANEL, API].flatMap((catalogue) => PANEL_LANGUAGES.flatMap((language) => faultsOf(catalogue, language)))
for (const fault of faults) process.stderr.write(`${fault}\n`)
process.exitCode = faults.length === 0 ? 0 : 1
