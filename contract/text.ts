/** Rules for texts that users enter. Lengths are in Unicode code points. */
import { z } from 'zod'
import * as m from './messages.ts'

/**
 * Control, format (bidi overrides, zero-width, tags), line-separator and lone-surrogate code points, and invisible letters (Hangul fillers,
 * combining grapheme joiner, braille blank). They make two different names look the same.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u115F\u1160\u2800\u3164\uFFA0]|\u034F|\u17B4|\u17B5/u
const INVISIBLE_EXCEPT_LINE_BREAKS = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u115F\u1160\u2800\u3164\uFFA0]|\u034F|\u17B4|\u17B5/u

/** A variation selector, which is invisible. Allowed only after a character that it turns into an emoji. */
const STRAY_SELECTOR = /(?![\uFE0E\uFE0F])\p{Variation_Selector}|(?<!\p{Emoji})\p{Variation_Selector}/u
/** Stacked marks on one letter overflow into other lines. No script needs so many. */
const STACKED_MARKS = /\p{Mn}{5,}/u
/** A visible character that is not just a mark on the previous one. */
const VISIBLE = /[\p{L}\p{N}\p{S}\p{P}]/u

/** Trims spaces and line breaks only: other invisible characters at the ends are rejected. */
const trimSpaces = (text: string) => text.replaceAll(/^[ \t\r\n]+|[ \t\r\n]+$/g, '')

function hasOnlyVisibleText(text: string, invisible: RegExp): boolean {
  return !invisible.test(text) && !STRAY_SELECTOR.test(text) && !STACKED_MARKS.test(text) && (text.trim() === '' || VISIBLE.test(text))
}

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

/** One line of plain text, trimmed. */
export function line(rule: LineRule) {
  return z
    .string({ error: m.mustBeText(rule.label) })
    .transform(trimSpaces)
    .refine((text) => hasOnlyVisibleText(text, INVISIBLE), { error: m.hasInvisibleCharacters(rule.label), abort: true })
    .transform((text) => text.trim())
    .refine((text) => countCodePoints(text) >= (rule.min ?? 0) && countCodePoints(text) <= rule.max, { error: lengthError(rule) })
}

/** Plain text of one or more lines, trimmed, with `\n` as line break. */
export function lines(rule: LineRule) {
  return z
    .string({ error: m.mustBeText(rule.label) })
    .transform((text) => trimSpaces(text.replaceAll('\r\n', '\n')))
    .refine((text) => hasOnlyVisibleText(text, INVISIBLE_EXCEPT_LINE_BREAKS), { error: m.hasInvisibleCharacters(rule.label), abort: true })
    .transform((text) => text.trim())
    .refine((text) => countCodePoints(text) >= (rule.min ?? 0) && countCodePoints(text) <= rule.max, { error: lengthError(rule) })
}

/** URL parsers silently drop tabs and line breaks. */
export const NO_CONTROLS = /^\P{Cc}*$/u

const SCHEME = /^https?:\/\//i

/**
 * A web address: http or https, without username or password, at most 255 characters (contract section 5).
 * A bare domain gets `https://`; an empty text stays empty.
 */
export function webAddress(label: m.Field) {
  return z
    .string({ error: m.mustBeText(label) })
    .transform((text) => text.trim())
    .transform((text) => (text === '' || SCHEME.test(text) ? text : `https://${text}`))
    .refine((text) => countCodePoints(text) <= 255, { error: m.isTooLong(label, 255), abort: true })
    .refine((text) => text === '' || (!INVISIBLE.test(text) && isWebAddress(text)), { error: m.mustBeWebAddress(label) })
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

/** A short text of the master list's protocol, taken as it is. */
export const word = (label: m.Field, max: number) =>
  z
    .string({ error: m.mustBeText(label) })
    .max(max, { error: m.isTooLong(label, max) })
    .regex(/^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*$/u, { error: m.hasInvisibleCharacters(label) })

/** A text that must not be empty, taken as it is. */
export const requiredText = (label: m.Field, max: number) =>
  z
    .string({ error: m.mustBeText(label) })
    .min(1, { error: m.isMissing(label) })
    .max(max, { error: m.isTooLong(label, max) })
