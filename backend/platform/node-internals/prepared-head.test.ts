/** A prepared head equals byte for byte the head that Node writes. */
import { type ServerResponse, createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { nextRequestId } from '#backend/platform/http/request-id.ts'
import { setNodeInternals, usesNodeInternals } from './node-internals.ts'
import { PreparedHead } from './prepared-head.ts'

const BODY = Buffer.from('[1,2,3]')
const LINES = ['ETag', '"abc"', 'Vary', 'Accept-Encoding']
const WHOLE = [...LINES, 'Content-Type', 'application/json', 'Content-Length', String(BODY.length)]

/** The lines added to every head. */
const ADDED = ['X-Content-Type-Options', 'nosniff', 'X-Request-Id', nextRequestId()]

const heads = { whole: new PreparedHead(200, WHOLE), unchanged: new PreparedHead(304, LINES) }

/** For each response, whether Node wrote its head. */
const writtenByNode: boolean[] = []

const server = createServer((request, response) => {
  const { searchParams, pathname } = new URL(request.url ?? '', 'http://list')
  if (searchParams.has('leaving')) response.shouldKeepAlive = false
  if (searchParams.has('set')) response.setHeader('X-Before', 'yes')
  if (searchParams.has('gone')) response.removeHeader('Connection')
  if (searchParams.has('named')) response.statusMessage = 'Fine'
  if (searchParams.has('undated')) response.sendDate = false
  const isUnchanged = searchParams.has('unchanged')
  if (pathname === '/node') response.writeHead(isUnchanged ? 304 : 200, [...(isUnchanged ? LINES : WHOLE), ...ADDED])
  else prepared(response, isUnchanged ? heads.unchanged : heads.whole)
  response.end(isUnchanged || request.method === 'HEAD' ? undefined : BODY)
})

function prepared(response: ServerResponse, head: PreparedHead): void {
  const own = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse
  let wasCalled = false
  response.writeHead = (...args: unknown[]) => {
    wasCalled = true
    return own(...args)
  }
  head.write(response)
  writtenByNode.push(wasCalled)
}

setNodeInternals(process.env.NODE_INTERNALS !== 'off')

beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => server.close())

/** Returns everything received until the connection closes. */
async function exchange(...requests: string[]): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let received = ''
  socket.setEncoding('latin1').on('data', (text: string) => (received += text))
  socket.write(requests.join(''))
  await new Promise((resolve) => socket.once('close', resolve))
  return received
    .replaceAll(/\r\nDate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n/g, '\r\nDate: now\r\n')
    .replaceAll(/\r\nX-Request-Id: \w{8}-\w+\r\n/g, '\r\nX-Request-Id: its own\r\n')
}

const request = (path: string, { method = 'GET', version = '1.1', lines = [] as string[] } = {}) =>
  `${[`${method} ${path} HTTP/${version}`, 'Host: list', ...lines].join('\r\n')}\r\n\r\n`
const LAST = request('/node', { lines: ['Connection: close'] })

const cases: readonly [string, string, Parameters<typeof request>[1], boolean][] = [
  ['a 200', '', {}, false],
  ['a 304', '?unchanged', {}, false],
  ['a 200 to HEAD', '', { method: 'HEAD' }, false],
  ['a 304 to HEAD', '?unchanged', { method: 'HEAD' }, false],
  ['a client that closes', '', { lines: ['Connection: close'] }, true],
  ['a 200 after which the server closes', '?leaving', {}, true],
  ['a 304 after which the server closes', '?unchanged&leaving', {}, true],
  ['HTTP/1.0', '', { version: '1.0' }, true],
  ['HTTP/1.0 with keep-alive', '', { version: '1.0', lines: ['Connection: keep-alive'] }, true],
  ['HTTP/1.0 with keep-alive and a 304', '?unchanged', { version: '1.0', lines: ['Connection: keep-alive'] }, true],
  ['a client that waits for 100 Continue', '', { lines: ['Expect: 100-continue'] }, true],
  ['a response with headers set before', '?set', {}, true],
  ['a response without its Connection header', '?gone', {}, true],
  ['a response with its own status message', '?named', {}, true],
  ['a response without a date', '?undated', {}, true],
]

test.each(cases)('%s has the head that Node writes', async (_what, query, options, isFromNode) => {
  const ending = /Connection: close/.test(options?.lines?.join() ?? '') || query.includes('leaving') ? '' : LAST
  writtenByNode.length = 0
  const ours = await exchange(request(`/ours${query}`, options), ending)
  expect(ours).toBe(await exchange(request(`/node${query}`, options), ending))
  expect(ours).toMatch(/^HTTP\/1\.1 \d{3} /)
  expect(writtenByNode).toEqual([isFromNode || !usesNodeInternals()])
})

test('responses on one connection are complete and in order', async () => {
  const all = (path: string) => [
    request(path),
    request(`${path}?unchanged`),
    request(path, { method: 'HEAD' }),
    request(`${path}?unchanged`),
    LAST,
  ]
  const ours = await exchange(...all('/ours'))
  expect(ours).toBe(await exchange(...all('/node')))
  expect(ours.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 304', 'HTTP/1.1 200', 'HTTP/1.1 304', 'HTTP/1.1 200'])
})

test.each([5000, 72_000, 1, 0])('a keep-alive timeout of %i ms is announced as Node does', async (timeout) => {
  const before = server.keepAliveTimeout
  onTestFinished(() => void (server.keepAliveTimeout = before))
  server.keepAliveTimeout = timeout
  const ours = await exchange(request('/ours'), LAST)
  expect(ours).toBe(await exchange(request('/node'), LAST))
  expect(ours.includes(`timeout=${Math.floor(timeout / 1000)}`)).toBe(timeout > 0)
})

test('a limit of requests per connection is announced as Node does', async () => {
  server.maxRequestsPerSocket = 3
  onTestFinished(() => void (server.maxRequestsPerSocket = 0))
  const all = (path: string) => [request(path), request(path), request(path)]
  const ours = await exchange(...all('/ours'))
  expect(ours).toBe(await exchange(...all('/node')))
  expect(ours).toContain('max=3')
})

test('the date is that of the response, not of the prepared head', async () => {
  const dateOf = async () =>
    Date.parse((await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/ours`)).headers.get('date') ?? '')
  const first = await dateOf()
  await expect.poll(dateOf, { interval: 100, timeout: 5000 }).toBeGreaterThan(first)
})

test.each([
  ['a value with a line break', ['Link', 'a\r\nSet-Cookie: b']],
  ['a value with an invalid character', ['Link', 'ab\u{1}']],
  ['an invalid name', ['Lin k', 'a']],
  ['a name without a value', ['Vary', 'Accept-Encoding', 'Link']],
])('rejects %s', (_what, lines) => {
  expect(() => new PreparedHead(200, lines)).toThrow(/Invalid character|must be a valid HTTP token|a value for each name/)
})
