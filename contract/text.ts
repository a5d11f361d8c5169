/** Texts that people type: what a name may hold, how long things may be. Lengths are in Unicode code points. */
import { z } from 'zod'

/**
 * Control, format (bidi overrides, zero-width, tags), line-separator and lone-surrogate code points, and the letters that
 * draw as nothing (Hangul fillers, combining grapheme joiner, braille blank): what makes one name pass for another.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u115F\u1160\u2800\u3164\uFFA0]|\u034F|\u17B4|\u17B5/u
const INVISIBLE_BUT_LINES = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u115F\u1160\u2800\u3164\uFFA0]|\u034F|\u17B4|\u17B5/u

/** A variation selector that draws nothing by itself: allowed only where it makes the sign before it an emoji. */
const STRAY_SELECTOR = /(?![\uFE0E\uFE0F])\p{Variation_Selector}|(?<!\p{Emoji})\p{Variation_Selector}/u
/** Marks heaped on one letter run out of their line and over the neighbours; no script needs so many. */
const HEAPED_MARKS = /\p{Mn}{5,}/u
/** Something that can be seen and is not only a mark on what stands before it. */
const VISIBLE = /[\p{L}\p{N}\p{S}\p{P}]/u

/** Spaces and line ends around what was typed mean nothing; other invisible characters there are no accident. */
const withoutEdges = (text: string) => text.replaceAll(/^[ \t\r\n]+|[ \t\r\n]+$/g, '')

function isHonest(text: string, invisible: RegExp): boolean {
  return !invisible.test(text) && !STRAY_SELECTOR.test(text) && !HEAPED_MARKS.test(text) && (text.trim() === '' || VISIBLE.test(text))
}

function lengthOf(text: string): number {
  return Array.from(text).length
}

interface LineRule {
  /** The field's name as it begins a sentence: `Name`. */
  readonly label: string
  readonly min?: number
  readonly max: number
}

function rangeText({ label, min = 0, max }: LineRule): string {
  return min > 0 ? `${label} must be ${min} to ${max} characters long.` : `${label} can be at most ${max} characters long.`
}

const unseen = ({ label }: LineRule) => `${label} can't contain control, text-direction or invisible characters.`

/** One line of plain text, trimmed. */
export function line(rule: LineRule) {
  const wrongLength = rangeText(rule)
  return z
    .string({ error: `${rule.label} must be a text.` })
    .transform(withoutEdges)
    .refine((text) => isHonest(text, INVISIBLE), { error: unseen(rule), abort: true })
    .transform((text) => text.trim())
    .refine((text) => lengthOf(text) >= (rule.min ?? 0) && lengthOf(text) <= rule.max, { error: wrongLength })
}

/** Plain text that may run over several lines, trimmed, line ends as `\n`. */
export function lines(rule: LineRule) {
  const wrongLength = rangeText(rule)
  return z
    .string({ error: `${rule.label} must be a text.` })
    .transform((text) => withoutEdges(text.replaceAll('\r\n', '\n')))
    .refine((text) => isHonest(text, INVISIBLE_BUT_LINES), { error: unseen(rule), abort: true })
    .transform((text) => text.trim())
    .refine((text) => lengthOf(text) >= (rule.min ?? 0) && lengthOf(text) <= rule.max, { error: wrongLength })
}

const SCHEME = /^https?:\/\//i

/**
 * A web address. A bare domain is completed with `https://`; an empty text stays empty. Only http and https, no user name or
 * password, at most 255 characters (contract section 5).
 */
export function webAddress(label: string) {
  const wrong = `${label} must be a web address such as https://example.com.`
  return z
    .string({ error: `${label} must be a text.` })
    .transform((text) => text.trim())
    .transform((text) => (text === '' || SCHEME.test(text) ? text : `https://${text}`))
    .refine((text) => lengthOf(text) <= 255, { error: `${label} can be at most 255 characters long.`, abort: true })
    .refine((text) => text === '' || (!INVISIBLE.test(text) && isWebAddress(text)), { error: wrong })
}

const AUTHORITY = /^https?:\/\/([^/?#]*)/i
const asOpened = z.url({
  protocol: /^https?$/,
  hostname: /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{1,63}$|^\[[0-9a-f:.]+\]$/i,
  normalize: true,
})

const hostOf = (address: string) => (AUTHORITY.exec(address)?.[1] ?? '').replace(/:\d*$/, '')

/** Whether the address names a full host, with a dot or an IPv6 address in brackets, and opens the host that people read in it. */
export function isWebAddress(text: string): boolean {
  const host = hostOf(text)
  const { success, data = '' } = asOpened.safeParse(text)
  return success && !host.includes('@') && !/[\s\\]/.test(text) && (host.startsWith('[') || isSameHost(host, hostOf(data)))
}

/**
 * Whether the host that people read is the one that is opened: `https:///example.com`, `0x7f.1`, `exa%6Dple.com` and letters of unusual
 * width open another. A name in another script is opened by its `xn--` form, label for label.
 */
function isSameHost(read: string, opened: string): boolean {
  const [labels, openedLabels] = [read.split('.'), opened.split('.')]
  const isSame = (label: string, other = '') =>
    /^[a-z0-9-]+$/i.test(label) ? label.toLowerCase() === other : other.startsWith('xn--') && label.normalize('NFKC') === label
  return labels.length === openedLabels.length && labels.every((label, at) => isSame(label, openedLabels[at]))
}

/** A short text of the master list's protocol, taken as it is. */
export const word = (label: string, max: number) =>
  z
    .string({ error: `${label} must be a text.` })
    .max(max, `${label} can be at most ${max} characters long.`)
    .regex(/^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*$/u, `${label} can't contain control, text-direction or invisible characters.`)
