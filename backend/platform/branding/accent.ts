/** The colours that follow from the operator's accent colour, in both themes, with a contrast of 4.5:1 wherever the panel uses them (WCAG AA). */

export type Theme = 'light' | 'dark'

export interface AccentColours {
  /** Of links, and behind the text of buttons. */
  readonly accent: string
  readonly hover: string
  /** On both of them. */
  readonly text: string
}

const MIN_CONTRAST = 4.5
/** What accents are on: `web/ui/tokens.css`. A test compares them. */
export const SURFACES: Readonly<Record<Theme, readonly string[]>> = {
  light: ['#ffffff', '#f6f7f9', '#f0f2f5'],
  dark: ['#0b0c0f', '#121418', '#1a1d23', '#20242b'],
}
/** Where a theme's text is: accents get closer to it until they can be read. */
const TOWARDS: Readonly<Record<Theme, string>> = { light: '#000000', dark: '#ffffff' }
const TEXT: Readonly<Record<Theme, string>> = { light: '#ffffff', dark: '#0b0c0f' }
const HOVER_PART = 0.18
const STEPS = 200

type Rgb = readonly [number, number, number]

const rgbOf = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb

function luminance(hex: string): number {
  const [r, g, b] = rgbOf(hex).map((part) => (part / 255 <= 0.040_45 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4))
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0)
}

/** From 1 to 21. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

function mix(colour: string, other: string, part: number): string {
  const target = rgbOf(other)
  return hexOf(rgbOf(colour).map((value, index) => value * (1 - part) + (target[index] ?? 0) * part))
}

const hexOf = (rgb: readonly number[]) => `#${rgb.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`

/** First more of the colour itself, so that it stays vivid, then white. Darker is only less of it. */
function shift(colour: string, theme: Theme, part: number): string {
  const strongest = Math.max(...rgbOf(colour))
  if (theme === 'light' || strongest === 0) return mix(colour, TOWARDS[theme], part)
  const scale = 1 + (255 / strongest - 1) * Math.min(1, part * 2)
  return mix(hexOf(rgbOf(colour).map((value) => value * scale)), TOWARDS[theme], Math.max(0, part * 2 - 1))
}

const isReadable = (colour: string, theme: Theme) => SURFACES[theme].every((surface) => contrast(colour, surface) >= MIN_CONTRAST)

/** The colour itself, or the nearest one towards the theme's text that can be read. */
function readable(colour: string, theme: Theme): string {
  const steps = Array.from({ length: STEPS + 1 }, (_, step) => shift(colour, theme, step / STEPS))
  return steps.find((candidate) => isReadable(candidate, theme)) ?? TOWARDS[theme]
}

export function accentColours(colour: string, theme: Theme): AccentColours {
  const accent = readable(colour, theme)
  return { accent, hover: mix(accent, TOWARDS[theme], HOVER_PART), text: TEXT[theme] }
}

/** The nearest colour that can be read in a theme, if this one can't be in either. */
export function betterAccent(colour: string): string | undefined {
  if (isReadable(colour, 'light') || isReadable(colour, 'dark')) return undefined
  const distance = (other: string) => Math.hypot(...rgbOf(other).map((value, index) => value - (rgbOf(colour)[index] ?? 0)))
  const [light, dark] = [readable(colour, 'light'), readable(colour, 'dark')]
  return distance(light) < distance(dark) ? light : dark
}

/** Replaces the accents of `web/ui/tokens.css`. */
export function accentStyles(colour: string): string {
  const [light, dark] = [accentColours(colour, 'light'), accentColours(colour, 'dark')]
  const both = (name: keyof AccentColours) => `light-dark(${light[name]},${dark[name]})`
  return `:root,[data-theme]{--accent:${both('accent')};--accent-hover:${both('hover')};--accent-text:${both('text')}}\n`
}
