/** What the preview image does with names that break layouts, fonts or markup. */
import { expect, test } from 'vitest'
import { NASTY_NAMES } from '#tests/nasty-names.ts'
import { brightnessOutsideFrame } from '#tests/og-frame.ts'
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
  expect((await setText('𝕳𝖊𝖑𝖑𝖔 ქართული 🇩🇪', STYLE)).text).toBe('Hello 🇩🇪')
  expect((await setText('\u202Eevil\u200B\u0000', STYLE)).text).toBe('evil')
  expect((await setText('\uD800', STYLE)).text).toBe('')
})

test('the SVG has no text of the server, only paths', async () => {
  expect(drawLine(await setText('<script>', STYLE), 0, 0)).not.toMatch(/script|<text/)
})
