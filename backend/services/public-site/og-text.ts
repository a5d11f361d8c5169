/** The text of preview images: which characters are drawn, and their fonts. Pango sets it, in the drawing process. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'

/** See web/build.ts. */
const FONTS = join(import.meta.dirname, '../../../dist/fonts')
// oxlint-disable-next-line no-restricted-properties -- the image library reads it with the first text
process.env.FONTCONFIG_FILE = join(FONTS, 'fonts.conf')

/** Other scripts follow by their characters. */
export const FAMILIES = 'Inter, Noto Sans'

/** Joiners have no glyph. */
const DRAWABLE = new RegExp(`^[${readFileSync(join(FONTS, 'characters.txt'), 'utf8')}\\p{Join_Control}]+$`, 'u')
/** Invisible, or without effect in a font without colours: controls, bidi overrides, variation selectors, keycaps and skin tones. */
const INVISIBLE = /(?!\p{Join_Control})[\p{C}\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}\u20E3\u2800]/gu
/** In place of a character that is left out. No text has it, because controls are not drawn. */
const GAP = '\0'

/** Leaves out the characters that no font has, with the separators and brackets around them. */
export function drawableText(text: string): string {
  const characters = Array.from(text.normalize('NFC').replaceAll(/\s+/g, ' ').replaceAll(INVISIBLE, ''), drawableCharacter)
  return withoutGaps(characters.join(''))
}

function drawableCharacter(character: string): string {
  // The second is for such as the letters of the mathematical alphabets.
  return [character, character.normalize('NFKC')].find((form) => DRAWABLE.test(form)) ?? GAP
}

function withoutGaps(text: string): string {
  return (
    text
      .replaceAll(/[([{<]\s*\0[\s\0]*[)\]}>]/g, GAP)
      // A separator between spaces, before a gap or after one at the start.
      .replaceAll(/\s+[\p{P}\p{Sm}]{1,3}\s+\0[\s\0]*(?=\s|$)/gu, '')
      .replace(/^[\s\0]*\0\s+[\p{P}\p{Sm}]{1,3}\s/u, '')
      .replaceAll(GAP, '')
      .replaceAll(/ +/g, ' ')
      // A mark without a letter would be drawn before the line.
      .replace(/^[\s\p{M}\p{Join_Control}]+/u, '')
      .trim()
  )
}

export function escapeXml(text: string): string {
  return text.replaceAll(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** The same for all scripts. */
const LINE_HEIGHT = 1.22
/** For a pixel. */
const PANGO_UNITS = 1024

export interface Style {
  /** In pixels. */
  readonly size: number
  readonly weight: 'Medium' | 'Bold'
  readonly colour: string
}

/** Draws a text in lines of at most this width, as a PNG of the size of its ink. */
export async function drawLines(text: string, { size, weight, colour }: Style, width = 100_000) {
  const lineHeight = Math.round(size * LINE_HEIGHT * PANGO_UNITS)
  const markup = `<span foreground="${colour}" line_height="${lineHeight}" insert_hyphens="no">${escapeXml(text)}</span>`
  const font = `${FAMILIES}, ${weight} ${size}px`
  const lines = sharp({ text: { text: markup, font, width, wrap: 'word-char', rgba: true } })
  const { data, info } = await lines.png().toBuffer({ resolveWithObject: true })
  return { png: data, width: info.width, height: info.height }
}
