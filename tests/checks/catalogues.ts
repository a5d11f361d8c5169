/**
 * Part of `npm run check:text`: the keys of every catalogue are sorted, and those of the API's are used. Every translation has the keys,
 * placeholders and markup of the English text, and all its plural forms.
 */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DEFAULT_LANGUAGE, PANEL_LANGUAGES } from '#contract/text/panel-languages.ts'
import { API, BACKEND_ONLY, type Catalogue, PANEL } from '#web/build/messages.ts'

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
  const keys = [...translated.keys()]
  const faults = keys.filter((key) => !english.has(key)).map((key) => `${key} is not in English`)
  keys.forEach((key, index) => {
    if (!/^[a-z0-9]+(_[a-z0-9]+)*$/.test(key)) faults.push(`${key} is not snake_case`)
    if (index > 0 && key <= (keys[index - 1] ?? '')) faults.push(`${key} is out of order`)
  })
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

/** Whether a key is named, or its code: `error_…` by an `AppError`, `list_…` by a rejection of the list. */
function unusedFaults(): string[] {
  const root = join(import.meta.dirname, '../..')
  const sources = globSync('{backend,contract,web}/**/*.{ts,tsx}', { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'))
  const names = sources.flatMap((source) => [...source.matchAll(/\b(?:m|texts)\.(\w+)|\b([A-Z][A-Z0-9_]+)\b/g)])
  const used = new Set(names.map(([, key, code]) => key ?? code?.toLowerCase()))
  const namesOf = (key: string) => [key, key.replace(/^error_/, ''), key.replaceAll(/^list_|_remedy$/g, '')]
  const unused = [...read(API, DEFAULT_LANGUAGE).keys()].filter((key) => !namesOf(key).some((name) => used.has(name)))
  return unused.map((key) => `messages/api/en.json: ${key} is not used`)
}

/** Browsers have no text that only the backend says. */
function missingInBrowsers(): string[] {
  const root = join(import.meta.dirname, '../..')
  const files = globSync('{contract,web}/**/*.{ts,tsx}', { cwd: root }).filter((file) => !file.startsWith('web/build/'))
  return files.flatMap((file) => {
    const keys = [...readFileSync(join(root, file), 'utf8').matchAll(/\b(?:m|texts)\.(\w+)/g)].map(([, key]) => key ?? '')
    return keys
      .filter((key) => BACKEND_ONLY.test(key) && read(API, DEFAULT_LANGUAGE).has(key))
      .map((key) => `${file}: browsers do not have ${key}`)
  })
}

const faults = [PANEL, API].flatMap((catalogue) => PANEL_LANGUAGES.flatMap((language) => faultsOf(catalogue, language)))
faults.push(...unusedFaults(), ...missingInBrowsers())
for (const fault of faults) process.stderr.write(`${fault}\n`)
process.exitCode = faults.length === 0 ? 0 : 1
