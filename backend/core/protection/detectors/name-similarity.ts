/**
 * Decides whether players could confuse two names, word by word. Look-alike letters are equal (`servers/name-key.ts`). A typo in a long word is
 * hard to see, but short words that differ in one letter (Lost, Last) are different words.
 */
import { nameKey } from '#backend/core/servers/name-key.ts'

/** Digits and signs that replace letters inside words, beyond those that nameKey folds (0, 1, |). */
const LETTER_SUBSTITUTES: Readonly<Record<string, string>> = { '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', $: 's', '@': 'a' }

/** Words that do not identify a server. */
const FILLER_WORDS = new Set(
  wordsOf(`
    official original real true only main new neu next reborn remastered reloaded returns back again online live server servers game games network community
    the der die das le la of on and by for rp roleplay role play hardrp beta test dev staff support discord join free best no top number
    eu us uk de en fr ru pl es br pt tr it cz europe germany deutschland ger eng rus i ii iii iv v x xl hd pro plus vip reallife rl
  `),
)

/** Words that claim to be the original. */
const CLAIM_WORDS = new Set(wordsOf('official offical oficial original real true only main authentic verified genuine offiziell echt'))

/** Game modes and places. Many owners independently choose names that consist only of these. */
const COMMON_WORDS = new Set(
  wordsOf(`
    freeroam roam freemode zombie undead apocalypse survival survive hardcore softcore vanilla modded mod plus classic semi lite light heavy extreme ultra mega super
    pvp pve rpg fps dm tdm ctf gungame deathmatch battle royale arena war warfare battlefield raid siege conquest fight fighter action combat duel
    race racing drift drag rally car cruise driving truck trucking simulator sim police cop cops robber thief gang mafia crime criminal prison jail escape
    city town village county state island world land life living new old school sandbox creative build builder building craft crafting economy skyblock oneblock
    fun chill relax casual friendly noob beginner training practice aim minigame mini party event solo duo trio quad squad clan team player playground lobby hub
    fast slow easy hard long short weekly monthly wipe wiped fresh loot rate rates 2x 3x 5x 10x 20x 50x 100x 1000x x2 x3 x5 x10 low high max medieval fantasy space
    whitelist whitelisted allowlist public private serious semi rp realistic realism german english french polish russian spanish turkish italian dutch nordic american
    european british brazilian deutsch deutsche deutscher deutsches francais france spain espana italia italy poland polska russia brazil brasil turkey turkiye
    netherlands nederland sweden norway denmark finland austria swiss switzerland asia africa america usa latam north south east west central oce oceania australia
    canada japan china india korea berlin hamburg munich muenchen koeln cologne frankfurt stuttgart vienna wien zurich london manchester paris lyon marseille madrid
    barcelona rome roma milano amsterdam rotterdam brussels warsaw warszawa prague praha moscow kiev kyiv istanbul ankara athens lisbon dublin stockholm oslo york
    angeles vegas chicago miami texas california florida boston dallas houston detroit seattle toronto sydney melbourne tokyo seoul singapore dubai rio paulo los las san
  `),
)

/** Shorter words have no meaningful similarity. */
const MIN_LENGTH = 4
const NUMBER = /^\p{N}+$/u

export interface ComparableName {
  /** All letters and digits without spaces and signs. */
  readonly compact: string
  readonly allWords: readonly string[]
  /** The distinctive words, or all words if none is distinctive. */
  readonly distinctiveWords: readonly string[]
  /** `distinctiveWords` without numbers. */
  readonly withoutNumbers: readonly string[]
  /** `compact` without "official" and similar words. */
  readonly withoutClaims: string
  readonly hasClaim: boolean
  /** Consists only of game modes and places. */
  readonly isCommon: boolean
}

export function comparableName(name: string): ComparableName {
  const allWords = wordsOf(name)
  const distinctive = allWords.filter((word) => !FILLER_WORDS.has(word))
  const withoutNumbers = distinctive.filter((word) => !isNumber(word))
  const isDistinctive = withoutNumbers.join('').length >= MIN_LENGTH
  const withoutClaims = allWords.filter((word) => !CLAIM_WORDS.has(word))
  return {
    compact: allWords.join(''),
    allWords,
    distinctiveWords: isDistinctive ? distinctive : allWords,
    withoutNumbers: isDistinctive ? withoutNumbers : allWords,
    withoutClaims: withoutClaims.join(''),
    hasClaim: withoutClaims.length < allWords.length,
    isCommon: withoutNumbers.every(isCommonWord),
  }
}

/**
 * Whether `name` can be confused with `original`: a few wrong letters, other spaces and signs, or an addition such as "official" or "2". If
 * `original` has only common words, only the same letters or an added claim count: `Vanilla 2` is not similar to `Vanilla`.
 */
export function areAlike(name: ComparableName, original: ComparableName): boolean {
  if (haveSameLetters(name, original)) return true
  if (original.isCommon) return name.hasClaim && name.withoutClaims.length >= MIN_LENGTH && name.withoutClaims === original.withoutClaims
  return areClose(name.distinctiveWords, original.distinctiveWords) || areClose(name.withoutNumbers, original.distinctiveWords)
}

/** A stricter check for unverified originals: all words must be close, and common names never match. */
export function areNearlySame(name: ComparableName, original: ComparableName): boolean {
  return !original.isCommon && (haveSameLetters(name, original) || areClose(name.allWords, original.allWords))
}

function haveSameLetters(name: ComparableName, original: ComparableName): boolean {
  return name.compact.length >= MIN_LENGTH && name.compact === original.compact
}

function isCommonWord(word: string): boolean {
  return COMMON_WORDS.has(word) || (word.endsWith('s') && COMMON_WORDS.has(word.slice(0, -1)))
}

function wordsOf(name: string): string[] {
  return nameKey(name)
    .split(/[^\p{L}\p{N}$@]+/u)
    .filter((word) => word !== '')
    .map((word) => (/\p{L}/u.test(word) ? Array.from(word, (letter) => LETTER_SUBSTITUTES[letter] ?? letter).join('') : word))
}

// nameKey folds 0 to o and 1 to l.
function isNumber(word: string): boolean {
  return NUMBER.test(word.replaceAll('o', '0').replaceAll('l', '1')) && !/^[ol]{3,}$/.test(word)
}

function areClose(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.length > 0 && a.every((word, index) => isClose(word, b[index] ?? ''))
}

/** Up to 3 letters: equal. Up to 5: one letter more or less, or two swapped. Longer: one edit, from 10 letters two. */
function isClose(a: string, b: string): boolean {
  if (a === b) return true
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a]
  if (shorter.length < MIN_LENGTH || longer.length - shorter.length > 2 || isNumber(a) || isNumber(b)) return false
  const edits = editDistance(shorter, longer)
  if (shorter.length >= 10) return edits <= 2
  if (shorter.length >= 6) return edits <= 1
  return edits <= 1 && (shorter.length < longer.length || areSwapped(a, b))
}

function areSwapped(a: string, b: string): boolean {
  return Array.from(a).toSorted().join('') === Array.from(b).toSorted().join('')
}

/** Damerau-Levenshtein distance: missing, extra, wrong and swapped letters (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let secondPrevious: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1]
      let min = Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (previous[column - 1] ?? 0) + (isSame ? 0 : 1))
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (isSwap) min = Math.min(min, (secondPrevious[column - 2] ?? 0) + 1)
      current.push(min)
    }
    secondPrevious = previous
    previous = current
  }
  return previous[b.length] ?? 0
}
