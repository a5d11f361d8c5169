/** A head that is written once reads over the wire as the one that node writes each time. */
import { type ServerResponse, createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { nextRequestId } from '#backend/platform/http/request-id.ts'
import { setNodeInternals, usesNodeInternals } from './node-internals.ts'
import { PreparedHead } from './prepared-head.ts'

const BODY = Buffer.from('[1,2,3]')
const LINES = ['ETag', '"abc"', 'Vary', 'Accept-Encoding']
const WHOLE = [...LINES, 'Content-Type', 'application/json', 'Content-Length', String(BODY.length)]

/** What is added to every head. */
const ADDED = ['X-Content-Type-Options', 'nosniff', 'X-Request-Id', nextRequestId()]

const heads = { whole: new PreparedHead(200, WHOLE), unchanged: new PreparedHead(304, LINES) }

/** Which of the two an answer's head was written by: only node's writes its first line itself. */
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
  let wasAsked = false
  response.writeHead = (...args: unknown[]) => {
    wasAsked = true
    return own(...args)
  }
  head.write(response)
  writtenByNode.push(wasAsked)
}

setNodeInternals(process.env.NODE_INTERNALS !== 'off')

beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => server.close())

/** Everything that comes back, until the connection ends. */
async function talk(...requests: string[]): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let heard = ''
  socket.setEncoding('latin1').on('data', (text: string) => (heard += text))
  socket.write(requests.join(''))
  await new Promise((resolve) => socket.once('close', resolve))
  return heard
    .replaceAll(/\r\nDate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n/g, '\r\nDate: now\r\n')
    .replaceAll(/\r\nX-Request-Id: \w{8}-\w+\r\n/g, '\r\nX-Request-Id: its own\r\n')
}

const asked = (path: string, { method = 'GET', version = '1.1', lines = [] as string[] } = {}) =>
  `${[`${method} ${path} HTTP/${version}`, 'Host: list', ...lines].join('\r\n')}\r\n\r\n`
const LAST = asked('/node', { lines: ['Connection: close'] })

const cases: readonly [string, string, Parameters<typeof asked>[1], boolean][] = [
  ['a whole answer', '', {}, false],
  ['one that has not changed', '?unchanged', {}, false],
  ['a whole one to HEAD', '', { method: 'HEAD' }, false],
  ['one that has not changed to HEAD', '?unchanged', { method: 'HEAD' }, false],
  ['a sender who closes', '', { lines: ['Connection: close'] }, true],
  ['an answer after which the program closes', '?leaving', {}, true],
  ['one that has not changed, after which the program closes', '?unchanged&leaving', {}, true],
  ['HTTP/1.0', '', { version: '1.0' }, true],
  ['HTTP/1.0 that stays', '', { version: '1.0', lines: ['Connection: keep-alive'] }, true],
  ['HTTP/1.0 that stays, not changed', '?unchanged', { version: '1.0', lines: ['Connection: keep-alive'] }, true],
  ['a sender who waits to be told to go on', '', { lines: ['Expect: 100-continue'] }, true],
  ['an answer with lines set before', '?set', {}, true],
  ['an answer without its Connection line', '?gone', {}, true],
  ['an answer whose status has words of its own', '?named', {}, true],
  ['an answer without a date', '?undated', {}, true],
]

test.each(cases)('%s reads as node writes it', async (_what, query, how, isNodes) => {
  const ending = /Connection: close/.test(how?.lines?.join() ?? '') || query.includes('leaving') ? '' : LAST
  writtenByNode.length = 0
  const ours = await talk(asked(`/ours${query}`, how), ending)
  expect(ours).toBe(await talk(asked(`/node${query}`, how), ending))
  expect(ours).toMatch(/^HTTP\/1\.1 \d{3} /)
  expect(writtenByNode).toEqual([isNodes || !usesNodeInternals()])
})

test('answers that follow each other on one connection are each whole, in their order', async () => {
  const all = (path: string) => [asked(path), asked(`${path}?unchanged`), asked(path, { method: 'HEAD' }), asked(`${path}?unchanged`), LAST]
  const ours = await talk(...all('/ours'))
  expect(ours).toBe(await talk(...all('/node')))
  expect(ours.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 304', 'HTTP/1.1 200', 'HTTP/1.1 304', 'HTTP/1.1 200'])
})

test.each([5000, 72_000, 1, 0])('a connection that is kept for %i ms is said to be', async (timeout) => {
  const before = server.keepAliveTimeout
  onTestFinished(() => void (server.keepAliveTimeout = before))
  server.keepAliveTimeout = timeout
  const ours = await talk(asked('/ours'), LAST)
  expect(ours).toBe(await talk(asked('/node'), LAST))
  expect(ours.includes(`timeout=${Math.floor(timeout / 1000)}`)).toBe(timeout > 0)
})

test('a connection that is kept for so many answers only says how many', async () => {
  server.maxRequestsPerSocket = 3
  onTestFinished(() => void (server.maxRequestsPerSocket = 0))
  const all = (path: string) => [asked(path), asked(path), asked(path)]
  const ours = await talk(...all('/ours'))
  expect(ours).toBe(await talk(...all('/node')))
  expect(ours).toContain('max=3')
})

test('the date is that of the answer, not of the head', async () => {
  const dateOf = async () =>
    Date.parse((await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/ours`)).headers.get('date') ?? '')
  const first = await dateOf()
  await expect.poll(dateOf, { interval: 100, timeout: 5000 }).toBeGreaterThan(first)
})

test.each([
  ['a value with a line of its own', ['Link', 'a\r\nSet-Cookie: b']],
  ['a value that no header has', ['Link', 'ab\u{1}']],
  ['a name that is none', ['Lin k', 'a']],
  ['a name without a value', ['Vary', 'Accept-Encoding', 'Link']],
])('%s is refused', (_what, lines) => {
  expect(() => new PreparedHead(200, lines)).toThrow(/Invalid character|must be a valid HTTP token|a value for each name/)
})
