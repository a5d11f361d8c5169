/** JavaScript size (brotli) and Lighthouse mobile figures (medians) of two pages, compared with minimal React baselines. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync } from 'node:zlib'
import { BROWSER_ARGS, findBrowser } from '#tests/journeys/find-browser.ts'
import { unpin } from './lib/cpu.ts'
import { discard, freePort, type Program, startProgram, untilReady } from '#tests/program.ts'

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
    const cookie = await signedInWithServers(program)
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

/** Signs in an owner with servers. @returns their cookies */
async function signedInWithServers(program: Program): Promise<string> {
  const [admin, owner] = [await signIn(program, 'admin'), await signIn(program, 'owner')]
  const { data: me } = (await (await owner.request('/api/auth/me')).json()) as { data: { id: string } }
  await admin.request(`/api/admin/users/${me.id}`, { max_masterlist_tokens: SERVERS }, 'PATCH')
  for (let index = 0; index < SERVERS; index += 1) {
    const { data } = (await (await owner.request('/api/users/tokens', { name: `Friday Night Roleplay ${index + 1}` })).json()) as {
      data: { credential: string }
    }
    if (index % 2 === 0) await announce(program, data.credential)
  }
  return owner.cookies()
}

async function signIn(program: Program, username: string) {
  const jar = new Map<string, string>()
  const cookies = () => [...jar].map((pair) => pair.join('=')).join('; ')
  const request = async (path: string, body?: unknown, method = body === undefined ? 'GET' : 'POST') => {
    const reply = await fetch(new URL(path, program.panelUrl), {
      redirect: 'manual',
      method,
      headers: {
        cookie: cookies(),
        'sec-fetch-site': 'same-origin',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    for (const line of reply.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    return reply
  }
  const authorize = new URL(await (await request('/api/auth/discord')).text(), program.panelUrl)
  authorize.searchParams.set('username', username)
  const back = new URL((await request(authorize.pathname + authorize.search)).headers.get('location') ?? '', program.panelUrl)
  await request('/api/auth/discord', { code: back.searchParams.get('code'), state: back.searchParams.get('state') })
  return { request, cookies }
}

async function announce(program: Program, credential: string): Promise<void> {
  await fetch(`${program.listUrl}/announce`, {
    method: 'POST',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    body: JSON.stringify({ port: 7788, playersCount: 37, maxPlayersCount: 128, passworded: false, version: '1.0.0', branch: 'release' }),
  })
}

/** The temporary profile is removed when the browser exits. */
async function startBrowser(): Promise<{ port: number; child: ChildProcess }> {
  const path = await findBrowser()
  const port = await freePort()
  const profile = mkdtempSync(join(tmpdir(), 'muster-browser-'))
  const child = spawn(
    path,
    ['--headless=new', `--remote-debugging-port=${port}`, `--user-data-dir=${profile}`, ...BROWSER_ARGS, 'about:blank'],
    { stdio: 'ignore' },
  )
  child.once('exit', () => rmSync(profile, { recursive: true, force: true, maxRetries: 5 }))
  for (let step = 0; step < 200; step += 1) {
    if (
      await fetch(`http://127.0.0.1:${port}/json/version`).then(
        (reply) => reply.ok,
        () => false,
      )
    )
      return { port, child }
    await sleep(50)
  }
  throw new Error('The browser did not start.')
}

interface NetworkItem {
  readonly resourceType?: string
  readonly transferSize: number
}

interface Page {
  readonly name: string
  readonly url: string
  /** The session; signed out without it. */
  readonly cookie?: string
}

/** Measures two pages alternately, so that both see the same state of the machine. */
async function measurePair(port: number, ...pages: readonly [Page, Page]): Promise<readonly [Measured, Measured]> {
  const runs: [Run[], Run[]] = [[], []]
  for (let each = 0; each < RUNS; each += 1) {
    runs[0].push(await measure(port, pages[0]))
    runs[1].push(await measure(port, pages[1]))
  }
  return [mediansOf(pages[0].name, runs[0]), mediansOf(pages[1].name, runs[1])]
}

function mediansOf(name: string, runs: readonly Run[]): Measured {
  const median = (key: keyof Run) => runs.map((run) => run[key]).toSorted((a, b) => a - b)[Math.floor(runs.length / 2)] ?? Number.NaN
  return { name, bytes: median('bytes'), lcp: median('lcp'), tbt: median('tbt'), score: median('score') }
}

async function measure(port: number, { url, cookie }: Page): Promise<Run> {
  const { default: lighthouse } = await import('lighthouse')
  const result = await lighthouse(url, {
    port,
    logLevel: 'error',
    onlyCategories: ['performance'],
    formFactor: 'mobile',
    throttlingMethod: 'simulate',
    ...(cookie !== undefined && { extraHeaders: { Cookie: cookie } }),
  })
  const audits = result?.lhr.audits
  const value = (audit: string) => audits?.[audit]?.numericValue ?? Number.NaN
  const details = audits?.['network-requests']?.details as { items?: NetworkItem[] } | undefined
  const scripts = (details?.items ?? []).filter((item) => item.resourceType === 'Script')
  return {
    bytes: scripts.reduce((sum, item) => sum + item.transferSize, 0),
    lcp: value('largest-contentful-paint'),
    tbt: value('total-blocking-time'),
    score: (result?.lhr.categories['performance']?.score ?? Number.NaN) * 100,
  }
}
