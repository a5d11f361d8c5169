/** An accent colour of the operator can be read wherever the panel uses it, or is rejected with one that can. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SURFACES, accentColours, accentStyles, betterAccent, contrast } from './accent.ts'

const tokens = readFileSync(join(import.meta.dirname, '../../../web/ui/tokens.css'), 'utf8')
const STEPS = ['00', '1c', '40', '73', '8d', 'b0', 'd8', 'ff']
const COLOURS = STEPS.flatMap((r) => STEPS.flatMap((g) => STEPS.map((b) => `#${r}${g}${b}`)))
const ACCEPTED = COLOURS.filter((colour) => betterAccent(colour) === undefined)

test('the surfaces are those of the panel', () => {
  const surfaces = tokens.matchAll(/--(?:surface-\d|field): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)
  const pairs = Array.from(surfaces, ([, light = '', dark = '']) => ({ light, dark }))
  expect(new Set(SURFACES.light)).toEqual(new Set(pairs.map(({ light }) => light)))
  expect(new Set(SURFACES.dark)).toEqual(new Set(pairs.map(({ dark }) => dark)))
})

describe.each(['light', 'dark'] as const)('%s', (theme) => {
  test('links, and texts on buttons, have a contrast of 4.5:1 with every accepted colour', () => {
    expect(ACCEPTED.length).toBeGreaterThan(COLOURS.length / 2)
    for (const colour of ACCEPTED) {
      const { accent, hover, text } = accentColours(colour, theme)
      for (const surface of SURFACES[theme]) expect(contrast(accent, surface), colour).toBeGreaterThanOrEqual(4.5)
      for (const fill of [accent, hover]) expect(contrast(text, fill), colour).toBeGreaterThanOrEqual(4.5)
      expect(hover, colour).toMatch(/^#[0-9a-f]{6}$/)
    }
  })
})

test('an accepted colour is used as it is in one of the themes', () => {
  for (const colour of ACCEPTED)
    expect([accentColours(colour, 'light').accent, accentColours(colour, 'dark').accent], colour).toContain(colour)
})

test('the colour that replaces a rejected one is accepted, and near', () => {
  const rejected = COLOURS.filter((colour) => !ACCEPTED.includes(colour))
  expect(rejected.length).toBeGreaterThan(20)
  for (const colour of rejected) {
    const better = betterAccent(colour) ?? ''
    expect(betterAccent(better), colour).toBeUndefined()
    expect(contrast(colour, better), colour).toBeLessThan(1.4)
  }
})

test('the contrast is that of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

test('the styles replace the three tokens in both themes', () => {
  const names = Array.from(accentStyles('#1f5fd6').matchAll(/(--[\w-]+):light-dark\(#[0-9a-f]{6},#[0-9a-f]{6}\)/g), ([, name]) => name)
  expect(names).toEqual(['--accent', '--accent-hover', '--accent-text'])
  for (const name of names) expect(tokens).toContain(`${name}: light-dark(`)
})
