/** Which commands of the palette match the typed text, best first. */
import { searchKey } from '#contract/text/search-key.ts'

/** Shorter inputs are inside almost every text, except in scripts without spaces. */
const MIN_INSIDE = 3
const LATIN = /^[\p{Script=Latin}\p{N}]+$/u

const wordsOf = (text: string) => text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')

/** Whether the input is made of the beginnings of words, in their order: `fredit` for “Frontier RP: edit listing”. */
function isMadeOfBeginnings(input: string, words: readonly string[]): boolean {
  if (input === '') return true
  return words.some((word, index) => {
    let length = 0
    while (length < word.length && word[length] === input[length]) length += 1
    for (; length > 0; length -= 1) if (isMadeOfBeginnings(input.slice(length), words.slice(index + 1))) return true
    return false
  })
}

/** Lower is better; undefined does not match. */
function rankOf(text: string, input: string): number | undefined {
  const words = wordsOf(text)
  const isInside = (part: string) => (part.length >= MIN_INSIDE || !LATIN.test(part)) && text.includes(part)
  if (text.startsWith(input)) return 0
  if (text.includes(` ${input}`)) return 1
  if (isInside(input)) return 2
  if (input.split(' ').every((part) => words.some((word) => word.startsWith(part)) || isInside(part))) return 3
  return isMadeOfBeginnings(input.replaceAll(' ', ''), words) ? 4 : undefined
}

interface Findable {
  readonly text: string
  readonly words?: string
}

/** Contiguous matches come before beginnings of words. Letters scattered over a text don't match. Equal matches keep their order. */
export function rankCommands<C extends Findable>(commands: readonly C[], typed: string): C[] {
  const input = searchKey(typed)
  return commands
    .map((command) => ({ command, rank: rankOf(searchKey(command.text), input) ?? rankOf(searchKey(command.words ?? ''), input) }))
    .filter(({ rank }) => rank !== undefined)
    .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .map(({ command }) => command)
}
