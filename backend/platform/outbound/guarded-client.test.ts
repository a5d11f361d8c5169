/** The guarded client: what it accepts of a reply, and its limits. */
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { CERTIFICATE, PUBLIC_ADDRESS, startHttpsHost, startTrap } from '#tests/https-host/https-host.ts'
import { startNameServer } from '#tests/https-host/name-server.ts'
import { createFetchPublic } from './guarded-client.ts'
import { createResolver } from './resolver.ts'
import { TOO_SLOW, TYPES, clientOf, errorOf } from '#tests/https-host/guarded-client.ts'

test('returns the body with its type and charset, and sends only the necessary headers', async () => {
  const requested: (string | undefined)[] = []
  let headers: Record<string, unknown> = {}
  const port = await startHttpsHost((request, response) => {
    requested.push(request.method, request.url)
    ;({ headers } = request)
    response.setHeader('content-type', 'Application/RSS+xml; x=y; Charset="ISO-8859-1"').setHeader('set-cookie', 'a=b').end('<rss/>')
  })
  const fetchPublic = clientOf(port)
  const fetched = await fetchPublic('https://feeds.example/news?x=1#part', TYPES)
  expect({ ...fetched, body: fetched.body.toString() }).toEqual({ body: '<rss/>', type: 'application/rss+xml', charset: 'iso-8859-1' })
  expect(requested).toEqual(['GET', '/news?x=1'])
  await fetchPublic('https://feeds.example./news', TYPES)
  expect(headers).toEqual({
    host: expect.stringContaining('feeds.example'),
    'user-agent': expect.stringMatching(/^Muster\/\d/),
    accept: 'application/rss+xml, application/json',
    'accept-encoding': 'identity',
    connection: 'close',
  })
})

test.each([301, 302, 303, 307, 308, 300])('does not follow a redirect (%i)', async (status) => {
  const trap = await startTrap()
  const port = await startHttpsHost((_request, response) => {
    response
      .writeHead(status, { location: `https://127.0.0.1:${trap.port}/latest/meta-data/`, 'content-type': 'application/json' })
      .end('{}')
  })
  const sentence = 'This address redirects to another one. Enter that one instead.'
  expect(await errorOf(clientOf(port)('https://feeds.example/', TYPES))).toBe(sentence)
  expect(trap.visits()).toBe(0)
})

test.each([201, 204, 206, 400, 401, 404, 429, 500, 503])('rejects the status %i', async (status) => {
  const port = await startHttpsHost((_request, response) => response.writeHead(status, { 'content-type': 'application/json' }).end())
  expect(await errorOf(clientOf(port)('https://feeds.example/', TYPES))).toContain(`status ${status}`)
})

test.each([
  ['text/html', ' (text/html)'],
  ['', ''],
  ['application/rss+xml, text/html', ''],
  ['<script>/x', ''],
])('rejects the unexpected type "%s"', async (type, shown) => {
  const port = await startHttpsHost((_request, response) => {
    if (type !== '') response.setHeader('content-type', type)
    response.end('{}')
  })
  const error = await errorOf(clientOf(port)('https://feeds.example/', TYPES))
  expect(error).toBe(`This address has the wrong content type${shown}.`)
})

test.each<[string, Parameters<typeof startHttpsHost>[0]]>([
  ['sends nothing', () => undefined],
  [
    'sends one header at a time',
    (_request, { socket }) => void setInterval(() => socket?.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 50).unref(),
  ],
  [
    'sends its body byte by byte',
    (_request, response) => {
      response.setHeader('content-type', 'application/json').write('{')
      const drip = setInterval(() => response.write(' '), 50)
      response.once('close', () => clearInterval(drip))
    },
  ],
])('gives up on a host that %s', async (_what, answer) => {
  const port = await startHttpsHost(answer)
  const startedAt = performance.now()
  expect(await errorOf(clientOf(port, { timeoutMs: 700 })('https://feeds.example/', TYPES))).toBe(TOO_SLOW)
  // The default is 5 s.
  expect(performance.now() - startedAt).toBeLessThan(4500)
})

test('gives up on a name server that never answers', async () => {
  const silent = createResolver([await startNameServer(() => undefined)])
  for (const resolve of [silent, () => new Promise<string[]>(() => undefined)])
    expect(await errorOf(clientOf(1, { resolve, timeoutMs: 300 })('https://feeds.example/', TYPES))).toBe(TOO_SLOW)
})

test('stops reading a body that is endless, too long, or announced as too long', async () => {
  const sent: number[] = []
  const port = await startHttpsHost((request, response) => {
    response.setHeader('content-type', 'application/json')
    if (request.url === '/announced') return response.setHeader('content-length', 65_537).flushHeaders()
    if (request.url === '/long') return response.end('x'.repeat(65_537))
    if (request.url === '/max') return response.end('x'.repeat(65_536))
    let bytes = 0
    const flood = setInterval(() => {
      response.write('x'.repeat(16_384))
      sent.push((bytes += 16_384))
    }, 1)
    response.once('close', () => clearInterval(flood))
  })
  const fetchPublic = clientOf(port)
  for (const path of ['endless', 'long', 'announced'])
    expect(await errorOf(fetchPublic(`https://feeds.example/${path}`, TYPES)), path).toBe('This address sends more than 64 KB.')
  expect(Math.max(...sent)).toBeLessThan(4_000_000)
  expect((await fetchPublic('https://feeds.example/max', TYPES)).body).toHaveLength(65_536)
})

test('rejects compressed content, such as a gzip bomb', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000))
  const port = await startHttpsHost((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb)
  })
  const sentence = 'This address sends compressed content although the request does not accept it.'
  expect(await errorOf(clientOf(port)('https://feeds.example/', TYPES))).toBe(sentence)
})

test('rejects headers of more than 16 KB', async () => {
  const port = await startHttpsHost((_request, response) => response.setHeader('x-long', 'x'.repeat(20_000)).end())
  expect(await errorOf(clientOf(port)('https://feeds.example/', TYPES))).toBe('This address sends more than 16 KB of headers.')
})

test('rejects an answer that is not HTTP or is incomplete', async () => {
  const port = await startHttpsHost((request, response) => {
    if (request.url === '/garbage') return response.socket?.end('SSH-2.0-OpenSSH\r\n')
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{')
    setTimeout(() => response.destroy(), 50)
  })
  const sentence = 'This address closed the connection early, or does not speak HTTP.'
  for (const path of ['garbage', 'broken'])
    expect(await errorOf(clientOf(port)(`https://feeds.example/${path}`, TYPES)), path).toBe(sentence)
})

test('rejects an untrusted certificate and one for another name', async () => {
  const port = await startHttpsHost((_request, response) => response.setHeader('content-type', 'application/json').end('{}'))
  const sentence = 'This address has no valid certificate, so it cannot be trusted.'
  const trusting = clientOf(port)
  const { ca: _, ...rest } = { ca: CERTIFICATE, resolve: () => Promise.resolve([PUBLIC_ADDRESS]), isAllowed: () => true, port }
  expect(await errorOf(createFetchPublic(rest)('https://feeds.example/', TYPES))).toBe(sentence)
  expect(await errorOf(trusting('https://other.example/', TYPES))).toBe(sentence)
  expect(await errorOf(trusting(`https://${PUBLIC_ADDRESS}/`, TYPES))).toBe(sentence)
  const plain = await startTrap(0, PUBLIC_ADDRESS)
  expect(await errorOf(clientOf(plain.port)('https://feeds.example/', TYPES))).toBe(sentence)
})

test('distinguishes an unknown host from one that accepts no connections', async () => {
  const empty = () => Promise.resolve([])
  const failing = () => Promise.reject(new Error('SERVFAIL'))
  for (const resolve of [empty, failing]) {
    const sentence = 'There is no such host. Check the spelling of the address.'
    expect(await errorOf(clientOf(1, { resolve })('https://feeds.example/', TYPES))).toBe(sentence)
  }
  expect(await errorOf(clientOf(1)('https://feeds.example/', TYPES))).toBe('Could not connect to this address.')
})

test('tries the next address if one does not answer', async () => {
  const port = await startHttpsHost((_request, response) => response.setHeader('content-type', 'application/json').end('{}'))
  const options = { resolve: () => Promise.resolve(['127.0.0.3', PUBLIC_ADDRESS]), isAllowed: () => true }
  expect((await clientOf(port, options)('https://feeds.example/', TYPES)).body.toString()).toBe('{}')
})

test('fetches at most 32 addresses at once, rejects the next, and accepts it once others have ended', async () => {
  const waiting: (() => void)[] = []
  const port = await startHttpsHost((_request, response) => {
    response.setHeader('content-type', 'application/json')
    waiting.push(() => response.end('{}'))
  })
  const fetchPublic = clientOf(port)
  const all = Array.from({ length: 32 }, () => fetchPublic('https://feeds.example/', TYPES))
  await expect(fetchPublic('https://feeds.example/', TYPES)).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 2 })
  await expect.poll(() => waiting.length).toBe(32)
  for (const end of waiting) end()
  expect(await Promise.all(all)).toHaveLength(32)
  const last = fetchPublic('https://feeds.example/', TYPES)
  await expect.poll(() => waiting.length).toBe(33)
  waiting[32]?.()
  expect((await last).type).toBe('application/json')
})
