/**
 * The key by which names are unique: two names that the eye may take for each other get the same key (contract section 5). Case,
 * width and accents are folded by Unicode normalisation, lookalike letters by Unicode's confusables table (UTS #39).
 */
import confusables from 'unhomoglyph/data.json' with { type: 'json' }

const TABLE: Readonly<Record<string, string>> = confusables
const IS_ASCII = /^[\x20-\x7e]+$/

/**
 * Within plain Latin: I, l, 1 and | are one stroke, and because case is folded so is i; O is 0; rn reads as m. This joins a few
 * honest pairs too (Ali and All): a conflict that can be told and mended, where a lookalike that slipped through can't.
 */
const LATIN: Readonly<Record<string, string>> = { i: 'l', '1': 'l', '|': 'l', '0': 'o', m: 'rn' }

const foldLatin = (text: string) => Array.from(text.toLowerCase(), (letter) => LATIN[letter] ?? letter).join('')

/** Small capitals are letters of their own to Unicode, and to nobody else. */
const SMALL_CAPITALS = new Map(
  Array.from('ᴀʙᴄᴅᴇꜰғɢʜɪᴊᴋʟᴍɴᴏᴘꞯǫʀꜱᴛᴜᴠᴡʏᴢ', (letter, at) => [letter, 'abcdeffghijklmnopqqrstuvwyz'.charAt(at)]),
)

const looksLike = (letter: string) => foldLatin(SMALL_CAPITALS.get(letter) ?? TABLE[letter] ?? letter)

const known = new Map<string, string>()

function foldLetter(letter: string): string {
  if (IS_ASCII.test(letter)) return foldLatin(letter)
  const before = known.get(letter)
  if (before !== undefined) return before
  // As it stands, then as its other cases look: Cyrillic в looks like nothing Latin, but В does.
  const candidates = [letter, letter.toLowerCase(), letter.toUpperCase()].map(looksLike)
  const folded = candidates.find((candidate) => IS_ASCII.test(candidate)) ?? looksLike(letter.toLowerCase())
  known.set(letter, folded)
  return folded
}

/** @param name a name that the contract's schema let through, so without invisible characters. */
export function nameKey(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  const key = Array.from(plain, foldLetter).join('').replaceAll(/\s+/gu, ' ').trim()
  // A name of nothing but accents that stand alone folds to nothing; it is compared as it is.
  return key === '' ? name.toLowerCase() : key
}
