/** `fetch` over one family of addresses, against a server on both. */
import { type RequestListener, type Server, createServer } from 'node:http'
import dns from 'node:dns'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { fetchOver } from './family-fetch.ts'

const ADDRESSES = { 4: '127.0.0.1', 6: '::1' } as const
const servers: Server[] = []
let port = 0

const answer: RequestListener = (request, response) => {
  const path = request.url ?? ''
  if (path === '/cut') return response.writeHead(200, { 'content-length': 100 }).end('half', () => request.socket.destroy())
  if (path === '/silent') return undefined
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { method, headers } = request
    response.writeHead(Number(path.slice(1)), { 'retry-after': '7', location: '/200' })
    response.end(
      path === '/204' ? '' : JSON.stringify([method, headers['x-own'], Buffer.concat(chunks).toString(), request.socket.localAddress]),
    )
  })
  return undefined
}

const listen = (host: string, at: number) =>
  new Promise<number>((resolve, reject) => {
    const server = createServer(answer)
    servers.push(server)
    server.once('error', reject).listen({ host, port: at, ipv6Only: true }, () => resolve((server.address() as AddressInfo).port))
  })

beforeAll(async () => {
  port = await listen(ADDRESSES[4], 0)
  await listen(ADDRESSES[6], port)
  // Not every machine has a name with both addresses.
  vi.spyOn(dns, 'lookup').mockImplementation(((_name: string, { family, all }: dns.LookupOptions, done: (...result: unknown[]) => void) => {
    const address = ADDRESSES[family as 4 | 6]
    if (all === true) done(null, [{ address, family }])
    else done(null, address, family)
  }) as typeof dns.lookup)
})
afterAll(() => {
  vi.restoreAllMocks()
  for (const server of servers) server.close().closeAllConnections()
})

const call = (family: 4 | 6, path: string, { host = 'list.test', method = 'POST', signal = AbortSignal.timeout(5000) } = {}) =>
  fetchOver(family)(`http://${host}:${port}${path}`, { method, headers: { 'x-own': 'mine' }, body: '{"a":"ä"}', signal })

test.each([
  [4, 'POST'],
  [6, 'DELETE'],
] as const)('IPv%i is used for a name that has both, and %s arrives as it was sent', async (family, method) => {
  const response = await call(family, '/200', { method })
  expect(await response.json()).toEqual([method, 'mine', '{"a":"ä"}', ADDRESSES[family]])
  expect(response.headers.get('retry-after')).toBe('7')
})

test.each([
  [4, '[::1]'],
  [6, '127.0.0.1'],
] as const)('an address is not called over IPv%i if it is %s', async (family, host) => {
  await expect(call(family, '/200', { host })).rejects.toThrow('MUSTER_URL is an address of the other family')
})

test('an address of the own family is called', async () => {
  expect((await call(6, '/200', { host: '[::1]' })).status).toBe(200)
})

test('a redirect is not followed', async () => {
  expect((await call(4, '/307')).status).toBe(307)
})

test('a reply without content has no body', async () => {
  const response = await call(4, '/204')
  expect([response.status, response.body]).toEqual([204, null])
})

test('a reply that is cut rejects', async () => {
  const response = await call(4, '/cut')
  await expect(response.text()).rejects.toThrow('aborted')
})

test('the signal ends a call', async () => {
  const abort = new AbortController()
  const silent = call(6, '/silent', { signal: abort.signal })
  abort.abort()
  await expect(silent).rejects.toThrow('aborted')
})
