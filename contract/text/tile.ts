/** The tile of a server without an icon, or of a person without an avatar: initials on a colour of its own. */

/** The text on every colour, which meets WCAG AA (tile.test.ts). The same in both themes. */
export const TILE_TEXT_COLOUR = '#ffffff'

/** In the order of a colour wheel. */
export const TILE_COLOURS = [
  '#b13d54',
  '#b14420',
  '#9d5900',
  '#886600',
  '#1f812d',
  '#047f62',
  '#037a84',
  '#0573aa',
  '#4066c2',
  '#6d58bb',
  '#8c4ca6',
  '#a5417f',
] as const

/** The same for an ID everywhere and at every time. */
export function tileColour(id: string): string {
  const hash = Array.from(id).reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) >>> 0, 0)
  return TILE_COLOURS[hash % TILE_COLOURS.length] ?? TILE_COLOURS[0]
}

/** Of the first words, by default two. Of a name without letters and digits, its first character. */
export function initialsOf(name: string, count = 2): string {
  const words = name.normalize('NFC').match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? [name.trim() || '#']
  return words.slice(0, count).map(firstCharacter).join('').toUpperCase()
}

const firstCharacter = (text: string) => Array.from(text)[0] ?? ''
