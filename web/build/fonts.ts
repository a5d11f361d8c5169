/** Reduces the text font, which every first page loads, to what the panel uses. The full font is more than twice as large. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ranges from '@fontsource-variable/inter/unicode.json' with { type: 'json' }
import subsetFont from 'subset-font'
import type { Plugin } from 'vite'

const OUT = join(import.meta.dirname, '../../.cache/fonts')

/** The weights between `font-normal` and `font-semibold`. */
const WEIGHTS = { min: 400, max: 600 }
/** Kerning, figures of equal width, and accents that are characters of their own. */
const FEATURES = ['kern', 'tnum', 'ccmp', 'mark']

/** Writes the files that `ui/fonts.css` names, once for each process. */
export function reducedFonts(): Plugin {
  return { name: 'muster:reduced-fonts', config: () => (written ??= write()) }
}

let written: Promise<void> | undefined

async function write(): Promise<void> {
  await mkdir(OUT, { recursive: true })
  for (const name of ['latin', 'latin-ext', 'cyrillic'] as const) {
    const path = fileURLToPath(import.meta.resolve(`@fontsource-variable/inter/files/inter-${name}-wght-normal.woff2`))
    const font = await subsetFont(await readFile(path), charactersOf(ranges[name]), {
      targetFormat: 'woff2',
      keepFeatures: FEATURES,
      variationAxes: { wght: WEIGHTS },
    })
    await writeFile(join(OUT, `inter-${name}.woff2`), font)
  }
}

/** @param text ranges of CSS: `U+0131,U+0152-0153` */
function charactersOf(text: string): string {
  return text
    .split(',')
    .flatMap((range) => {
      const [first = 0, last = first] = range
        .replace('U+', '')
        .split('-')
        .map((code) => Number.parseInt(code, 16))
      return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index))
    })
    .join('')
}
