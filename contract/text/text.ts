/** Rules for texts that users enter. Lengths are in Unicode code points. */
import { z } from 'zod'
import { documentedAs } from '#contract/api/documented.ts'
import * as m from './messages.ts'

/**
 * Invisible, control, private and unassigned characters. They make two different names look the same. A variation selector is allowed after
 * a character that it turns into an emoji.
 */
const NOT_TEXT =
  /(?![\uFE0E\uFE0F])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\uFFFC\u{1D159}\u{13441}-\u{13443}]|(?<!\p{Emoji})[\uFE0E\uFE0F]/u

/** Signs that join Indic letters: Canonical_Combining_Class=Virama. */
const VIRAMA =
  '[\\u094D\\u09CD\\u0A4D\\u0ACD\\u0B4D\\u0BCD\\u0C4D\\u0CCD\\u0D3B\\u0D3C\\u0D4D\\u0DCA\\u0F84\\u1039\\u103A\\u1714\\u1715\\u1734\\u17D2\\u1A60\\u1B44\\u1BAA\\u1BAB\\u1BF2\\u1BF3\\uA806\\uA82C\\uA8C4\\uA953\\uA9C0\\uAAF6\\uABED]'
const CURSIVE = '[\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Nko}\\p{Script=Mongolian}\\p{Script=Adlam}\\p{Script=Hanifi_Rohingya}]'
const PICTURE = '\\p{Extended_Pictographic}'

/** Invisible characters that belong to a spelling (UAX #31, RFC 5892 appendix A) or an emoji. */
const JOINERS = new RegExp(
  [
    `(?<=${VIRAMA})[\\u200C\\u200D]|(?<=\\p{L})[\\u200C\\u200D](?=${VIRAMA})`,
    `(?<=${CURSIVE}\\p{Mn}*)\\u200C(?=${CURSIVE})`,
    `(?<=${PICTURE}[\\uFE0F\\p{Emoji_Modifier}]?)\\u200D(?=${PICTURE})`,
    // The flags of England, Scotland and Wales.
    `(?<=\\u{1F3F4})\\u{E0067}\\u{E0062}(?:\\u{E0065}\\u{E006E}\\u{E0067}|\\u{E0073}\\u{E0063}\\u{E0074}|\\u{E0077}\\u{E006C}\\u{E0073})\\u{E007F}`,
  ].join('|'),
  'gu',
)

/** Stacked marks on one letter overflow into other lines. No script needs so many. */
const STACKED_MARKS = /\p{Mn}{5,}/u
/** A visible character that is not just a mark on the previous one. */
const VISIBLE = /[\p{L}\p{N}\p{S}\p{P}]/u

/** Trims spaces and line breaks only: other invisible characters at the ends are rejected. No pattern, which is slow for many spaces. */
function trimSpaces(text: string): string {
  const isSpace = (at: number) => ' \t\r\n'.includes(text.charAt(at))
  let [start, end] = [0, text.length]
  while (start < end && isSpace(start)) start += 1
  while (end > start && isSpace(end - 1)) end -= 1
  return text.slice(start, end)
}

const hasPlacedMarks = (text: string) => !STACKED_MARKS.test(text) && (text.trim() === '' || VISIBLE.test(text))

/** `U+200B`: the first character that a name can't contain. */
export function rejectedInName(text: string): string | undefined {
  const code = NOT_TEXT.exec(text)?.[0].codePointAt(0)
  return code === undefined ? undefined : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

const rejectedInLine = (text: string) => rejectedInName(text.replaceAll(JOINERS, ''))
const rejectedInLines = (text: string) => rejectedInLine(text.replaceAll(/[\n\t]/g, ' '))

function countCodePoints(text: string): number {
  return Array.from(text).length
}

interface LineRule {
  /** The field's name at the start of a sentence. */
  readonly label: m.Field
  readonly min?: number
  readonly max: number
  /** For texts in a list: an empty one is too short, not missing. */
  readonly isItem?: boolean
}

function lengthError({ label, min = 0, max, isItem = false }: LineRule): (issue: { readonly input?: unknown }) => string {
  if (min === 0) return m.isTooLong(label, max)
  return ({ input }) => (input === '' && !isItem ? m.isMissing(label)() : m.hasWrongLength(label, min, max)())
}

/** The error names the rejected character. */
export const rejectionOf = (label: m.Field, rejectedIn: (text: string) => string | undefined) => ({
  error: ({ input }: { readonly input?: unknown }) => m.hasRejectedCharacter(label, rejectedIn(String(input)) ?? '')(),
  abort: true,
})

function plainText(rule: LineRule, clean: (text: string) => string, rejectedIn: (text: string) => string | undefined) {
  const { min = 0, max } = rule
  const schema = z
    .string({ error: m.mustBeText(rule.label) })
    .transform(clean)
    .refine((text) => rejectedIn(text) === undefined, rejectionOf(rule.label, rejectedIn))
    .refine(hasPlacedMarks, { error: m.hasStrayMarks(rule.label), abort: true })
    .transform((text) => text.trim())
    .refine((text) => countCodePoints(text) >= min && countCodePoints(text) <= max, { error: lengthError(rule) })
  return documentedAs(schema, { type: 'string', ...(min > 0 && { minLength: min }), maxLength: max })
}

/** A name: one line of plain text, trimmed. */
export const line = (rule: LineRule) => plainText(rule, trimSpaces, rejectedInName)

/** Plain text of one or more lines, trimmed, with `\n` as line break. May contain joiners, because it identifies nothing. */
export const lines = (rule: LineRule) => plainText(rule, (text) => trimSpaces(text.replaceAll('\r\n', '\n')), rejectedInLines)

/** URL parsers silently drop tabs and line breaks. */
export const NO_CONTROLS = /^\P{Cc}*$/u

const SCHEME = /^https?:\/\//i

/**
 * A web address: http or https, without username or password, at most 255 characters.
 * A bare domain gets `https://`; an empty text stays empty.
 */
export function webAddress(label: m.Field) {
  const address = z
    .string({ error: m.mustBeText(label) })
    .transform((text) => text.trim())
    .transform((text) => (text === '' || SCHEME.test(text) ? text : `https://${text}`))
    .refine((text) => countCodePoints(text) <= 255, { error: m.isTooLong(label, 255), abort: true })
    .refine((text) => text === '' || (rejectedInName(text) === undefined && isWebAddress(text)), { error: m.mustBeWebAddress(label) })
  return documentedAs(address, { type: 'string', maxLength: 255 })
}

const AUTHORITY = /^https?:\/\/([^/?#]*)/i
const openedUrl = z.url({
  protocol: /^https?$/,
  hostname: /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{1,63}$|^\[[0-9a-f:.]+\]$/i,
  normalize: true,
})

const hostOf = (address: string) => (AUTHORITY.exec(address)?.[1] ?? '').replace(/:\d*$/, '')

/** Whether the URL has a full host (with a dot, or IPv6 in brackets), and a browser opens the host that the text shows. */
export function isWebAddress(text: string): boolean {
  const host = hostOf(text)
  const { success, data = '' } = openedUrl.safeParse(text)
  return success && !host.includes('@') && !/[\s\\]/.test(text) && (host.startsWith('[') || isSameHost(host, hostOf(data)))
}

/**
 * Whether a browser opens the host that the text shows. It differs for `https:///example.com`, `0x7f.1`, `exa%6Dple.com` and full-width
 * letters. Labels in other scripts are compared by their `xn--` form.
 */
function isSameHost(read: string, opened: string): boolean {
  const [labels, openedLabels] = [read.split('.'), opened.split('.')]
  const isSame = (label: string, other = '') =>
    /^[a-z0-9-]+$/i.test(label) ? label.toLowerCase() === other : other.startsWith('xn--') && label.normalize('NFKC') === label
  return labels.length === openedLabels.length && labels.every((label, at) => isSame(label, openedLabels[at]))
}

const CONTROL = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u
const rejectedInQuery = (text: string) => (CONTROL.test(text.replaceAll(JOINERS, '')) ? rejectedInLine(text) : undefined)

/** A text in a query, taken as it is. It may name a value from before a rule became stricter. */
export const word = (label: m.Field, max: number) =>
  z
    .string({ error: m.mustBeText(label) })
    .max(max, { error: m.isTooLong(label, max) })
    .refine((text) => rejectedInQuery(text) === undefined, rejectionOf(label, rejectedInQuery))

/** A text that must not be empty, taken as it is. */
export const requiredText = (label: m.Field, max: number) =>
  z
    .string({ error: m.mustBeText(label) })
    .min(1, { error: m.isMissing(label) })
    .max(max, { error: m.isTooLong(label, max) })
