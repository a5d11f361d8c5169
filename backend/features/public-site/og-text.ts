/** Sets text in lines, and draws it as SVG paths. Runs in the drawing process. */
import createBidi from 'bidi-js'
import { Buffer as ShapingBuffer, Direction, type Font, shape } from 'harfbuzzjs'
import { type Glyph, glyphsOf } from './og-fonts.ts'

/** The library's types describe another module format than the one that Node loads. */
const bidi = (createBidi as unknown as typeof createBidi.default)()
const segmenter = new Intl.Segmenter()
const ELLIPSIS = '…'

export interface Style {
  readonly size: number
  /** 400 to 700. */
  readonly weight: number
  readonly colour: string
}

/** A text whose characters all have fonts. */
export interface SetText {
  readonly text: string
  readonly fonts: ReadonlyMap<string, Font>
  readonly isRightToLeft: boolean
  readonly style: Style
}

/** Leaves out the characters that no font has, with the separators and brackets around them. */
export async function setText(text: string, style: Style): Promise<SetText> {
  const glyphs = await glyphsOf(text + ELLIPSIS, style.weight)
  const drawn = glyphs.slice(0, -1).map(({ character, font }: Glyph) => (font === undefined ? GAP : character))
  const plain = withoutGaps(drawn.join(''))
  const { paragraphs } = bidi.getEmbeddingLevels(plain)
  return {
    text: plain,
    fonts: new Map(glyphs.flatMap(({ character, font }) => (font === undefined ? [] : [[character, font]]))),
    isRightToLeft: (paragraphs[0]?.level ?? 0) === 1,
    style,
  }
}

/** In place of a character that is left out. No text has it, because controls are not drawn. */
const GAP = '\0'

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
      .replace(/^[\s\p{M}]+/u, '')
      .trim()
  )
}

/** Breaks a text at spaces, and in words that are wider than a line. The last line ends with an ellipsis if the text is longer. */
export function breakLines(text: SetText, width: number, maxLines: number): string[] {
  const fits = (line: string) => widthOf({ ...text, text: line }) <= width
  const lines: string[] = []
  let line = ''
  for (const word of text.text.split(' ')) {
    if (fits(line === '' ? word : `${line} ${word}`)) {
      line = line === '' ? word : `${line} ${word}`
      continue
    }
    if (line !== '') lines.push(line)
    line = ''
    for (const character of graphemesOf(word)) {
      if (line !== '' && !fits(line + character)) {
        lines.push(line)
        line = ''
      }
      line += character
    }
  }
  lines.push(line)
  if (lines.length <= maxLines) return lines
  const last = graphemesOf(lines[maxLines - 1] ?? '')
  while (last.length > 0 && !fits(last.join('').trimEnd() + ELLIPSIS)) last.pop()
  return [...lines.slice(0, maxLines - 1), last.join('').trimEnd() + ELLIPSIS]
}

export function graphemesOf(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

export function widthOf(text: SetText): number {
  return visualRunsOf(text).reduce((sum, run) => sum + shapeRun(run, text.style.size).reduce((width, { advance }) => width + advance, 0), 0)
}

/** One line as SVG, with its left end at x and its baseline at y. */
export function drawLine(text: SetText, x: number, y: number): string {
  let paths = ''
  let width = 0
  for (const run of visualRunsOf(text)) {
    const scale = text.style.size / run.font.face.upem
    for (const { id, advance, right, up } of shapeRun(run, text.style.size)) {
      const position = `translate(${(width + right).toFixed(1)} ${(-up).toFixed(1)}) scale(${scale} ${-scale})`
      paths += `<path transform="${position}" d="${run.font.glyphToPath(id)}"/>`
      width += advance
    }
  }
  return `<g fill="${text.style.colour}" transform="translate(${x} ${y})">${paths}</g>`
}

/** Lengths are in pixels. */
interface PlacedGlyph {
  readonly id: number
  readonly advance: number
  readonly right: number
  readonly up: number
}

function shapeRun({ font, level, characters }: VisualRun, size: number): PlacedGlyph[] {
  const buffer = new ShapingBuffer()
  buffer.addText(characters)
  buffer.guessSegmentProperties()
  buffer.setDirection(level % 2 === 1 ? Direction.RTL : Direction.LTR)
  shape(font, buffer)
  const scale = size / font.face.upem
  return buffer.getGlyphInfosAndPositions().map(({ codepoint, xAdvance = 0, xOffset = 0, yOffset = 0 }) => ({
    id: codepoint,
    advance: xAdvance * scale,
    right: xOffset * scale,
    up: yOffset * scale,
  }))
}

interface VisualRun {
  readonly font: Font
  readonly level: number
  characters: string
}

/** The parts of a line with one font and one direction each, from left to right (UAX #9, L2). */
function visualRunsOf({ text, fonts, isRightToLeft }: SetText): VisualRun[] {
  const { levels } = bidi.getEmbeddingLevels(text, isRightToLeft ? 'rtl' : 'ltr')
  const runs: VisualRun[] = []
  let index = 0
  for (const character of text) {
    const [font, level, previous] = [fonts.get(character), levels[index] ?? 0, runs.at(-1)]
    index += character.length
    if (font === undefined) continue
    if (previous?.font === font && previous.level === level) previous.characters += character
    else runs.push({ font, level, characters: character })
  }
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level -= 1) reverseFrom(level, runs)
  return runs
}

/** Reverses each sequence of runs at this level or above. */
function reverseFrom(level: number, runs: VisualRun[]): void {
  for (let start = 0; start < runs.length; start += 1) {
    let end = start
    while ((runs[end]?.level ?? -1) >= level) end += 1
    runs.splice(start, end - start, ...runs.slice(start, end).toReversed())
    start = Math.max(start, end - 1)
  }
}
