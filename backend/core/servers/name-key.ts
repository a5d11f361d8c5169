/**
 * The key by which names are unique: look-alike names get the same key. Unicode normalization folds case, width and
 * accents. Unicode's confusables table (UTS #39) folds look-alike letters.
 */
import confusables from 'unhomoglyph/data.json' with { type: 'json' }
import { PLAIN_LETTERS } from '#contract/text/search-key.ts'

const TABLE: Readonly<Record<string, string>> = confusables
const IS_ASCII = /^[\x20-\x7e]+$/

/** I, l, 1 and | look alike, and case folding adds i. This also rejects a few legitimate pairs, such as Ali and All. */
const LATIN: Readonly<Record<string, string>> = { i: 'l', '1': 'l', '|': 'l', '0': 'o', m: 'rn', w: 'vv' }

const foldLatin = (text: string) => Array.from(text.toLowerCase(), (letter) => LATIN[letter] ?? letter).join('')

/** Unicode treats small capitals as separate letters; readers don't. */
const SMALL_CAPITALS = new Map(
  Array.from('ᴀʙᴄᴅᴇꜰғɢʜɪᴊᴋʟᴍɴᴏᴘꞯǫʀꜱᴛᴜᴠᴡʏᴢ', (letter, at) => [letter, 'abcdeffghijklmnopqqrstuvwyz'.charAt(at)]),
)

/** Enclosed letters that normalization doesn't fold. Each row is given by the code point of its A. */
const ENCLOSED_LETTERS = new Map(
  // parenthesized small and capital, squared, negative circled, negative squared, regional indicators
  [0x24_9c, 0x1_f1_10, 0x1_f1_30, 0x1_f1_50, 0x1_f1_70, 0x1_f1_e6].flatMap((first) =>
    Array.from('abcdefghijklmnopqrstuvwxyz', (letter, at): [string, string] => [String.fromCodePoint(first + at), letter]),
  ),
)

/** Enclosed digits. Each row is given by the code point of its 1. */
const ENCLOSED_DIGITS = new Map(
  [0x24_f5, 0x27_76, 0x27_80, 0x27_8a].flatMap((first) =>
    Array.from('123456789', (digit, at): [string, string] => [String.fromCodePoint(first + at), digit]),
  ),
)

const withoutMarks = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '')

/** The table writes a letter with a stroke as the letter and a mark. */
const lookAlikeOf = (letter: string) =>
  foldLatin(
    withoutMarks(SMALL_CAPITALS.get(letter) ?? ENCLOSED_LETTERS.get(letter) ?? ENCLOSED_DIGITS.get(letter) ?? TABLE[letter] ?? letter),
  )

/** The ASCII text that a character looks like; undefined if there is none. */
function asciiOf(letter: string): string | undefined {
  if (IS_ASCII.test(letter)) return foldLatin(letter)
  // Try the other case, too: Cyrillic в has no Latin look-alike, but В does.
  return [letter, letter.toLowerCase(), letter.toUpperCase()].map(lookAlikeOf).find((candidate) => IS_ASCII.test(candidate))
}

const foldedLetters = new Map<string, string>()

/** Tries the whole character first, because without its marks it may become a different one, or nothing. */
function foldLetter(letter: string): string {
  const cached = foldedLetters.get(letter)
  if (cached !== undefined) return cached
  const plain = PLAIN_LETTERS.get(letter.toLowerCase()) ?? letter
  const parts = Array.from(withoutMarks(plain))
  const folded = asciiOf(plain) ?? parts.map((part) => asciiOf(part) ?? lookAlikeOf(part.toLowerCase())).join('')
  foldedLetters.set(letter, folded)
  return folded
}

/** Exclamation marks between letters or digits look like i, which folds to l. */
const MARKS_INSIDE_WORDS = /(?<=[\p{L}\p{N}]!*)!(?=!*[\p{L}\p{N}])/gu

/** Any quotation marks in a row, also as the table writes them. */
const QUOTES = /[\p{Quotation_Mark}`´]+/gu

/** Increment it with each change of the rule, so that stored keys are refreshed. */
export const NAME_KEY_VERSION = 3

/** @param name must have passed the contract's schema, so it contains no invisible characters. */
export function nameKey(name: string): string {
  const letters = Array.from(name.normalize('NFC').replaceAll(QUOTES, '"'), foldLetter)
  const folded = letters.join('').replaceAll('¡', '!').replaceAll(QUOTES, '"')
  const key = folded.replaceAll(MARKS_INSIDE_WORDS, 'l').replaceAll(/\s+/gu, ' ').trim()
  // A name of standalone accents folds to nothing, so it is compared unfolded.
  return key === '' ? name.toLowerCase() : key
}
