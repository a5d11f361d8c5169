/** JavaScript, paint and layout shift of the panel's first pages on a phone, compared with minimal pages on the same router and query cache. */
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import * as servers from '#contract/servers/servers.ts'
import { changeLimits } from '#contract/users/users-admin.ts'
import { discard, startProgram, temporaryFolder, untilReady } from '#tests/program.ts'
import { signIn, signInCookie } from '#tests/test-user.ts'
import { ALL_CORES, pin } from './lib/cpu.ts'
import { type Page, type PageRun, measure, startBrowser } from './lib/phone.ts'
import { median } from './lib/rounds.ts'
import { kilo, milli, printTable, times } from './lib/table.ts'
import type { Run } from './lib/test-bed.ts'

const SERVERS = 12
const MAX_PAINT_RATIO = 1.3
/** After brotli. */
const MAX_JAVASCRIPT_BYTES = 220 * 1024
const MAX_SHIFT = 0.02
/** Inside the repository, so that the baseline finds the same packages. */
const BASELINE = join(import.meta.dirname, '../.cache/baseline')

/** A page that asks for nothing, and one that asks for the owner's servers and shows their names. */
const ROUTER_AND_QUERY = `
import { QueryClient, QueryClientProvider, queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { createRootRoute, createRoute, createRouter, Link, Outlet, RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
const client = new QueryClient()
const list = queryOptions({ queryKey: ['list'], queryFn: async () => await (await fetch('/list')).json() })
const root = createRootRoute({ component: Outlet })
const Heading = () => <main><h1>Servers</h1><Link to="/servers">Servers</Link></main>
const Servers = () => <main><h1>Servers</h1><ul>{useSuspenseQuery(list).data.data.owned.map(({ id, name }) => <li key={id}>{name}</li>)}</ul></main>
const getParentRoute = () => root
const heading = createRoute({ getParentRoute, path: '/', component: Heading })
const servers = createRoute({ getParentRoute, path: '/servers', loader: () => client.ensureQueryData(list), component: Servers })
const router = createRouter({ routeTree: root.addChildren([heading, servers]) })
createRoot(document.getElementById('app')).render(<QueryClientProvider client={client}><RouterProvider router={router} /></QueryClientProvider>)`

const HTML =
  '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Baseline</title><div id="app"></div><script type="module" src="./main.jsx"></script></html>'

export async function run({ rounds, figures }: Run): Promise<void> {
  // On one core, the browser would wait for the server.
  pin(process.pid, ALL_CORES)
  const browser = await startBrowser()
  const folder = temporaryFolder()
  const program = await startProgram(folder)
  let baseline: Awaited<ReturnType<typeof startBaseline>> | undefined
  try {
    await untilReady(program)
    const cookie = await createServers(program.panelUrl)
    baseline = await startBaseline(await readList(program.panelUrl, cookie))
    const nothingAsked = { name: 'baseline', url: baseline.url }
    const listAsked = { name: 'baseline with servers', url: `${baseline.url}servers` }
    const pages = [
      { name: 'login', url: `${program.panelUrl}/login`, floor: nothingAsked },
      { name: 'servers', url: `${program.panelUrl}/servers`, cookie, floor: listAsked },
    ]
    const runs: Record<string, PageRun[]> = {}
    // In turns, so that all see the same state of the machine.
    for (let round = 0; round < rounds; round += 1)
      for (const page of [nothingAsked, listAsked, ...pages]) (runs[page.name] ??= []).push(await measure(browser, page))
    const of = ({ name }: Page, key: keyof PageRun) => median((runs[name] ?? []).map((each) => each[key]))
    const rows = pages.map((page) => {
      const [bytes, shift, ratio] = [of(page, 'bytes'), of(page, 'shift'), of(page, 'paint') / of(page.floor, 'paint')]
      const name = `panel ${page.name}`
      return {
        page: page.name,
        JavaScript: kilo(bytes),
        'its target': figures.atMost(`${name}: JavaScript`, bytes, MAX_JAVASCRIPT_BYTES, kilo),
        'largest paint': milli(of(page, 'paint')),
        'router and query': milli(of(page.floor, 'paint')),
        ratio: times(ratio),
        target: figures.atMost(`${name}: largest paint / router and query`, ratio, MAX_PAINT_RATIO, times),
        'ratio if nothing is asked': times(of(page, 'paint') / of(nothingAsked, 'paint')),
        blocking: milli(of(page, 'blocking')),
        shift: shift.toFixed(3),
        'shift target': figures.atMost(`${name}: layout shift`, shift, MAX_SHIFT, String),
      }
    })
    console.log(`PANEL on a slowed-down browser: medians of ${rounds} runs.`)
    printTable(rows)
  } finally {
    await browser.close()
    baseline?.close()
    discard(folder, program)
    rmSync(BASELINE, { recursive: true, force: true })
  }
}

/** Returns the session of an owner with servers. */
async function createServers(panelUrl: string): Promise<string> {
  const [admin, owner] = [await signIn(() => panelUrl, 'admin'), await signIn(() => panelUrl, 'owner')]
  await admin.call(changeLimits, { params: { id: owner.id }, body: { max_masterlist_tokens: SERVERS } })
  for (let index = 1; index <= SERVERS; index += 1)
    await owner.call(servers.create, { body: { name: `Friday Night Roleplay ${index}`, tags: ['roleplay'] } })
  return await signInCookie(panelUrl, 'owner')
}

/** Returns the reply that the servers page asks for. */
async function readList(panelUrl: string, cookie: string): Promise<Buffer> {
  const reply = await fetch(`${panelUrl}/api/users/tokens`, { headers: { cookie } })
  return Buffer.from(await reply.arrayBuffer())
}

/** Builds the baseline with the panel's tools and serves it compressed, as the backend serves the panel. */
async function startBaseline(list: Buffer): Promise<{ url: string; close: () => void }> {
  const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')])
  const out = join(BASELINE, 'out')
  await mkdir(BASELINE, { recursive: true })
  await writeFile(join(BASELINE, 'main.jsx'), ROUTER_AND_QUERY)
  await writeFile(join(BASELINE, 'index.html'), HTML)
  await build({
    root: BASELINE,
    configFile: false,
    logLevel: 'error',
    plugins: [react()],
    build: { outDir: out, target: 'es2023', modulePreload: { polyfill: false }, reportCompressedSize: false },
  })
  const server = createServer((request, reply) => {
    const send = (type: string, body: Buffer) =>
      reply.writeHead(200, { 'content-type': type, 'content-encoding': 'br' }).end(brotliCompressSync(body))
    if (request.url === '/list') return void send('application/json', list)
    const path = join(out, ['/', '/servers'].includes(request.url ?? '') ? 'index.html' : (request.url ?? ''))
    if (!existsSync(path)) return void reply.writeHead(404).end()
    send({ '.html': 'text/html', '.js': 'text/javascript' }[extname(path)] ?? 'application/octet-stream', readFileSync(path))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() }
}
