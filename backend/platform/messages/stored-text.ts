/** Sentences that the program stores are English. They are shown in the language of the request if the catalogue has them. */
import { m } from '#api-messages'
import { DEFAULT_LANGUAGE } from '#contract/text/panel-languages.ts'
import { currentLanguage } from './language.ts'

type Values = Readonly<Record<string, unknown>>
type Render = (values: Values, options?: { readonly locale: typeof DEFAULT_LANGUAGE }) => string

/** For `m.key(values, STORED)`. */
export const STORED = { locale: DEFAULT_LANGUAGE } as const

/** The messages that are stored. */
const KEYS = /^(?:delivery|error_address|error_announce|finding|input|probe|resolution)_/

interface StoredMessage {
  readonly render: Render
  /** Matches its English text; each group is a parameter. */
  readonly pattern: RegExp
  /** The values that select the variant in the pattern. */
  readonly fixed: Values
}

const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Marks a parameter's place in a text. */
const MARK = '\0'

function storedMessage(render: Render, fixed: Values): StoredMessage {
  const marks = new Proxy(fixed, { get: (target, name) => target[String(name)] ?? `${MARK}${String(name)}${MARK}` })
  const parts = render(marks, STORED).split(MARK)
  const source = parts.map((part, index) => (index % 2 === 0 ? escape(part) : `(?<${part}>.+)`))
  return { render, fixed, pattern: new RegExp(`^${source.join('')}$`, 's') }
}

/** A message with a plural has two patterns. */
const MESSAGES = Object.entries(m as unknown as Readonly<Record<string, Render>>)
  .filter(([key]) => KEYS.test(key))
  .flatMap(([, render]) => [storedMessage(render, {}), storedMessage(render, { count: 1 })])

/** A text that the catalogue doesn't have stays as it is, such as one of an older version. */
export function translateStored(text: string): string {
  if (currentLanguage() === DEFAULT_LANGUAGE) return text
  for (const { render, pattern, fixed } of MESSAGES) {
    const match = pattern.exec(text)
    if (match !== null) return render({ ...match.groups, ...fixed })
  }
  return text
}

/** For sentences that are stored one a line. */
export const translateLines = (text: string): string => text.split('\n').map(translateStored).join(' ')
