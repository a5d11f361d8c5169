/** Which commands of the palette match the typed text, best first. */
import { searchKey } from '#contract/search-key.ts'

/** Whether the text contains the letters of the input in this order. */
function containsLetters(text: string, input: string): boolean {
  let position = 0
  for (const letter of input.replaceAll(' ', '')) {
    position = text.indexOf(letter, position) + 1
    if (position === 0) return false
  }
  return true
}

/** Lower is better; undefined does not match. */
function rankOf(text: string, input: string): number | undefined {
  if (text.startsWith(input)) return 0
  if (text.includes(` ${input}`)) return 1
  if (text.includes(input)) return 2
  if (input.split(' ').every((word) => text.includes(word))) return 3
  return containsLetters(text, input) ? 4 : undefined
}

/** Contiguous matches come before scattered letters. Equal matches keep their order. */
export function rankCommands<C extends { readonly text: string }>(commands: readonly C[], typed: string): C[] {
  const input = searchKey(typed)
  return commands
    .map((command) => ({ command, rank: rankOf(searchKey(command.text), input) }))
    .filter(({ rank }) => rank !== undefined)
    .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .map(({ command }) => command)
}
