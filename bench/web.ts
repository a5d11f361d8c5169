/** JavaScript size (brotli) and Lighthouse mobile figures (medians) of two pages, compared with minimal React baselines. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { unpin } from './lib/cpu.ts'
import { signedInWithServers } from './lib/owner.ts'
import { type MeasuredPage, type PageRun, measure, startBrowser } from './lib/lighthouse.ts'
import { discard, type Program, startProgram, untilReady } from '#tests/program.ts'

const ROOT = join(import.meta.dirname, '..')
const RUNS = 5
/** The servers of the signed-in user. Every second one is online. */
const SERVERS = 12
/** Inside the repository, so that the baselines find the same packages. */
const BASELINES = join(ROOT, '.cache/baselines')

const REACT = `
import { createRoot } from 'react-dom/client'
createRoot(document.getElementById('app')).render(<button>Sign in</button>)`

const ROUTER_AND_QUERY = `
import { QueryClient, QueryClientProvider, queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { createRootRoute, createRoute, createRouter, Link, Outlet, RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
const client = new QueryClient()
const list = queryOptions({ queryKey: ['list'], queryFn: async () => ['One server'] })
const root = createRootRoute({ component: Outlet })
const Page = () => <main><h1>Servers</h1>{useSuspenseQuery(list).data.map((name) => <p key={name}>{name}</p>)}<Link to="/">Servers</Link></main>
const page = createRoute({ getParentRoute: () => root, path: '/', loader: () => client.ensureQueryData(list), component: Page })
const router = createRouter({ routeTree: root.addChildren([page]) })
createRoot(document.getElementById('app')).render(<QueryClientProvider client={client}><RouterProvider router={router} /></QueryClientProvider>)`

interface Run {
  readonly bytes: number
  /** Milliseconds. */
  readonly lcp: number
  readonly tbt: number
  /** Lighthouse's performance score, 0 to 100. */
  readonly score: number
}

interface Measured extends Run {
  readonly name: string
}

/** Prints four lines of measurements and two of ratios. */
export async function run(): Promise<void> {
  // On one core, the browser would wait for the server and for Lighthouse.
  unpin(process.pid)
  const browser = await startBrowser()
  const react = await startBaseline('react', REACT)
  const routed = await startBaseline('router-and-query', ROUTER_AND_QUERY)
  const folder = mkdtempSync(join(tmpdir(), 'muster-bench-'))
  let program: Program | undefined
  try {
    program = await untilReady(await startProgram(folder))
    const cookie = await signedInWithServers(program, SERVERS)
    const [loginBaseline, login] = await measurePair(
      browser.port,
      { name: 'React with one button', url: react.url },
      { name: 'Login page', url: `${program.panelUrl}/login` },
    )
    const [serversBaseline, servers] = await measurePair(
      browser.port,
      { name: 'React, router, query', url: routed.url },
      { name: 'Servers page', url: `${program.panelUrl}/servers`, cookie },
    )
    for (const { name, bytes, lcp, tbt, score } of [loginBaseline, login, serversBaseline, servers]) {
      console.log(
        `web  ${name.padEnd(24)} ${(bytes / 1024).toFixed(1).padStart(7)} KiB JavaScript (brotli)   LCP ${ms(lcp)}   TBT ${ms(tbt)}   performance ${Math.round(score)}`,
      )
    }
    report('Login page / React', login, loginBaseline, { bytes: 1.3, lcp: 1.15, tbt: 1.5 })
    report('Servers page / router and query', servers, serversBaseline, { bytes: 1.5, lcp: 1.15, tbt: 1.5 })
  } finally {
    browser.child.kill()
    react.close()
    routed.close()
    discard(folder, ...(program ? [program] : []))
    rmSync(BASELINES, { recursive: true, force: true })
  }
}

const ms = (value: number) => `${Math.round(value).toString().padStart(5)} ms`

/** Below this a page feels immediate, so a ratio says nothing. */
const MIN_TBT_MS = 50

function report(name: string, page: Measured, baseline: Measured, targets: Readonly<Record<'bytes' | 'lcp' | 'tbt', number>>): void {
  const show = (ratio: number, target: number) => `${ratio.toFixed(2)}x (target ${target}x${ratio <= target ? '' : ', MISSED'})`
  console.log(
    `web  ${name}: JavaScript ${show(page.bytes / baseline.bytes, targets.bytes)}, LCP ${show(page.lcp / baseline.lcp, targets.lcp)}, TBT ${show(Math.max(page.tbt, MIN_TBT_MS) / Math.max(baseline.tbt, MIN_TBT_MS), targets.tbt)}`,
  )
}

/** Builds a baseline with the panel's tools and serves it compressed, as the backend serves the panel. */
async function startBaseline(name: string, source: string): Promise<{ url: string; close: () => void }> {
  const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')])
  const folder = join(BASELINES, name)
  const out = join(folder, 'out')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'main.jsx'), source)
  const html =
    '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Baseline</title><div id="app"></div><script type="module" src="./main.jsx"></script></html>'
  await writeFile(join(folder, 'index.html'), html)
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    plugins: [react()],
    build: { outDir: out, target: 'es2023', modulePreload: { polyfill: false }, reportCompressedSize: false },
  })
  const server = createServer((request, reply) => {
    const path = join(out, request.url === '/' ? 'index.html' : (request.url ?? ''))
    if (!existsSync(path)) return void reply.writeHead(404).end()
    const type = { '.html': 'text/html', '.js': 'text/javascript' }[extname(path)] ?? 'application/octet-stream'
    reply.writeHead(200, { 'content-type': type, 'content-encoding': 'br' }).end(brotliCompressSync(readFileSync(path)))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() }
}

/** Measures two pages alternately, so that both see the same state of the machine. */
async function measurePair(port: number, ...pages: readonly [MeasuredPage, MeasuredPage]): Promise<readonly [Measured, Measured]> {
  const runs: [Run[], Run[]] = [[], []]
  for (let each = 0; each < RUNS; each += 1) {
    runs[0].push(runOf(await measure(port, pages[0])))
    runs[1].push(runOf(await measure(port, pages[1])))
  }
  return [mediansOf(pages[0].name, runs[0]), mediansOf(pages[1].name, runs[1])]
}

const runOf = ({ bytes, lcp, tbt, scores }: PageRun): Run => ({ bytes, lcp, tbt, score: scores.performance })

function mediansOf(name: string, runs: readonly Run[]): Measured {
  const median = (key: keyof Run) => runs.map((run) => run[key]).toSorted((a, b) => a - b)[Math.floor(runs.length / 2)] ?? Number.NaN
  return { name, bytes: median('bytes'), lcp: median('lcp'), tbt: median('tbt'), score: median('score') }
}
