/** Which servers a search finds, on the list and on `/browse`. A listing's texts are folded once for each of its changes. */
import { LRUCache } from 'lru-cache'
import { m } from '#api-messages'
import { nativeNameOf } from '#contract/text/languages.ts'
import { PANEL_LANGUAGES } from '#contract/text/panel-languages.ts'
import { searchKey } from '#contract/text/search-key.ts'
import { type AnnouncedRow, gameModeOf } from '#backend/masterlist/registry/listed-row.ts'
import type { OwnerFields } from '#backend/masterlist/registry/server-record.ts'

interface FoldedText {
  readonly text: string
  readonly words: readonly string[]
}

interface FoldedListing extends FoldedText {
  /** Begins with a space, as its words do. */
  readonly description: string
}

/** In shorter words, a wrong letter usually makes another word. */
const TYPO_LENGTH = 5
/** Such short words are within many others. */
const SHORT_LATIN = /^[a-z]{1,2}$/

const listings = new WeakMap<OwnerFields, FoldedListing>()
const values = new LRUCache<string, FoldedText>({ max: 5000, memoMethod: fold })
const languages = new LRUCache<string, readonly string[]>({ max: 500, memoMethod: wordsOfLanguage })

const wordsOf = (text: string) => text.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '')

/** A value that many servers share, such as a tag or a game mode. */
export function foldValue(value: string): FoldedText {
  return values.memo(value)
}

function fold(value: string): FoldedText {
  const text = searchKey(value)
  return { text, words: wordsOf(text) }
}

/** The name, vanity ID, tags and description. `text` begins with the name. */
export function foldListing(fields: OwnerFields): FoldedListing {
  const known = listings.get(fields)
  if (known !== undefined) return known
  const text = [fields.name, fields.vanityUrl, ...fields.tags].map(searchKey).join('\n')
  const folded = { text, words: wordsOf(text), description: ` ${searchKey(fields.description)}` }
  listings.set(fields, folded)
  return folded
}

let languageNames: readonly Intl.DisplayNames[] | undefined

/** The words of a language's name, in the panel's languages and its own. */
function wordsOfLanguage(code: string): readonly string[] {
  languageNames ??= PANEL_LANGUAGES.map((locale) => new Intl.DisplayNames([locale], { type: 'language' }))
  const names =
    code === 'all'
      ? PANEL_LANGUAGES.map((locale) => m.language_all({}, { locale }))
      : [...languageNames.map((inLocale) => inLocale.of(code) ?? code), nativeNameOf(code) ?? code]
  return names.flatMap((name) => wordsOf(searchKey(name)))
}

/** @param key the folded search. Each of its words must be found; one of five letters or more also with one typing error. */
export function searchFor(key: string): (server: AnnouncedRow) => boolean {
  const finders = key.split(' ').map(finderOf)
  return (server) => finders.every((finds) => finds(server))
}

function finderOf(word: string): (server: AnnouncedRow) => boolean {
  const inDescription = SHORT_LATIN.test(word) ? ` ${word}` : word
  const isTypo = /^\p{L}+$/u.test(word) && word.length >= TYPO_LENGTH ? (other: string) => hasOneTypo(word, other) : () => false
  const namesLanguage = (code: string) => languages.memo(code).some((own) => own === word || isTypo(own))
  return (server) => {
    const { text, words, description } = foldListing(server.fields)
    const gameMode = foldValue(gameModeOf(server))
    if (text.includes(word) || gameMode.text.includes(word) || description.includes(inDescription)) return true
    return namesLanguage(server.fields.language) || words.some(isTypo) || gameMode.words.some(isTypo)
  }
}

/** Whether one letter is missing, extra or wrong, or two are swapped. */
function hasOneTypo(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start += 1
  let [endA, endB] = [a.length, b.length]
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) [endA, endB] = [endA - 1, endB - 1]
  const [restA, restB] = [a.slice(start, endA), b.slice(start, endB)]
  return (restA.length <= 1 && restB.length <= 1) || (restA.length === 2 && restA === `${restB[1]}${restB[0]}`)
}
