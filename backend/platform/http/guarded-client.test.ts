/** What the client that fetches users' addresses reaches, and what it never does. */
import { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { CERTIFICATE, PUBLIC_ADDRESS, startHttpsHost, startTrap } from '#tests/https-host/https-host.ts'
import { startNameServer } from '#tests/https-host/name-server.ts'
import { type GuardedOptions, createFetchPublic, createResolver } from './guarded-client.ts'

const TYPES = ['application/rss+xml', 'application/json']

/** A client to whom the test's host is the public internet, and nothing else is. */
function clientOf(port: number, options: GuardedOptions = {}) {
  return createFetchPublic({
    resolve: () => Promise.resolve([PUBLIC_ADDRESS]),
    isAllowed: (address) => address === PUBLIC_ADDRESS,
    port,
    ca: CERTIFICATE,
    ...options,
  })
}

const refusalOf = async (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'nothing was refused',
    (error: unknown) => {
      expect(error).toMatchObject({ name: 'AppError', kind: 'invalid' })
      return (error as Error).message
    },
  )

test('an answer comes with its type and charset, and the host is told no more than it must', async () => {
  const asked: (string | undefined)[] = []
  let headers: Record<string, unknown> = {}
  const port = await startHttpsHost((request, response) => {
    asked.push(request.method, request.url)
    ;({ headers } = request)
    response.setHeader('content-type', 'Application/RSS+xml; x=y; Charset="ISO-8859-1"').setHeader('set-cookie', 'a=b').end('<rss/>')
  })
  const fetchPublic = clientOf(port)
  const got = await fetchPublic('https://feeds.example/news?x=1#part', TYPES)
  expect({ ...got, body: got.body.toString() }).toEqual({ body: '<rss/>', type: 'application/rss+xml', charset: 'iso-8859-1' })
  expect(asked).toEqual(['GET', '/news?x=1'])
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
const TRICKS: readonly (readonly [string, string])[] = [
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
  ['https://feeds.example:8443/', 'The address must not name a port: only the usual one of https is allowed.'],
  ['https://feeds.example:80/', 'The address must not name a port: only the usual one of https is allowed.'],
  ['https://user@feeds.example/', 'The address must not hold a user name or a password.'],
  ['https://user:password@feeds.example/', 'The address must not hold a user name or a password.'],
  ['https://:password@feeds.example/', 'The address must not hold a user name or a password.'],
  ['https://feeds.example@127.0.0.1/', 'The address must not hold a user name or a password.'],
  ...['http://⑯⑨.254.①⑥⑨.254/', 'http://feeds.example/', 'ftp://feeds.example/', 'file:///etc/passwd', 'data:text/xml,<rss/>'].map(
    (url) => [url, 'The address must begin with https://.'] as const,
  ),
  ['gopher://127.0.0.1/', 'The address must begin with https://.'],
]

test('no trick of spelling reaches an address that is not public: not one connection is made', async () => {
  const trap = await startTrap()
  const connect = vi.spyOn(Socket.prototype, 'connect')
  // Whatever would be looked up is at home, too.
  const resolve = vi.fn(() => Promise.resolve(['127.0.0.1', '::1']))
  const fetchPublic = createFetchPublic({ resolve, port: trap.port, ca: CERTIFICATE, timeoutMs: 2000 })
  for (const [url, sentence] of TRICKS) expect(await refusalOf(fetchPublic(url, TYPES)), url).toBe(sentence)
  expect(resolve).not.toHaveBeenCalled()
  expect(await refusalOf(fetchPublic('https://feeds.example/', TYPES))).toBe(NOT_PUBLIC)
  expect(resolve).toHaveBeenCalledTimes(1)
  expect(connect).not.toHaveBeenCalled()
  expect(trap.visits()).toBe(0)
  connect.mockRestore()
})

test('a name with one private address among public ones is refused, wherever it stands', async () => {
  const trap = await startTrap()
  const port = await startHttpsHost((_request, response) => response.end())
  for (const addresses of [
    [PUBLIC_ADDRESS, '127.0.0.1'],
    ['127.0.0.1', PUBLIC_ADDRESS],
    [PUBLIC_ADDRESS, '::1'],
    [PUBLIC_ADDRESS, 'no address'],
  ]) {
    const connect = vi.spyOn(Socket.prototype, 'connect')
    expect(await refusalOf(clientOf(port, { resolve: () => Promise.resolve(addresses) })('https://feeds.example/', TYPES))).toBe(NOT_PUBLIC)
    expect(connect).not.toHaveBeenCalled()
    connect.mockRestore()
  }
  expect(trap.visits()).toBe(0)
})

test('a name that is public at the first look-up and private at the second is looked up once, and reached where it was public', async () => {
  const trap = await startTrap(0, '127.0.0.1')
  // The same port: only the address says which of the two is reached.
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
  // The next call judges anew, and does not come in through a connection that was left open.
  expect(await refusalOf(fetchPublic('https://feeds.example/', TYPES))).toBe(NOT_PUBLIC)
  expect(trap.visits()).toBe(0)
})

test('a name server that answers otherwise each time changes nothing: what it said first is judged and reached', async () => {
  const trap = await startTrap(0, '127.0.0.1')
  const port = await startHttpsHost(
    (_request, response) => response.setHeader('content-type', 'application/json').end('{}'),
    undefined,
    trap.port,
  )
  const answers = [PUBLIC_ADDRESS, '127.0.0.1', PUBLIC_ADDRESS]
  let said = answers.shift()
  const questions: string[] = []
  const nameServer = await startNameServer((host, kind) => {
    questions.push(`${host} ${kind}`)
    const now = said === undefined ? [] : [said]
    if (kind === 'ipv4') said = answers.shift()
    return kind === 'ipv4' ? now : []
  })
  const fetchPublic = clientOf(port, { resolve: createResolver([nameServer]) })
  expect((await fetchPublic('https://Feeds.Example/', TYPES)).body.toString()).toBe('{}')
  expect(questions.toSorted()).toEqual(['feeds.example ipv4', 'feeds.example ipv6'])
  expect(await refusalOf(fetchPublic('https://feeds.example/', TYPES))).toBe(NOT_PUBLIC)
  expect(await refusalOf(fetchPublic('https://feeds.example/', TYPES))).toBe('nothing was refused')
  expect(trap.visits()).toBe(0)
})

test('all that a name server says is judged, IPv6 like IPv4', async () => {
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
  for (const host of Object.keys(zone)) expect(await refusalOf(fetchPublic(`https://${host}/`, TYPES)), host).toBe(NOT_PUBLIC)
  expect(await refusalOf(fetchPublic('https://f.example/', TYPES))).toBe('There is no such host. Check the spelling of the address.')
  expect(connect).not.toHaveBeenCalled()
  connect.mockRestore()
})

test.each([301, 302, 303, 307, 308, 300])('a redirect (%i) is not followed', async (status) => {
  const trap = await startTrap()
  const port = await startHttpsHost((_request, response) => {
    response
      .writeHead(status, { location: `https://127.0.0.1:${trap.port}/latest/meta-data/`, 'content-type': 'application/json' })
      .end('{}')
  })
  const sentence = 'This address leads on to another one. Give the address that it leads to.'
  expect(await refusalOf(clientOf(port)('https://feeds.example/', TYPES))).toBe(sentence)
  expect(trap.visits()).toBe(0)
})

test.each([201, 204, 206, 400, 401, 404, 429, 500, 503])('the status %i is refused', async (status) => {
  const port = await startHttpsHost((_request, response) => response.writeHead(status, { 'content-type': 'application/json' }).end())
  expect(await refusalOf(clientOf(port)('https://feeds.example/', TYPES))).toContain(`status ${status}`)
})

test.each([
  ['text/html', ' (text/html)'],
  ['', ''],
  ['application/rss+xml, text/html', ''],
  ['<script>/x', ''],
])('the type "%s" is refused where it was not asked for', async (type, said) => {
  const port = await startHttpsHost((_request, response) => {
    if (type !== '') response.setHeader('content-type', type)
    response.end('{}')
  })
  const refusal = await refusalOf(clientOf(port)('https://feeds.example/', TYPES))
  expect(refusal).toBe(`This address answers with the wrong type of content${said}.`)
})

const TOO_SLOW = 'This address does not answer in full within 1 second.'

test.each<[string, Parameters<typeof startHttpsHost>[0]]>([
  ['says nothing', () => undefined],
  [
    'sends a header a time',
    (_request, { socket }) => void setInterval(() => socket?.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 50).unref(),
  ],
  [
    'sends its body by the byte',
    (_request, response) => {
      response.setHeader('content-type', 'application/json').write('{')
      const drip = setInterval(() => response.write(' '), 50)
      response.once('close', () => clearInterval(drip))
    },
  ],
])('a host that %s is left after the time', async (_what, answer) => {
  const port = await startHttpsHost(answer)
  const began = performance.now()
  expect(await refusalOf(clientOf(port, { timeoutMs: 700 })('https://feeds.example/', TYPES))).toBe(TOO_SLOW)
  expect(performance.now() - began).toBeLessThan(3000)
})

test('a name server that never answers is left after the time', async () => {
  const silent = createResolver([await startNameServer(() => undefined)])
  for (const resolve of [silent, () => new Promise<string[]>(() => undefined)])
    expect(await refusalOf(clientOf(1, { resolve, timeoutMs: 300 })('https://feeds.example/', TYPES))).toBe(TOO_SLOW)
})

test('a body without an end, one that is too long and one that says so are not read on', async () => {
  const sent: number[] = []
  const port = await startHttpsHost((request, response) => {
    response.setHeader('content-type', 'application/json')
    if (request.url === '/said') return response.setHeader('content-length', 65_537).flushHeaders()
    if (request.url === '/long') return response.end('x'.repeat(65_537))
    if (request.url === '/most') return response.end('x'.repeat(65_536))
    let bytes = 0
    const flood = setInterval(() => {
      response.write('x'.repeat(16_384))
      sent.push((bytes += 16_384))
    }, 1)
    response.once('close', () => clearInterval(flood))
  })
  const fetchPublic = clientOf(port)
  for (const path of ['endless', 'long', 'said'])
    expect(await refusalOf(fetchPublic(`https://feeds.example/${path}`, TYPES)), path).toBe('This address answers with more than 64 KB.')
  expect(Math.max(...sent)).toBeLessThan(4_000_000)
  expect((await fetchPublic('https://feeds.example/most', TYPES)).body).toHaveLength(65_536)
})

test('a gzip bomb is not even begun', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000))
  const port = await startHttpsHost((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb)
  })
  const sentence = 'This address answers compressed even where it is asked not to.'
  expect(await refusalOf(clientOf(port)('https://feeds.example/', TYPES))).toBe(sentence)
})

test('headers of more than 16 KB are refused', async () => {
  const port = await startHttpsHost((_request, response) => response.setHeader('x-long', 'x'.repeat(20_000)).end())
  expect(await refusalOf(clientOf(port)('https://feeds.example/', TYPES))).toBe('This address answers with headers of more than 16 KB.')
})

test('what is not HTTP, or breaks off, is refused', async () => {
  const port = await startHttpsHost((request, response) => {
    if (request.url === '/garbage') return response.socket?.end('SSH-2.0-OpenSSH\r\n')
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{')
    setTimeout(() => response.destroy(), 50)
  })
  const sentence = 'This address broke off its answer, or answers with something other than HTTP.'
  for (const path of ['garbage', 'broken'])
    expect(await refusalOf(clientOf(port)(`https://feeds.example/${path}`, TYPES)), path).toBe(sentence)
})

test('a certificate that nobody vouches for, or that is for somebody else, is refused', async () => {
  const port = await startHttpsHost((_request, response) => response.setHeader('content-type', 'application/json').end('{}'))
  const sentence = 'This address has no valid certificate, so it can not be trusted.'
  const believing = clientOf(port)
  const { ca: _, ...rest } = { ca: CERTIFICATE, resolve: () => Promise.resolve([PUBLIC_ADDRESS]), isAllowed: () => true, port }
  expect(await refusalOf(createFetchPublic(rest)('https://feeds.example/', TYPES))).toBe(sentence)
  expect(await refusalOf(believing('https://other.example/', TYPES))).toBe(sentence)
  expect(await refusalOf(believing(`https://${PUBLIC_ADDRESS}/`, TYPES))).toBe(sentence)
  const plain = await startTrap(0, PUBLIC_ADDRESS)
  expect(await refusalOf(clientOf(plain.port)('https://feeds.example/', TYPES))).toBe(sentence)
})

test('a host that does not exist, and one where nobody listens, are told apart', async () => {
  const nobody = () => Promise.resolve([])
  const failing = () => Promise.reject(new Error('SERVFAIL'))
  for (const resolve of [nobody, failing]) {
    const sentence = 'There is no such host. Check the spelling of the address.'
    expect(await refusalOf(clientOf(1, { resolve })('https://feeds.example/', TYPES))).toBe(sentence)
  }
  expect(await refusalOf(clientOf(1)('https://feeds.example/', TYPES))).toBe('No connection to this address can be made.')
})

test('where one public address is dead the next one answers', async () => {
  const port = await startHttpsHost((_request, response) => response.setHeader('content-type', 'application/json').end('{}'))
  const options = { resolve: () => Promise.resolve(['127.0.0.3', PUBLIC_ADDRESS]), isAllowed: () => true }
  expect((await clientOf(port, options)('https://feeds.example/', TYPES)).body.toString()).toBe('{}')
})

test('no more than 32 are fetched at once; the next is told to come back, and may once one has ended', async () => {
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
