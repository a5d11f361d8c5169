/** Unpacks the fonts of preview images into dist/fonts, because the image library reads no WOFF2. Also writes which characters they have. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Blob, Face } from 'harfbuzzjs'
import { decompress } from 'wawoff2'

/** Fontconfig finds the files next to it. */
const CONFIGURATION =
  '<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n<fontconfig><dir prefix="relative">.</dir></fontconfig>\n'

export async function writePreviewFonts(out: string): Promise<void> {
  await rm(out, { recursive: true, force: true })
  await mkdir(out, { recursive: true })
  const characters = new Set<number>()
  const packageFile = await readFile(join(import.meta.dirname, '../../package.json'), 'utf8')
  const { dependencies } = JSON.parse(packageFile) as { dependencies: Readonly<Record<string, string>> }
  // Not that of code, which no preview shows.
  for (const family of Object.keys(dependencies).filter((name) => /^@fontsource-variable\/(?:inter|noto-)/.test(name))) {
    const folder = join(dirname(fileURLToPath(import.meta.resolve(`${family}/package.json`))), 'files')
    for (const file of await readdir(folder)) {
      if (!file.endsWith('-wght-normal.woff2')) continue
      const font = await decompress(await readFile(join(folder, file)))
      for (const character of new Face(new Blob(font)).collectUnicodes()) characters.add(character)
      await writeFile(join(out, file.replace('.woff2', '.ttf')), font)
    }
  }
  await writeFile(join(out, 'characters.txt'), characterClassOf([...characters].toSorted((a, b) => a - b)))
  await writeFile(join(out, 'fonts.conf'), CONFIGURATION)
}

/** As in a regular expression: `\u{20}-\u{7e}\u{a0}`. */
function characterClassOf(characters: readonly number[]): string {
  const escape = (character: number) => `\\u{${character.toString(16)}}`
  const starts = characters.filter((character, index) => characters[index - 1] !== character - 1)
  const ends = characters.filter((character, index) => characters[index + 1] !== character + 1)
  return starts.map((start, index) => `${escape(start)}-${escape(ends[index] ?? start)}`).join('')
}
