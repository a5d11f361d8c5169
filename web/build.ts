/** Builds the browser side into dist/web. `--if-needed` does nothing where the result is there already. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const OUT = join(ROOT, 'dist/web')
const STAMP = join(OUT, '.stamp')
const DRAWN = join(ROOT, '.cache/drawn')
const SOURCES = ['web', 'contract', 'vite.config.ts', 'package-lock.json']
const COMPRESSED = new Set(['.js', '.css', '.svg', '.html', '.json'])
/** Tests, and what the message compiler writes beside its settings. */
const NOT_A_SOURCE = /\.test\.tsx?$|\.inlang[\\/](?!settings\.json$)/
const WORTH_COMPRESSING = 1024

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(`The build needs Node 24 (this is ${process.version}). Use: npm run build`)
  process.exit(1)
}

async function sourcesStamp(): Promise<string> {
  const hash = createHash('sha256').update(process.versions.node)
  for (const source of SOURCES) {
    const path = join(ROOT, source)
    const files = extname(source) === '' ? await filesUnder(path) : [path]
    for (const file of files.toSorted()) {
      if (NOT_A_SOURCE.test(file)) continue
      hash.update(`\0${relative(ROOT, file)}\0`).update(await readFile(file))
    }
  }
  return hash.digest('hex')
}

async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** Draws the login page into its HTML, so that it is painted before any script has run. */
async function drawLogin(): Promise<void> {
  await build({
    root: join(ROOT, 'web'),
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: join(ROOT, 'web/pages/login-prerender.tsx'),
      outDir: DRAWN,
      emptyOutDir: true,
      rolldownOptions: { output: { entryFileNames: 'login.mjs' } },
    },
  })
  const { drawLoginPage } = (await import(pathToFileURL(join(DRAWN, 'login.mjs')).href)) as { drawLoginPage: () => string }
  const page = join(OUT, 'login.html')
  const html = await readFile(page, 'utf8')
  const drawn = html.replace('<div id="app"><!-- prerendered --></div>', () => `<div id="app" data-drawn>${drawLoginPage()}</div>`)
  if (drawn === html) throw new Error('login.html has no place for the drawn page')
  await writeFile(page, afterFirstPaint(drawn))
  await rm(DRAWN, { recursive: true, force: true })
}

/** The script runs after the first paint. Presses until then are kept by shell/early-press.js, which learns here if there is no script. */
function afterFirstPaint(html: string): string {
  const script = html.replace(/<script type="module" crossorigin src="([^"]+)"><\/script>/, (_, src: string) => {
    const failed = `(error) => { dispatchEvent(new Event('muster:no-script')); throw error }`
    const run = `requestAnimationFrame(() => setTimeout(() => import('${src}').catch(${failed})))`
    return `<link rel="modulepreload" crossorigin href="${src}">\n    <script>${run}</script>`
  })
  return script.replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"')
}

/** Compresses each file once, as hard as it goes, so that the backend never has to. */
async function compressAll(): Promise<void> {
  for (const file of await filesUnder(OUT)) {
    if (!COMPRESSED.has(extname(file))) continue
    const bytes = await readFile(file)
    if (bytes.length < WORTH_COMPRESSING) continue
    const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }
    await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, brotli))
    await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }))
  }
}

const began = performance.now()
const stamp = await sourcesStamp()
const upToDate = process.argv.includes('--if-needed') && existsSync(STAMP) && (await readFile(STAMP, 'utf8')) === stamp
if (!upToDate) {
  await rm(OUT, { recursive: true, force: true })
  await mkdir(OUT, { recursive: true })
  await build({ configFile: join(ROOT, 'vite.config.ts'), logLevel: 'error' })
  await drawLogin()
  await compressAll()
  await writeFile(STAMP, stamp)
  console.log(`web built in ${((performance.now() - began) / 1000).toFixed(1)} s`)
}
