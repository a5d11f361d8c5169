/**
 * Compiles the messages that the backend sends. Builds the web app and the SDK's package into dist/web, and the code that renders the
 * app into dist/render.
 * `--if-needed` skips the build if the sources have not changed.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, extname, join, relative } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import { build, type Plugin } from 'vite'
import { type Language, PANEL_LANGUAGES } from '#contract/text/panel-languages.ts'
import { buildIcons } from './build/icons.ts'
import { inlineMessages } from './build/inline-messages.ts'
import { compileMessages } from './build/messages.ts'
import { reducedFonts } from './build/fonts.ts'
import { writePreviewFonts } from './build/preview-fonts.ts'
import { fontPreload, inlineScript, inlineScripts, pageTexts } from './build/plugins.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const OUT = join(ROOT, 'dist/web')
const STAMP = join(OUT, '.stamp')
/** The code that renders pages outside of a browser. */
const RENDER_OUT = join(ROOT, 'dist/render')
/** The fonts of preview images. */
const FONTS_OUT = join(ROOT, 'dist/fonts')
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
  'package-lock.json',
]
const COMPRESSIBLE = new Set(['.js', '.css', '.svg', '.html', '.json'])
/** Tests, and files that the message compiler writes next to its settings. */
const IGNORED = /\.test\.tsx?$|\.inlang[\\/](?!settings\.json$)/
const LOAD_SCRIPTS = inlineScript(join(ROOT, 'web/shell/load-scripts.js'))
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

/** Builds both pages in one language. Files without text are the same in every language. Returns the path and content of each file. */
async function buildLanguage(language: Language): Promise<[path: string, content: Buffer][]> {
  const messages = inlineMessages(language)
  await buildRenderers(language, messages)
  const built = await build({
    configFile: join(ROOT, 'vite.config.ts'),
    logLevel: 'error',
    plugins: [pageTexts(language), messages],
    build: { write: false },
  })
  const files = filesOf(built)
  return await Promise.all(
    files.map(async (file) => {
      const path = join(OUT, file.fileName.endsWith('.html') ? language : '', file.fileName)
      const content = file.type === 'chunk' ? file.code : file.source
      const page = file.fileName === 'login.html' ? await prerenderLogin(content.toString(), language) : content
      return [path, Buffer.from(file.fileName.endsWith('.html') ? deferScripts(page.toString()) : page)]
    }),
  )
}

/** Builds the frame of the public pages, their styles and their script, which shares nothing with the panel. They have no text. */
async function buildPublicSite(): Promise<[path: string, content: Buffer][]> {
  const built = await build({
    root: join(ROOT, 'web'),
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [inlineScripts(join(ROOT, 'web/')), tailwindcss(), reducedFonts(), fontPreload()],
    build: {
      write: false,
      target: 'es2023',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: join(ROOT, 'web/public-site.html'),
        // As in vite.config.ts: browsers download the font once.
        output: { assetFileNames: 'assets/[name]-[hash:7][extname]' },
      },
    },
  })
  return filesOf(built).map((file) => {
    const content = file.type === 'chunk' ? file.code : file.source
    const path = join(OUT, file.fileName)
    if (file.fileName.endsWith('.html')) return [path, Buffer.from(deferScripts(content.toString()))]
    // A font that comes late is for the next page: its letters would move this one.
    if (file.fileName.endsWith('.css'))
      return [path, Buffer.from(content.toString().replaceAll('font-display:swap', 'font-display:optional'))]
    return [path, Buffer.from(content)]
  })
}

function filesOf(built: Awaited<ReturnType<typeof build>>) {
  return [built].flat().flatMap((result) => ('output' in result ? result.output : []))
}

/** Builds the code that renders pages: the login page in this build, the servers page and the public pages in the backend. */
async function buildRenderers(language: Language, messages: Plugin): Promise<void> {
  await build({
    root: join(ROOT, 'web'),
    configFile: false,
    logLevel: 'error',
    plugins: [messages],
    define: { 'process.env.NODE_ENV': '"production"', 'import.meta.env.PAGE_LANGUAGE': JSON.stringify(language) },
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: join(RENDER_OUT, language),
      rolldownOptions: {
        input: {
          login: join(ROOT, 'web/pages/login-prerender.tsx'),
          panel: join(ROOT, 'web/panel-render.tsx'),
          'public-site': join(ROOT, 'web/public-site/render.tsx'),
        },
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash:7].mjs' },
      },
    },
  })
}

/** Prerenders the login page into its HTML, so that it is painted before any script runs. */
async function prerenderLogin(html: string, language: Language): Promise<string> {
  const url = pathToFileURL(join(RENDER_OUT, language, 'login.mjs')).href
  const { renderLoginPage } = (await import(url)) as { renderLoginPage: () => string }
  const prerendered = html.replace(
    '<div id="app"><!-- prerendered --></div>',
    () => `<div id="app" data-prerendered>${renderLoginPage()}</div>`,
  )
  if (prerendered === html) throw new Error('login.html has no placeholder for the prerendered page')
  return prerendered
}

/** Replaces the module script with preloads of what it imports and of itself, in this order, and with shell/load-scripts.js. */
function deferScripts(html: string): string {
  const entry = /<script type="module" crossorigin src="([^"]+)"><\/script>/
  const src = entry.exec(html)?.[1] ?? ''
  const preloads = [...html.matchAll(/<link rel="modulepreload" crossorigin href="([^"]+)">\s*/g)]
  // The login page is complete without them.
  const isRendered = html.includes('data-prerendered')
  const links = [...preloads.map(([, href = '']) => href), src].map(
    (href) => `<link rel="modulepreload"${isRendered ? ' media="not all"' : ''} fetchpriority="low" href="${href}">`,
  )
  const deferred = preloads.reduce((rest, [link]) => rest.replace(link, ''), html)
  return deferred.replace(entry, () => [...links, LOAD_SCRIPTS].join('\n    '))
}

const written = new Map<string, Buffer>()

/** Writes a file, and compresses it at the highest level, as the backend serves assets. Does nothing if it is already written. */
async function writeCompressed(path: string, content: Buffer): Promise<void> {
  const known = written.get(path)
  if (known !== undefined) {
    if (!known.equals(content)) throw new Error(`two different files have the name ${path}`)
    return
  }
  written.set(path, content)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
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

const NAMES = new Intl.DisplayNames('en', { type: 'language' })
const STEPS = ['icons', 'fonts', 'public pages', ...PANEL_LANGUAGES.map((language) => `panel in ${NAMES.of(language)}`), 'compression']

/** One line for each step, because the whole build may take a minute or two. */
function printStep(name: string): void {
  console.log(`  ${STEPS.indexOf(name) + 1} of ${STEPS.length}: ${name}`)
}

const startedAt = performance.now()
await compileMessages()
const stamp = await hashSources()
const upToDate =
  process.argv.includes('--if-needed') &&
  existsSync(STAMP) &&
  [RENDER_OUT, FONTS_OUT].every(existsSync) &&
  (await readFile(STAMP, 'utf8')) === stamp
if (!upToDate) {
  console.log('Building the panel, which can take a minute or two.')
  await rm(OUT, { recursive: true, force: true })
  await rm(RENDER_OUT, { recursive: true, force: true })
  await mkdir(OUT, { recursive: true })
  const writes = [packSdk()]
  printStep('icons')
  for (const [path, content] of await buildIcons(join(ROOT, 'web'))) writes.push(writeCompressed(join(OUT, path), content))
  printStep('fonts')
  await writePreviewFonts(FONTS_OUT)
  printStep('public pages')
  for (const [path, content] of await buildPublicSite()) writes.push(writeCompressed(path, content))
  for (const language of PANEL_LANGUAGES) {
    printStep(`panel in ${NAMES.of(language)}`)
    // Compressed in other threads, while the next language is built.
    for (const [path, content] of await buildLanguage(language)) writes.push(writeCompressed(path, content))
  }
  printStep('compression')
  await Promise.all(writes)
  await writeFile(STAMP, stamp)
  console.log(`web built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}
