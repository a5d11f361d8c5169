/**
 * Compiles the messages that the backend sends, and builds the web app into dist/web. `--if-needed` skips the build if the sources have not
 * changed.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'
import { API, compileMessages } from './build/messages.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const OUT = join(ROOT, 'dist/web')
const STAMP = join(OUT, '.stamp')
const PRERENDER_OUT = join(ROOT, '.cache/prerender')
const SOURCES = ['web', 'messages', 'contract', 'vite.config.ts', 'package-lock.json']
const COMPRESSIBLE = new Set(['.js', '.css', '.svg', '.html', '.json'])
/** Tests, and files that the message compiler writes next to its settings. */
const IGNORED = /\.test\.tsx?$|\.inlang[\\/](?!settings\.json$)/
const MIN_BYTES_TO_COMPRESS = 1024

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

/** Prerenders the login page into its HTML, so that it is painted before any script runs. */
async function prerenderLogin(): Promise<void> {
  await build({
    root: join(ROOT, 'web'),
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: join(ROOT, 'web/pages/login-prerender.tsx'),
      outDir: PRERENDER_OUT,
      emptyOutDir: true,
      rolldownOptions: { output: { entryFileNames: 'login.mjs' } },
    },
  })
  const { renderLoginPage } = (await import(pathToFileURL(join(PRERENDER_OUT, 'login.mjs')).href)) as { renderLoginPage: () => string }
  const page = join(OUT, 'login.html')
  const html = await readFile(page, 'utf8')
  const prerendered = html.replace(
    '<div id="app"><!-- prerendered --></div>',
    () => `<div id="app" data-prerendered>${renderLoginPage()}</div>`,
  )
  if (prerendered === html) throw new Error('login.html has no placeholder for the prerendered page')
  await writeFile(page, deferScript(prerendered))
  await rm(PRERENDER_OUT, { recursive: true, force: true })
}

/** Loads the script after the first paint. Until then, shell/early-press.js handles presses. The event tells it that loading failed. */
function deferScript(html: string): string {
  const script = html.replace(/<script type="module" crossorigin src="([^"]+)"><\/script>/, (_, src: string) => {
    const failed = `(error) => { dispatchEvent(new Event('muster:no-script')); throw error }`
    const run = `requestAnimationFrame(() => setTimeout(() => import('${src}').catch(${failed})))`
    return `<link rel="modulepreload" crossorigin href="${src}">\n    <script>${run}</script>`
  })
  return script.replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"')
}

/** Compresses each file at the highest level, so that the backend never has to. */
async function compressAll(): Promise<void> {
  for (const file of await filesUnder(OUT)) {
    if (!COMPRESSIBLE.has(extname(file))) continue
    const bytes = await readFile(file)
    if (bytes.length < MIN_BYTES_TO_COMPRESS) continue
    const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }
    await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, brotli))
    await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }))
  }
}

await compileMessages(API)
const startedAt = performance.now()
const stamp = await hashSources()
const upToDate = process.argv.includes('--if-needed') && existsSync(STAMP) && (await readFile(STAMP, 'utf8')) === stamp
if (!upToDate) {
  await rm(OUT, { recursive: true, force: true })
  await mkdir(OUT, { recursive: true })
  await build({ configFile: join(ROOT, 'vite.config.ts'), logLevel: 'error' })
  await prerenderLogin()
  await compressAll()
  await writeFile(STAMP, stamp)
  console.log(`web built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}
