/** The fonts that this program ships, one file per range of characters. Runs in the drawing process. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Blob, Face, Font, Variation } from 'harfbuzzjs'
import { LRUCache } from 'lru-cache'
import { decompress } from 'wawoff2'

/** Packages, in order of preference. */
const FAMILIES = [
  'inter',
  'noto-sans',
  'noto-sans-sc',
  'noto-sans-jp',
  'noto-sans-kr',
  'noto-sans-arabic',
  'noto-sans-hebrew',
  'noto-sans-thai',
  'noto-sans-devanagari',
  'noto-sans-bengali',
  'noto-sans-georgian',
  'noto-sans-armenian',
  'noto-sans-ethiopic',
  'noto-emoji',
]
/** Japanese draws many Chinese characters in its own way. */
const JAPANESE_FIRST = ['inter', 'noto-sans', 'noto-sans-jp', ...FAMILIES]
const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
/** Invisible, or without effect in a font without colours: controls, joiners, bidi overrides, variation selectors, keycaps and skin tones. */
const UNDRAWN = /[\p{C}\p{Variation_Selector}\p{Emoji_Modifier}\u20E3]/gu
/** A Latin file takes 0.5 MB of memory, most others less. */
const MAX_OPEN_FILES = 24

interface FontFile {
  readonly path: string
  /** The file lacks some of these characters. */
  readonly ranges: readonly (readonly [first: number, last: number])[]
}

const families = new Map(await Promise.all(FAMILIES.map(async (family) => [family, await filesOf(family)] as const)))
const faces = new LRUCache<string, Face>({ max: MAX_OPEN_FILES })

/** A character with the font that has it, or undefined if none has it. */
export interface Glyph {
  readonly character: string
  readonly font: Font | undefined
}

/** Finds a font for each visible character. @param weight 400 to 700. */
export async function glyphsOf(text: string, weight: number): Promise<Glyph[]> {
  const order = JAPANESE.test(text) ? JAPANESE_FIRST : FAMILIES
  const files = order.flatMap((family) => families.get(family) ?? [])
  const fonts = new Map<string, Font>()
  const glyphs: Glyph[] = []
  for (const character of text.normalize('NFC').replaceAll(/\s+/g, ' ').replaceAll(UNDRAWN, '')) {
    let isDrawn = false
    // Such as the letters of the mathematical alphabets.
    for (const drawn of new Set([character, character.normalize('NFKC')])) {
      const found = await Promise.all(Array.from(drawn, (each) => findGlyph(each, files, fonts, weight)))
      const existing = found.filter((glyph) => glyph !== undefined)
      glyphs.push(...existing)
      isDrawn = existing.length > 0
      if (isDrawn) break
    }
    if (!isDrawn) glyphs.push({ character, font: undefined })
  }
  return glyphs
}

async function findGlyph(
  character: string,
  files: readonly FontFile[],
  fonts: Map<string, Font>,
  weight: number,
): Promise<Glyph | undefined> {
  const code = character.codePointAt(0) ?? 0
  for (const { path, ranges } of files) {
    if (!ranges.some(([first, last]) => code >= first && code <= last)) continue
    const font = fonts.get(path) ?? createFont(await faceOf(path), weight)
    fonts.set(path, font)
    if (font.nominalGlyph(code) !== undefined) return { character, font }
  }
  return undefined
}

function createFont(face: Face, weight: number): Font {
  const font = new Font(face)
  font.setVariations([new Variation('wght', weight)])
  return font
}

async function faceOf(path: string): Promise<Face> {
  const face = faces.get(path) ?? new Face(new Blob(await decompress(await readFile(path))))
  faces.set(path, face)
  return face
}

async function filesOf(family: string): Promise<FontFile[]> {
  const pathOf = (file: string) => fileURLToPath(import.meta.resolve(`@fontsource-variable/${family}/${file}`))
  const ranges = JSON.parse(await readFile(pathOf('unicode.json'), 'utf8')) as Record<string, string>
  return Object.entries(ranges).map(([name, text]) => ({
    path: pathOf(`files/${family}-${name.replaceAll(/[[\]]/g, '')}-wght-normal.woff2`),
    ranges: text.split(',').map(rangeOf),
  }))
}

/** @param text a range of CSS: `U+0131` or `U+0152-0153`. */
function rangeOf(text: string): readonly [number, number] {
  const [first = 0, last = first] = text
    .replace('U+', '')
    .split('-')
    .map((code) => Number.parseInt(code, 16))
  return [first, last]
}
