/** The connection limit per address, connections closed by a 429, and keep-alive timeouts. */
import { once } from 'node:events'
import { type Socket, connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type TestApp, startApp } from '#tests/harness.ts'

const MAX = 5
const BOUNDED = { RATE_LIMITS: 'on', MAX_CONNECTIONS_PER_ADDRESS: String(MAX) }
const PROXIED = { TRUSTED_PROXIES: '127.0.0.0/8' }

const listeners = [
  ['the list', (app: TestApp) => app.listUrl],
  ['the panel', (app: TestApp) => app.panelUrl],
] as const

interface Peer {
  readonly socket: Socket
  readonly received: () => string
  readonly closed: Promise<void>
}

async function open(url: string, from = '127.0.0.1'): Promise<Peer> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress: from })
  onTestFinished(() => void socket.destroy())
  let received = ''
  socket.on('data', (piece) => (received += piece.toString()))
  socket.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()))
  await once(socket, 'connect')
  return { socket, received: () => received, closed }
}

const GET = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`

/** Returns false if the connection closes without a response. */
async function isServed({ socket, received, closed }: Peer): Promise<boolean> {
  socket.write(GET('/healthz'))
  await Promise.race([closed, once(socket, 'data')])
  return received().includes('HTTP/1.1 200')
}

const openMany = (count: number, url: string, from?: string) => Promise.all(Array.from({ length: count }, () => open(url, from)))
const servedOf = async (peers: readonly Peer[]) => (await Promise.all(peers.map(isServed))).filter(Boolean).length

describe.each(listeners)('%s', (_name, urlOf) => {
  test('accepts connections of one address up to the limit, closes further ones without a response, and serves another address', async () => {
    const app = await startApp(BOUNDED)
    const url = urlOf(app)
    const peers = await openMany(MAX, url)
    expect(await servedOf(peers)).toBe(MAX)
    const more = await openMany(3, url)
    await Promise.all(more.map(({ closed }) => closed))
    expect(more.map(({ received }) => received())).toEqual(['', '', ''])
    expect(await servedOf([...peers, await open(url, '127.0.0.2')])).toBe(MAX + 1)
  })

  test('accepts one new connection for each one that ended', async () => {
    const app = await startApp(BOUNDED)
    const url = urlOf(app)
    const [first, second] = await openMany(MAX, url)
    first?.socket.end()
    second?.socket.resetAndDestroy()
    await Promise.all([first?.closed, second?.closed])
    await expect.poll(async () => isServed(await open(url))).toBe(true)
    await expect.poll(async () => isServed(await open(url))).toBe(true)
    expect(await isServed(await open(url))).toBe(false)
  })

  test.each([
    ['a proxy is trusted', { ...BOUNDED, ...PROXIED }],
    ['limits are off', { ...BOUNDED, RATE_LIMITS: 'off' }],
  ])('accepts four times the limit of connections if %s', async (_when, variables) => {
    const app = await startApp(variables)
    expect(await servedOf(await openMany(MAX * 4, urlOf(app)))).toBe(MAX * 4)
  })

  test.each([
    ['15 seconds', {}, 15],
    ['72 seconds, longer than a proxy does, if a proxy is trusted', PROXIED, 72],
  ])('keeps an idle connection for %s', async (_how, variables, seconds) => {
    const { headers } = await fetch(`${urlOf(await startApp(variables))}/healthz`)
    expect([headers.get('connection'), headers.get('keep-alive')]).toEqual(['keep-alive', `timeout=${seconds}`])
  })
})

/** Calls until the status is 429, and returns its Connection header. */
async function connectionHeaderOf429(url: string, init: RequestInit = {}): Promise<string | null> {
  for (let calls = 0; calls < 2000; calls += 1) {
    const { status, headers, body } = await fetch(url, init)
    await body?.cancel()
    if (status === 429) return headers.get('connection')
  }
  throw new Error('No call returned 429.')
}

const CALLS: readonly (readonly [what: string, url: (app: TestApp) => string, init: RequestInit])[] = [
  ['a read of the list', ({ listUrl }) => `${listUrl}/servers`, {}],
  ['an announce', ({ listUrl }) => `${listUrl}/announce`, { method: 'POST' }],
  ['a stream', ({ listUrl }) => `${listUrl}/servers/stream?since=!`, {}],
  ['another call to the list', ({ listUrl }) => `${listUrl}/servers/info`, {}],
  ['a call to the panel', ({ panelUrl }) => `${panelUrl}/api/about`, {}],
]

describe('a 429', () => {
  test.each(CALLS)('to %s closes its connection', async (_what, urlOf, init) => {
    expect(await connectionHeaderOf429(urlOf(await startApp({ RATE_LIMITS: 'on' })), init)).toBe('close')
  })

  test.each(CALLS)('to %s keeps the connection of a trusted proxy open', async (_what, urlOf, init) => {
    expect(await connectionHeaderOf429(urlOf(await startApp({ RATE_LIMITS: 'on', ...PROXIED })), init)).toBe('keep-alive')
  })
})
