/** What the preview image does with names that break layouts, fonts or markup. */
import { expect, test } from 'vitest'
import { NASTY_NAMES } from '#tests/nasty-names.ts'
import { brightnessOutsideFrame } from '#tests/og-frame.ts'
import { drawOgImage } from './draw-og-image.ts'
import { breakLines, drawLine, setText, widthOf } from './og-text.ts'

const STYLE = { size: 50, weight: 700, colour: '#fff' }
const linesOf = async (name: string, maxLines = 2) => breakLines(await setText(name, STYLE), 1000, maxLines)

test('a name stays inside the frame', async () => {
  for (const index of [5, 10, 17, 23, 28]) expect(await brightnessOutsideFrame(NASTY_NAMES[index] ?? '')).toBeLessThan(40)
})

test('a long name breaks at spaces, then inside words, and ends with an ellipsis', async () => {
  expect(await linesOf('Nordic Roleplay')).toEqual(['Nordic Roleplay'])
  expect(await linesOf('The extremely long name of a server for many words')).toEqual([
    'The extremely long name of a server for',
    'many words',
  ])
  const wide = await linesOf('W'.repeat(64))
  expect(wide.map((line) => /^W+…?$/.test(line))).toEqual([true, true])
  expect(wide[1]).toMatch(/…$/)
  const text = await setText(wide[1] ?? '', STYLE)
  expect(widthOf(text)).toBeLessThanOrEqual(1000)
})

test('characters without a font are left out or replaced by plain ones, and none becomes a box', async () => {
  expect((await setText('𝕳𝖊𝖑𝖑𝖔 தமிழ் 🇩🇪', STYLE)).text).toBe('Hello 🇩🇪')
  expect((await setText('\u202Eevil\u200B\u0000', STYLE)).text).toBe('evil')
  expect((await setText('\uD800', STYLE)).text).toBe('')
})

test.each(['ქართული სერვერი', 'Հայաստան', 'বাংলা সার্ভার', 'ኢትዮጵያ'])('%s is drawn', async (name) => {
  const text = await setText(name, STYLE)
  expect(text.text).toBe(name)
  expect(drawLine(text, 0, 0).match(/ d="M/g)?.length).toBeGreaterThan(4)
})

test('a keycap is drawn as its digit', async () => {
  expect((await setText('1️⃣ Best #️⃣1', STYLE)).text).toBe('1 Best #1')
})

test.each([
  ['Roleplay · தமிழ்', 'Roleplay'],
  ['தமிழ் | Roleplay | తెలుగు', 'Roleplay'],
  ['Roleplay (தமிழ்) [తెలుగు] 24/7', 'Roleplay 24/7'],
  ['Foo - தமிழ் - Bar', 'Foo - Bar'],
  ['· Roleplay ·', '· Roleplay ·'],
])('%s leaves no separator and no bracket around what is left out', async (name, drawn) => {
  expect((await setText(name, STYLE)).text).toBe(drawn)
})

test('the footer names only facts that can be drawn', async () => {
  const footer = (facts: readonly string[]) =>
    drawOgImage({ name: 'Oak', id: 'AbCd123', players: undefined, facts, icon: undefined, banner: undefined })
  expect(await footer(['German', 'தமிழ்'])).toEqual(await footer(['German']))
})

test('the SVG has no text of the server, only paths', async () => {
  expect(drawLine(await setText('<script>', STYLE), 0, 0)).not.toMatch(/script|<text/)
})
