/** The guarded client: the addresses it connects to, and its limits. */
import { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, test, vi } from 'vitest'
import { CERTIFICATE, PUBLIC_ADDRESS, startHttpsHost, startTrap } from '#tests/https-host/https-host.ts'
import { startNameServer } from '#tests/https-host/name-server.ts'
import { type GuardedOptions, createFetchPublic, createPostPublic, createResolver, rejectForbiddenUrl } from './guarded-client.ts'

const TYPES = ['application/rss+xml', 'application/json']

/** A client for which the test host is the whole public internet. */
function clientOf(port: number, options: GuardedOptions = {}) {
  return createFetchPublic({
    resolve: () => Promise.resolve([PUBLIC_ADDRESS]),
    isAllowed: (address) => address === PUBLIC_ADDRESS,
    port,
    ca: CERTIFICATE,
    ...options,
  })
}

const errorOf = async (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'nothing was rejected',
    (error: unknown) => {
      expect(error).toMatchObject({ name: 'AppError', kind: 'invalid' })
      return (error as Error).message
    },
  )

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

const NOT_PUBLIC = 'This address is not on the public internet.'
const REJECTED_URLS: readonly (readonly [string, string])[] = [
  ...[
    'https://127.0.0.1/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::127.0.0.1]/',
    'https://0x7f.1/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://0177.0.0.1/',
    'https://017700000001/',
    'https://127.1/',
    'https://127.0.0.1./',
    'https://%31%32%37.0.0.1/',
    'https://127。0。0。1/',
    'https://localhost/',
    'https://LOCALHOST/',
    'https://localhost./',
    'https://localhost../',
    'https://a.localhost/',
    'https://a.b.localhost./',
    'https://localhost.localdomain/',
    'https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/',
    'https://①②⑦.⓪.⓪.①/',
    'https://⑯⑨.②⑤④.①⑥⑨.254/',
    'https://①⑥⑨.②⑤④.①⑥⑨.②⑤④/',
    'https://169.254.169.254/latest/meta-data/',
    'https://0xa9fea9fe/',
    'https://metadata/',
    'https://metadata.google.internal/',
    'https://instance-data.ec2.internal/',
    'https://router.home.arpa/',
    'https://nas.local/',
    'https://database/',
    'https://[::1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::]/',
    'https://0.0.0.0/',
    'https://0/',
    'https://100.64.0.1/',
    'https://100.100.100.200/',
    'https://168.63.129.16/',
    'https://10.0.0.1/',
    'https://172.16.0.1/',
    'https://192.168.0.1/',
    'https://198.18.0.1/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://[fe80::1]/',
    'https://[fc00::1]/',
    'https://[fd00:ec2::254]/',
    'https://[ff02::1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[64:ff9b::10.0.0.1]/',
    'https://[64:ff9b:1::127.0.0.1]/',
    'https://[2002:7f00:1::]/',
    'https://[2002:a00:1::]/',
    'https://[2001:0:7f00:1::]/',
    'https://[2001:db8::1]/',
  ].map((url) => [url, NOT_PUBLIC] as const),
  ['https://[fe80::1%25eth0]/', 'This is not a web address.'],
  ['https://[::1', 'This is not a web address.'],
  ['https://127.0.0.256/', 'This is not a web address.'],
  ['', 'This is not a web address.'],
  ['feeds.example', 'This is not a web address.'],
  ['https://feeds.example:8443/', 'The address must not contain a port: only the default HTTPS port is allowed.'],
  ['https://feeds.example:80/', 'The address must not contain a port: only the default HTTPS port is allowed.'],
  ['https://user@feeds.example/', 'The address must not contain a username or a password.'],
  ['https://user:password@feeds.example/', 'The address must not contain a username or a password.'],
  ['https://:password@feeds.example/', 'The address must not contain a username or a password.'],
  ['https://feeds.example@127.0.0.1/', 'The address must not contain a username or a password.'],
  ...['http://⑯⑨.254.①⑥⑨.254/', 'http://feeds.example/', 'ftp://feeds.example/', 'file:///etc/passwd', 'data:text/xml,<rss/>'].map(
    (url) => [url, 'The address must begin with https://.'] as const,
  ),
  ['gopher://127.0.0.1/', 'The address must begin with https://.'],
]

test('connects to no private address, however it is spelled', async () => {
  const trap = await startTrap()
  const connect = vi.spyOn(Socket.prototype, 'connect')
  // Every name resolves to this machine.
  const resolve = vi.fn(() => Promise.resolve(['127.0.0.1', '::1']))
  const fetchPublic = createFetchPublic({ resolve, port: trap.port, ca: CERTIFICATE, timeoutMs: 2000 })
  for (const [url, sentence] of REJECTED_URLS) expect(await errorOf(fetchPublic(url, TYPES)), url).toBe(sentence)
  expect(resolve).not.toHaveBeenCalled()
  expect(await errorOf(fetchPublic('https://feeds.example/', TYPES))).toBe(NOT_PUBLIC)
  expect(resolve).toHaveBeenCalledTimes(1)
  expect(connect).not.toHaveBeenCalled()
  expect(trap.visits()).toBe(0)
  connect.mockRestore()
})

test('rejects a name with a private address among public ones, at any position', async () => {
  const trap = await startTrap()
  const port = await startHttpsHost((_request, response) => response.end())
  for (const addresses of [
    [PUBLIC_ADDRESS, '127.0.0.1'],
    ['127.0.0.1', PUBLIC_ADDRESS],
    [PUBLIC_ADDRESS, '::1'],
    [PUBLIC_ADDRESS, 'no address'],
  ]) {
    const connect = vi.spyOn(Socket.prototype, 'connect')
    expect(await errorOf(clientOf(port, { resolve: () => Promise.resolve(addresses) })('https://feeds.example/', TYPES))).toBe(NOT_PUBLIC)
    expect(connect).not.toHaveBeenCalled()
    connect.mockRestore()
  }
  expect(trap.visits()).toBe(0)
})

test('resolves a name once, so that a second, private answer is never used', async () => {
  const trap = await startTrap(0, '127.0.0.1')
  // The same port: only the address differs.
  const port = await startHttpsHost(
    (_request, response) => response.setHeader('content-type', 'application/json').end('{}'),
    PUBLIC_ADDRESS,
    trap.port,
  )
  const answers = [[PUBLIC_ADDRESS], ['127.0.0.1'], ['127.0.0.1']]
  const resolve = vi.fn(() => Promise.resolve(answers.shift() ?? []))
  const fetchPublic = clientOf(port, { resolve })
  expect((await fetchPublic('https://feeds.example/', TYPES)).body.toString()).toBe('{}')
  expect(resolve).toHaveBeenCalledTimes(1)
  // The next call checks again and reuses no open connection.
  expect(await errorOf(fetchPublic('https://feeds.example/', TYPES))).toBe(NOT_PUBLIC)
  expect(trap.visits()).toBe(0)
})

test('asks the name server once per call, and checks each answer', async () => {
  const trap = await startTrap(0, '127.0.0.1')
  const port = await startHttpsHost(
    (_request, response) => response.setHeader('content-type', 'application/json').end('{}'),
    undefined,
    trap.port,
  )
  const answers = [PUBLIC_ADDRESS, '127.0.0.1', PUBLIC_ADDRESS]
  let current = answers.shift()
  const queries: string[] = []
  const nameServer = await startNameServer((host, kind) => {
    queries.push(`${host} ${kind}`)
    const addresses = current === undefined ? [] : [current]
    if (kind === 'ipv4') current = answers.shift()
    return kind === 'ipv4' ? addresses : []
  })
  const fetchPublic = clientOf(port, { resolve: createResolver([nameServer]) })
  expect((await fetchPublic('https://Feeds.Example/', TYPES)).body.toString()).toBe('{}')
  expect(queries.toSorted()).toEqual(['feeds.example ipv4', 'feeds.example ipv6'])
  expect(await errorOf(fetchPublic('https://feeds.example/', TYPES))).toBe(NOT_PUBLIC)
  expect(await errorOf(fetchPublic('https://feeds.example/', TYPES))).toBe('nothing was rejected')
  expect(trap.visits()).toBe(0)
})

test('checks every address that a name server returns, IPv4 and IPv6', async () => {
  const connect = vi.spyOn(Socket.prototype, 'connect')
  const zone: Record<string, readonly string[]> = {
    'a.example': ['8.8.8.8', '10.0.0.1', '::1'],
    'b.example': ['8.8.8.8', '2606:4700::1111', '64:ff9b::a00:1'],
    'c.example': ['::ffff:127.0.0.1'],
    'd.example': ['2002:7f00:1::'],
    'e.example': ['8.8.8.8', 'fe80::1'],
  }
  const nameServer = await startNameServer((host, kind) => zone[host]?.filter((each) => each.includes(':') === (kind === 'ipv6')) ?? [])
  const fetchPublic = createFetchPublic({ resolve: createResolver([nameServer]) })
  for (const host of Object.keys(zone)) expect(await errorOf(fetchPublic(`https://${host}/`, TYPES)), host).toBe(NOT_PUBLIC)
  expect(await errorOf(fetchPublic('https://f.example/', TYPES))).toBe('There is no such host. Check the spelling of the address.')
  expect(connect).not.toHaveBeenCalled()
  connect.mockRestore()
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

const TOO_SLOW = 'This address did not send a complete answer within 1 second.'

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
  expect(performance.now() - startedAt).toBeLessThan(3000)
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

describe('a POST', () => {
  const POST = { headers: { 'content-type': 'application/json' }, body: '{"a":"ü"}', timeoutMs: 2000 }
  const postOf = (port: number, options: GuardedOptions = {}) =>
    createPostPublic({
      resolve: () => Promise.resolve([PUBLIC_ADDRESS]),
      isAllowed: (address) => address === PUBLIC_ADDRESS,
      port,
      ca: CERTIFICATE,
      ...options,
    })

  test('sends its body, and returns any status with the first 2 KB of the reply', async () => {
    let received = ''
    const port = await startHttpsHost((request, response) => {
      request.on('data', (chunk) => (received += String(chunk)))
      request.on('end', () => response.writeHead(302, { location: 'https://127.0.0.1/' }).end('x'.repeat(100_000)))
    })
    const { status, body } = await postOf(port)('https://feeds.example/', POST)
    expect({ status, bytes: body.length, received }).toEqual({ status: 302, bytes: 2048, received: POST.body })
  })

  test('connects to no private address, however it is spelled', async () => {
    const trap = await startTrap()
    const resolve = () => Promise.resolve(['127.0.0.1', '::1'])
    const post = createPostPublic({ resolve, port: trap.port, ca: CERTIFICATE })
    for (const [url, sentence] of REJECTED_URLS) expect(await errorOf(post(url, POST)), url).toBe(sentence)
    expect(await errorOf(post('https://feeds.example/', POST))).toBe(NOT_PUBLIC)
    expect(trap.visits()).toBe(0)
    for (const [url, sentence] of REJECTED_URLS) expect(() => rejectForbiddenUrl(url, false), url).toThrow(sentence)
  })

  test('returns the status of a reply that stays open', async () => {
    const port = await startHttpsHost((_request, response) => void response.writeHead(200).write('begun'))
    const { status, body } = await postOf(port, { excerptMs: 100 })('https://feeds.example/', POST)
    expect([status, body.toString()]).toEqual([200, 'begun'])
  })

  test.each([
    ['204 without a length', 'HTTP/1.1 204 No Content\r\n\r\n', 204],
    ['HTTP/1.0 without a length', 'HTTP/1.0 200 OK\r\n\r\nok', 200],
    [
      'interim responses',
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
      200,
    ],
    ['a NUL in the body', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\na\0b', 200],
    ['a permanent redirect', 'HTTP/1.1 308 Permanent Redirect\r\nLocation: https://other.example/\r\nContent-Length: 0\r\n\r\n', 308],
  ])('returns the status of %s', async (_what, bytes, expected) => {
    const port = await startHttpsHost((request) => void request.socket.end(bytes))
    expect((await postOf(port)('https://feeds.example/', POST)).status).toBe(expected)
  })

  test('rejects a reset connection and a reply that is not HTTP', async () => {
    const port = await startHttpsHost(({ url, socket }) => void (url === '/reset' ? socket.destroy() : socket.end('hello\r\n\r\n')))
    for (const path of ['reset', 'garbage'])
      expect(await errorOf(postOf(port)(`https://feeds.example/${path}`, POST))).toBe(
        'This address closed the connection early, or does not speak HTTP.',
      )
  })

  test('gives up after its time limit', async () => {
    const port = await startHttpsHost(() => undefined)
    expect(await errorOf(postOf(port)('https://feeds.example/', { ...POST, timeoutMs: 300 }))).toBe(TOO_SLOW)
  })
})
