/** Lighthouse mobile of the public pages (medians), compared with static copies of them: the same HTML and styles without scripts. */
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { type Program, discard, startProgram, untilReady } from '#tests/program.ts'
import { unpin } from './lib/cpu.ts'
import { type Category, type PageRun, measure, startBrowser } from './lib/lighthouse.ts'
import { announceAsOwner } from './lib/owner.ts'

const RUNS = 5
const SERVERS = 60
/** Longer than the run: search engines skip offline servers. */
const TTL_SECONDS = 3600
const MAX_LCP_RATIO = 1.15
const MIN_SCORE = 95
const AUDITED: readonly Category[] = ['accessibility', 'best-practices', 'seo']

export async function run(): Promise<void> {
  // On one core, the browser would wait for the server and for Lighthouse.
  unpin(process.pid)
  const browser = await startBrowser()
  const folder = mkdtempSync(join(tmpdir(), 'muster-bench-'))
  let program: Program | undefined
  try {
    program = await untilReady(await startProgram(folder, { ANNOUNCE_TTL_SECONDS: String(TTL_SECONDS) }))
    const [first = ''] = await announceAsOwner(program, SERVERS)
    for (const path of ['/browse', `/s/${first}`]) await comparePage(browser.port, program.panelUrl, path)
  } finally {
    browser.child.kill()
    discard(folder, ...(program ? [program] : []))
  }
}

/** Measures both alternately, so that they see the same state of the machine. */
async function comparePage(port: number, panelUrl: string, path: string): Promise<void> {
  const url = panelUrl + path
  const copy = await serveCopy(url)
  try {
    const runs: PageRun[] = []
    const copies: PageRun[] = []
    for (let each = 0; each < RUNS; each += 1) {
      runs.push(await measure(port, { name: path, url }, AUDITED))
      copies.push(await measure(port, { name: `static ${path}`, url: copy.url }))
    }
    report(path, runs, copies)
  } finally {
    copy.close()
  }
}

function report(path: string, runs: readonly PageRun[], copies: readonly PageRun[]): void {
  const median = (all: readonly PageRun[], of: (run: PageRun) => number) =>
    all.map(of).toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN
  const [lcp, floor] = [median(runs, (page) => page.lcp), median(copies, (page) => page.lcp)]
  const name = path.startsWith('/s/') ? '/s/{id}' : path
  const scores = (['performance', ...AUDITED] as const).map((category) => {
    const score = Math.round(median(runs, (page) => page.scores[category]))
    return `${category} ${score}${score >= MIN_SCORE ? '' : ' (MISSED)'}`
  })
  const ratio = lcp / floor
  console.log(
    `public-web  ${name.padEnd(8)} LCP ${Math.round(lcp)} ms, static copy ${Math.round(floor)} ms: ${ratio.toFixed(2)}x (target ${MAX_LCP_RATIO}x${ratio <= MAX_LCP_RATIO ? '' : ', MISSED'}), CLS ${Math.max(...runs.map(({ cls }) => cls))}, JavaScript ${(median(runs, ({ bytes }) => bytes) / 1024).toFixed(1)} KiB, ${scores.join(', ')}`,
  )
}

/** Serves the page and its styles from memory, compressed. */
async function serveCopy(url: string): Promise<{ url: string; close: () => void }> {
  const files = new Map<string, { readonly type: string; readonly body: Buffer }>()
  const page = await (await fetch(url)).text()
  const html = page.replaceAll(/<link rel="modulepreload"[^>]*>|<script(?! type="application)[\s\S]*?<\/script>/g, '')
  files.set('/', { type: 'text/html; charset=utf-8', body: brotliCompressSync(html) })
  for (const [, href = ''] of page.matchAll(/<link rel="stylesheet"[^>]* href="([^"]+)"/g))
    files.set(href, { type: 'text/css', body: brotliCompressSync(await (await fetch(new URL(href, url))).text()) })
  const server = createServer((request, reply) => {
    const file = files.get(request.url ?? '')
    if (file === undefined) return void reply.writeHead(404).end()
    reply.writeHead(200, { 'content-type': file.type, 'content-encoding': 'br' }).end(file.body)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() }
}
