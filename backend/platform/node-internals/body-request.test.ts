/** Bodies are read completely however they arrive, and requests on one connection are answered in order. */
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { buildServer } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { fleetOwner, readList } from '#tests/list/send.ts'
import { BodyRequest } from './body-request.ts'

let app: TestApp
let owner: SignedInUser

beforeAll(async () => {
  app = await startApp()
  owner = await fleetOwner(app)
})

const bodyOf = (overrides: object = {}) =>
  Buffer.from(
    JSON.stringify({ port: 7788, playersCount: 3, maxPlayersCount: 90, passworded: false, version: '1', branch: 'release', ...overrides }),
  )

function announce(credential: string, body: Buffer, path = '/announce', ...headers: string[]): Buffer {
  const lines = [`POST ${path} HTTP/1.1`, 'Host: list', `Authorization: Bearer ${credential}`, ...headers]
  if (!headers.includes('Transfer-Encoding: chunked')) lines.push(`Content-Length: ${body.length}`)
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body])
}

const chunked = (body: Buffer) => Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')])

/** Sends each piece in its own packet, and returns everything received until the connection closes. */
const exchange = (...pieces: Buffer[]) => exchangeWith(Number(new URL(app.listUrl).port), ...pieces)

async function exchangeWith(port: number, ...pieces: Buffer[]): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const received: Buffer[] = []
  socket.on('data', (piece) => received.push(piece))
  const ended = new Promise((resolve) => {
    socket.once('close', resolve)
  })
  // Writing to a closed connection may fail.
  socket.on('error', () => undefined)
  for (const piece of pieces) {
    if (!socket.destroyed) socket.write(piece)
    await sleep(3)
  }
  await ended
  return Buffer.concat(received).toString()
}

const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))

const inPieces = (bytes: Buffer, length: number) =>
  Array.from({ length: Math.ceil(bytes.length / length) }, (_, index) => bytes.subarray(index * length, (index + 1) * length))

test.each([
  ['in one piece', '/announce', 10_000],
  ['in pieces that split characters', '/announce', 7],
  ['in pieces, to a path with a trailing slash', '/announce/', 7],
])('a body %s is read as sent', async (_how, path, length) => {
  const { credential, public_id } = await buildServer(owner)
  const gameMode = `Überfälle ${path.length}.${length} 🏎️`
  const text = await exchange(...inPieces(announce(credential, bodyOf({ gameMode }), path, 'Connection: close'), length))
  expect(statuses(text), text).toEqual([200])
  await expect.poll(async () => (await readList(app)).find((server) => server.publicId === public_id)?.gameMode).toBe(gameMode)
})

test('a chunked body is read completely, and an empty one is rejected as BODY_NOT_JSON', async () => {
  const { credential } = await buildServer(owner)
  const whole = chunked(bodyOf())
  const text = await exchange(
    announce(credential, whole.subarray(0, 40), '/announce', 'Transfer-Encoding: chunked'),
    whole.subarray(40),
    announce(credential, Buffer.alloc(0)),
    Buffer.from(
      `POST /announce HTTP/1.1\r\nHost: list\r\nAuthorization: Bearer ${credential}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n`,
    ),
  )
  expect(statuses(text), text).toEqual([200, 400, 400])
  expect(text.match(/BODY_NOT_JSON/g)).toHaveLength(2)
})

test.each(['/announce', '/announce/', '/cloud-auth/ticket', '/cloud-auth/verify'])(
  'a request to %s without a length and a body gets 400',
  async (path) => {
    const { credential } = await buildServer(owner)
    const head = `POST ${path} HTTP/1.1\r\nHost: list\r\nAuthorization: Bearer ${credential}\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n`
    const text = await exchange(Buffer.from(head))
    expect(statuses(text), text).toEqual([400])
  },
)

test('announces and reads pipelined on one connection are answered in order', async () => {
  const [one, other] = [await buildServer(owner), await buildServer(owner)]
  const read = (path: string, ...headers: string[]) => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: list\r\n${headers.join('')}\r\n`)
  const text = await exchange(
    Buffer.concat([
      read('/servers/info'),
      announce(one.credential, bodyOf()),
      read('/servers?branch=nobody'),
      announce(other.credential, bodyOf()),
      // The body of a read is discarded and not parsed as the next request.
      ...['/servers/info', '/servers?branch=nobody'].flatMap((path) => [read(path, 'Content-Length: 12\r\n'), Buffer.from('POST /nobody')]),
      announce(one.credential, bodyOf({ playersCount: 4 }), '/announce', 'Connection: close'),
    ]),
  )
  expect(statuses(text), text).toEqual([200, 200, 200, 200, 200, 200, 200])
  const ids = [...text.matchAll(/"publicId":"([^"]+)","listed":/g)].map(([, id]) => id)
  expect(ids).toEqual([one.public_id, other.public_id, one.public_id])
})

test.each([
  ['with its length', false],
  ['in chunks', true],
])('rejects a body that is too large, %s, before it has arrived, and closes the connection', async (_how, isChunked) => {
  const { credential, public_id } = await buildServer(owner)
  const large = Buffer.alloc(20_000, ' ')
  const [head, ...rest] = inPieces(isChunked ? chunked(large) : large, 3000)
  const headers = isChunked ? ['Transfer-Encoding: chunked'] : [`Content-Length: ${large.length}`]
  const start = `POST /announce HTTP/1.1\r\nHost: list\r\nAuthorization: Bearer ${credential}\r\n${headers.join('\r\n')}\r\n\r\n`
  const text = await exchange(Buffer.concat([Buffer.from(start), head ?? large]), ...rest.slice(0, 3))
  expect(statuses(text), text).toEqual([413])
  const attempts = () => app.db.selectFrom('announce_attempts').select('code').where('server_id', '=', public_id).execute()
  await expect.poll(attempts).toEqual([{ code: 'BODY_TOO_LARGE' }])
})

test('an announce that is cut off has no effect', async () => {
  const { credential, public_id } = await buildServer(owner)
  const whole = announce(credential, bodyOf())
  const socket = connect({ port: Number(new URL(app.listUrl).port), host: '127.0.0.1' })
  socket.write(whole.subarray(0, whole.length - 1))
  await sleep(50)
  socket.destroy()
  await exchange(announce((await buildServer(owner)).credential, bodyOf(), '/announce', 'Connection: close'))
  await sleep(1500)
  expect((await readList(app)).some((server) => server.publicId === public_id)).toBe(false)
  expect(await app.db.selectFrom('announce_attempts').selectAll().where('server_id', '=', public_id).execute()).toEqual([])
})

test.each([7, 10_000])('a body requested late is complete, and undefined above the limit, in pieces of %i bytes', async (length) => {
  const server = createServer({ IncomingMessage: BodyRequest }, (request, response) => {
    setTimeout(() => BodyRequest.read(request, 100, (body) => response.end(`got ${String(body)}`)), 20)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => {
    server.once('listening', resolve)
  })
  const { port } = server.address() as AddressInfo
  const send = (body: string) => exchangeWith(port, ...inPieces(announce('nobody', Buffer.from(body), '/', 'Connection: close'), length))
  expect(await send('Überfälle')).toMatch(/got Überfälle/)
  expect(await send('x'.repeat(101))).toMatch(/got undefined/)
})
