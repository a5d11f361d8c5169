/** Contrast of the design tokens. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')

type Rgb = [number, number, number]

const themes = { light: read(0), dark: read(1) }

/** A value of one colour is for both themes. */
function read(theme: 0 | 1): Record<string, string> {
  const tokens = css.matchAll(/--([\w-]+): (?:light-dark\()?(#[0-9a-f]{6})(?:, (#[0-9a-f]{6})\))?;/g)
  return Object.fromEntries(Array.from(tokens, ([, name, light, dark = light]) => [name, theme === 0 ? light : dark]))
}

function rgb(hex: string): Rgb {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as Rgb
}

function luminance(color: Rgb): number {
  const [r, g, b] = color.map((part) => (part / 255 <= 0.040_45 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4)) as Rgb
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a: Rgb, b: Rgb): number {
  const [light, dark] = [luminance(a), luminance(b)].toSorted((x, y) => y - x) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** Mixes colours like color-mix with a tint of 12 %. */
function tint(color: Rgb, over: Rgb, part = 0.12): Rgb {
  return color.map((value, index) => value * part + (over[index] ?? 0) * (1 - part)) as Rgb
}

const SURFACES = ['field', 'surface-0', 'surface-1', 'surface-2', 'surface-3']
const TEXTS = ['text-1', 'text-2', 'text-3', 'accent', 'ok', 'warn', 'danger', 'info']
const TIERS = ['bronze', 'silver', 'gold', 'platinum', 'ruby', 'diamond'].map((tier) => `tier-${tier}`)
const HUES = ['red', 'amber', 'blue', 'violet', 'pink', 'orange', 'green', 'teal', 'indigo', 'slate'].map((hue) => `hue-${hue}`)
const ON_TINTS = ['text-1', 'text-2']

describe.each(Object.entries(themes))('%s', (_, tokens) => {
  const color = (name: string) => rgb(tokens[name] ?? '')

  test.each([...TEXTS, ...TIERS, ...HUES].flatMap((text) => SURFACES.map((surface) => [text, surface] as const)))(
    '%s on %s',
    (text, surface) => {
      expect(contrast(color(text), color(surface))).toBeGreaterThanOrEqual(4.5)
    },
  )

  test.each(['ok', 'warn', 'danger', 'info'])('%s and texts on its tint', (name) => {
    const surface = tint(color(name), color('surface-1'))
    for (const text of [name, ...ON_TINTS]) expect(contrast(color(text), surface)).toBeGreaterThanOrEqual(4.5)
  })

  test.each([...TIERS, ...HUES])('%s on its own tint, on a card and on a raised surface', (name) => {
    for (const surface of ['surface-1', 'surface-2']) {
      expect(contrast(color(name), tint(color(name), color(surface)))).toBeGreaterThanOrEqual(4.5)
    }
  })

  test.each([
    ['accent-text', 'accent'],
    ['accent-text', 'accent-hover'],
    ['danger-text', 'danger-fill'],
    ['danger-text', 'danger-fill-hover'],
  ])('%s on %s', (text, fill) => {
    expect(contrast(color(text), color(fill))).toBeGreaterThanOrEqual(4.5)
  })

  test('the border of a control has enough contrast', () => {
    expect(contrast(color('line-strong'), color('surface-0'))).toBeGreaterThanOrEqual(3)
    expect(contrast(color('line-strong'), color('surface-1'))).toBeGreaterThanOrEqual(3)
  })
})
