/**
 * Compiles the messages, and builds what the backend serves: the panel, the public pages' code, the fonts of preview images and the SDK's
 * package. `--if-needed` skips the build if the sources have not changed.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, extname, join, relative } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { Blob, Face } from 'harfbuzzjs'
import { createBuilder } from 'vite'
import { decompress } from 'wawoff2'
import { compileMessages } from './build/messages.ts'

/** Fontconfig finds the files next to it. */
const CONFIGURATION =
  '<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n<fontconfig><dir prefix="relative">.</dir></fontconfig>\n'

/** Unpacks the fonts of preview images into dist/fonts, because the image library reads no WOFF2. Also writes which characters they have. */
async function writePreviewFonts(out: string): Promise<void> {
  await rm(out, { recursive: true, force: true })
  await mkdir(out, { recursive: true })
  const characters = new Set<number>()
  const packageFile = await readFile(join(ROOT, 'package.json'), 'utf8')
  const { devDependencies } = JSON.parse(packageFile) as { devDependencies: Readonly<Record<string, string>> }
  // Not that of code, which no preview shows.
  for (const family of Object.keys(devDependencies).filter((name) => /^@fontsource-variable\/(?:inter|noto-)/.test(name))) {
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

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const OUT = join(ROOT, 'dist/web')
const STAMP = join(OUT, '.stamp')
/** The fonts of preview images. */
const FONTS_OUT = join(ROOT, 'dist/fonts')
const OUTPUTS = [STAMP, FONTS_OUT, join(ROOT, 'dist/render/render.js')]
const SOURCES = [
  'web',
  'messages',
  'contract',
  'examples',
  'sdk/src',
  'sdk/build.ts',
  'sdk/package.json',
  'sdk/README.md',
  'vite.config.ts',
  'package.json',
  'package-lock.json',
]
const COMPRESSIBLE = new Set(['.js', '.css', '.svg', '.html', '.json', '.webmanifest'])
/** Tests, and files that the message compiler writes next to its settings. */
const IGNORED = /\.test\.tsx?$|\.inlang[\\/](?!settings\.json$)/
const MIN_BYTES_TO_COMPRESS = 512

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(`The build needs Node 24 (this is ${process.version}). Use: npm run build`)
  process.exit(1)
}

async function hashSources(): Promise<string> {
  const hash = createHash('sha256').update(process.versions.node)
  for (const source of SOURCES) {
    const path = join(ROOT, source)
    const files = extname(source) === '' ? await filesUnder(path) : [path]
    for (const file of files.toSorted()) {
      if (IGNORED.test(file)) continue
      hash.update(`\0${relative(ROOT, file)}\0`).update(await readFile(file))
    }
  }
  return hash.digest('hex')
}

async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** Compresses a file at the highest level next to it, as the backend serves it. */
async function compress(path: string): Promise<void> {
  const content = await readFile(path)
  if (!COMPRESSIBLE.has(extname(path)) || content.length < MIN_BYTES_TO_COMPRESS) return
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }
  await writeFile(`${path}.br`, await promisify(brotliCompress)(content, brotli))
  await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }))
}

/** Packs the SDK as npm would publish it. */
async function packSdk(): Promise<void> {
  await promisify(execFile)(process.execPath, [join(ROOT, 'sdk/build.ts')])
  const args = ['pack', '--workspace=sdk', '--ignore-scripts', '--silent', '--pack-destination=dist/web']
  // On Windows, npm is a script.
  const { stdout } = await promisify(execFile)('npm', args, { cwd: ROOT, shell: process.platform === 'win32' })
  await rename(join(OUT, stdout.trim()), join(OUT, 'announce.tgz'))
}

const startedAt = performance.now()
await compileMessages()
const stamp = await hashSources()
const upToDate =
  process.argv.includes('--if-needed') && OUTPUTS.every((path) => existsSync(path)) && (await readFile(STAMP, 'utf8')) === stamp
if (!upToDate) {
  console.log('Building the panel, which can take a minute.')
  await rm(STAMP, { force: true })
  const builder = await createBuilder({ configFile: join(ROOT, 'vite.config.ts'), logLevel: 'error' })
  await builder.buildApp()
  await Promise.all([packSdk(), writePreviewFonts(FONTS_OUT), ...(await filesUnder(OUT)).map(compress)])
  await writeFile(STAMP, stamp)
  console.log(`web built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}
