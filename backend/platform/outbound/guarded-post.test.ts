/** The guarded client sends bodies: webhooks. */
import { describe, expect, test } from 'vitest'
import { CERTIFICATE, PUBLIC_ADDRESS, startHttpsHost, startTrap } from '#tests/https-host/https-host.ts'
import { type GuardedOptions, createPostPublic, rejectForbiddenUrl } from './guarded-client.ts'
import { NOT_PUBLIC, REJECTED_URLS, TOO_SLOW, errorOf } from '#tests/https-host/guarded-client.ts'

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
