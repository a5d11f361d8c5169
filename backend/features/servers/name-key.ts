/**
 * The key by which names are unique: look-alike names get the same key (contract section 5). Unicode normalisation folds case, width and
 * accents, Unicode's confusables table (UTS #39) look-alike letters.
 */
import confusables from 'unhomoglyph/data.json' with { type: 'json' }

const TABLE: Readonly<Record<string, string>> = confusables
const IS_ASCII = /^[\x20-\x7e]+$/

/** I, l, 1 and | are one stroke, and because case is folded so is i. This rejects a few honest pairs too, such as Ali and All. */
const LATIN: Readonly<Record<string, string>> = { i: 'l', '1': 'l', '|': 'l', '0': 'o', m: 'rn' }

const foldLatin = (text: string) => Array.from(text.toLowerCase(), (letter) => LATIN[letter] ?? letter).join('')

/** Small capitals are letters of their own to Unicode, and to nobody else. */
const SMALL_CAPITALS = new Map(
  Array.from('ᴀʙᴄᴅᴇꜰғɢʜɪᴊᴋʟᴍɴᴏᴘꞯǫʀꜱᴛᴜᴠᴡʏᴢ', (letter, at) => [letter, 'abcdeffghijklmnopqqrstuvwyz'.charAt(at)]),
)

/** Letters in circles, squares and brackets, of which Unicode says no more than that. By the code point of the A of each row. */
const ENCLOSED_LETTERS = new Map(
  // parenthesized small and capital, squared, negative circled, negative squared, regional indicators
  [0x24_9c, 0x1_f1_10, 0x1_f1_30, 0x1_f1_50, 0x1_f1_70, 0x1_f1_e6].flatMap((first) =>
    Array.from('abcdefghijklmnopqrstuvwxyz', (letter, at): [string, string] => [String.fromCodePoint(first + at), letter]),
  ),
)

/** Digits in circles, by the code point of the 1 of each row. */
const ENCLOSED_DIGITS = new Map(
  [0x24_f5, 0x27_76, 0x27_80, 0x27_8a].flatMap((first) =>
    Array.from('123456789', (digit, at): [string, string] => [String.fromCodePoint(first + at), digit]),
  ),
)

const looksLike = (letter: string) =>
  foldLatin(SMALL_CAPITALS.get(letter) ?? ENCLOSED_LETTERS.get(letter) ?? ENCLOSED_DIGITS.get(letter) ?? TABLE[letter] ?? letter)

/** What one character looks like in plain ASCII; undefined where it looks like nothing there. */
function asciiOf(letter: string): string | undefined {
  if (IS_ASCII.test(letter)) return foldLatin(letter)
  // As it stands, then as its other cases look: Cyrillic в looks like nothing Latin, but В does.
  return [letter, letter.toLowerCase(), letter.toUpperCase()].map(looksLike).find((candidate) => IS_ASCII.test(candidate))
}

const foldedLetters = new Map<string, string>()

/** The whole character first: what is left of it without its marks may be another one, or nothing. */
function foldLetter(letter: string): string {
  const before = foldedLetters.get(letter)
  if (before !== undefined) return before
  const parts = Array.from(letter.normalize('NFKD').replaceAll(/\p{M}/gu, ''))
  const folded = asciiOf(letter) ?? parts.map((part) => asciiOf(part) ?? looksLike(part.toLowerCase())).join('')
  foldedLetters.set(letter, folded)
  return folded
}

/** Exclamation marks between letters or digits are read as i, which the key writes as l. */
const MARKS_INSIDE_WORDS = /(?<=[\p{L}\p{N}]!*)!(?=!*[\p{L}\p{N}])/gu

/** Counts up with each change of the rule, so that stored keys are brought up to date. */
export const NAME_KEY_VERSION = 2

/** @param name a name that the contract's schema let through, so without invisible characters. */
export function nameKey(name: string): string {
  const folded = Array.from(name.normalize('NFC'), foldLetter).join('').replaceAll('¡', '!')
  const key = folded.replaceAll(MARKS_INSIDE_WORDS, 'l').replaceAll(/\s+/gu, ' ').trim()
  // A name of nothing but accents that stand alone folds to nothing; it is compared as it is.
  return key === '' ? name.toLowerCase() : key
}
