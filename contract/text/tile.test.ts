import { expect, test } from 'vitest'
import { TILE_COLOURS, TILE_TEXT_COLOUR, initialsOf, tileColour } from './tile.ts'

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

test.each(TILE_COLOURS)('text on %s meets WCAG AA', (colour) => {
  expect((luminance(TILE_TEXT_COLOUR) + 0.05) / (luminance(colour) + 0.05)).toBeGreaterThanOrEqual(4.5)
})

test('an ID always has the same colour, and IDs use all colours evenly', () => {
  expect(tileColour('AbCd123')).toBe('#1f812d')
  const counts = new Map<string, number>()
  for (let id = 0; id < 12_000; id += 1) {
    const colour = tileColour(id.toString(36).padStart(7, 'x'))
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  expect(counts.size).toBe(TILE_COLOURS.length)
  expect(Math.min(...counts.values())).toBeGreaterThan(700)
})

test.each([
  ['Nordic Roleplay', 'NR'],
  ['[DE] los santos life', 'DL'],
  ['kai_meyer', 'KM'],
  ['élan', 'É'],
  ['हिन्दी सर्वर', 'हस'],
  ['中文服务器', '中'],
  ['24/7 Drift', '27'],
  ['🔥🚀', '🔥'],
  ['  ', '#'],
  ['', '#'],
])('the initials of "%s" are %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
