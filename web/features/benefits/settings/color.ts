/** The launcher's colour, and a readable text colour for it. */

export const DEFAULT_COLOR = '#3fa2e9'

export function isColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text)
}

/** Relative luminance as WCAG defines it, 0 to 1. */
function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((start) => Number.parseInt(color.slice(start, start + 2), 16) / 255)
    .map((part) => (part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** The contrast ratio of two colours, 1 to 21 (WCAG). */
export function contrast(first: string, second: string): number {
  const [light = 0, dark = 0] = [luminance(first), luminance(second)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

/** The more readable text colour: at least 4.5 : 1 on every background. */
export function textColorOn(color: string): string {
  return contrast('#ffffff', color) >= contrast('#000000', color) ? '#ffffff' : '#000000'
}
