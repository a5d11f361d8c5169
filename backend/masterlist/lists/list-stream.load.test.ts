/** Streams with too many readers, or with readers that do not read. The changes are generated. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, type Socket, connect } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { localBus } from '#backend/platform/cluster/bus.ts'
import { EventReader } from '#tests/list/event-reader.ts'
import { send } from '#tests/list/send.ts'
import type { Deltas, Tick } from './deltas.ts'
import { ListStreams } from './list-stream.ts'

let tick: ((tick: Tick) => void) | undefined
let url: string
let port: number
let streams: ListStreams
let missed: ReturnType<Deltas['deltaJson']>
const server = createServer((request, response) => streams.stream(request, response))

function withMaxStreams(maxStreams: number): ListStreams {
  const changes: Pick<Deltas, 'version' | 'deltaJson' | 'onTick'> = {
    version: 'a.1.b',
    deltaJson: () => missed,
    onTick: (listener) => {
      tick = listener
      return () => {
        tick = undefined
      }
    },
  }
  const deps = { env: { RATE_LIMITS: false }, clock: { now: () => 0, uptime: () => 0 }, bus: localBus('test') }
  return new ListStreams(deps as ConstructorParameters<typeof ListStreams>[0], changes as Deltas, () => '203.0.113.1', maxStreams)
}

beforeEach(async () => {
  missed = '{"version":"a.1.b","changed":[],"removed":[]}'
  streams = withMaxStreams(2)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ;({ port } = server.address() as AddressInfo)
  url = `http://127.0.0.1:${port}/servers/stream`
})

afterEach(async () => {
  vi.useRealTimers()
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

/** Opens streams on one connection and reads nothing. */
async function openIdleReader(requests = 1): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.pause()
  const before = streams.size
  socket.write('GET /servers/stream HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(requests))
  await expect.poll(() => streams.size).toBe(before + requests)
  return socket
}

const delta = (bytes: number) => `{"version":"a.2.b","changed":[],"removed":["${'x'.repeat(bytes)}"]}` as const

test.each([1, 2])('a client that does not read %d streams on one connection is disconnected, and others continue', async (requests) => {
  const idle = await openIdleReader(requests)
  const reader = requests === 1 ? await EventReader.open(url) : undefined
  await reader?.next()
  let notified = 0
  // The operating system's buffers fill first.
  await expect
    .poll(
      async () => {
        if (streams.size === (reader === undefined ? 0 : 1)) return true
        tick?.({ version: 'a.2.b', json: delta(200_000) })
        notified += 1
        await reader?.next()
        return false
      },
      { interval: 1 },
    )
    .toBe(true)
  tick?.({ version: 'a.3.b', json: delta(10) })
  if (reader !== undefined) expect((await reader.next()).id).toBe('a.3.b')
  expect(notified).toBeLessThan(200)
  reader?.close()
  idle.destroy()
})

test('the number of streams is limited, and without readers the stream listens to no ticks', async () => {
  const [one, two] = [await EventReader.open(url), await EventReader.open(url)]
  const rejected = await send(url)
  expect([rejected.status, JSON.parse(rejected.text)]).toMatchObject([503, { code: 'STREAMS_FULL' }])
  expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0)
  one.close()
  await expect.poll(() => streams.size).toBe(1)
  const three = await EventReader.open(url)
  expect(three.response.status).toBe(200)
  two.close()
  three.close()
  await expect.poll(() => tick).toBeUndefined()
})

test('a reader that missed too much must reload the list', async () => {
  missed = 'too-old'
  const response = await send(`${url}?since=a.0.b`)
  expect([response.status, JSON.parse(response.text)]).toMatchObject([410, { code: 'VERSION_TOO_OLD' }])
})

test('a tick too large to stream ends all streams with spread reconnect delays, and reconnecting works', async () => {
  const [one, two] = [await EventReader.open(url), await EventReader.open(url)]
  await Promise.all([one.next(), two.next()])
  tick?.({ version: 'a.2.b', json: delta(10) })
  tick?.({ version: 'a.3.b', json: undefined })
  await Promise.all([one.ended, two.ended])
  const times = [one, two].map(({ retries }) => retries.at(-1) ?? 0)
  expect(new Set(times).size).toBe(2)
  expect(Math.min(...times)).toBeGreaterThanOrEqual(1000)
  await expect.poll(() => streams.size).toBe(0)
  const reopened = await EventReader.open(url)
  expect((await reopened.next()).id).toBe('a.1.b')
  tick?.({ version: 'a.4.b', json: delta(10) })
  expect((await reopened.next()).id).toBe('a.4.b')
  reopened.close()
})

test('readers get all ticks of a burst in order, and a burst of thirty ends the stream', async () => {
  streams = withMaxStreams(200)
  const readers = await Promise.all(Array.from({ length: 200 }, () => EventReader.open(url)))
  await Promise.all(readers.map((reader) => reader.next()))
  for (let count = 2; count < 10; count += 1) tick?.({ version: `a.${count}.b`, json: delta(10) })
  for (const reader of readers) for (let count = 2; count < 10; count += 1) expect((await reader.next()).id).toBe(`a.${count}.b`)
  for (let count = 0; count < 30; count += 1) tick?.({ version: `b.${count}.b`, json: delta(10) })
  await Promise.all(readers.map((reader) => reader.ended))
  await expect.poll(() => streams.size).toBe(0)
})

test('pipelined streams end when their connection closes', async () => {
  const idle = await openIdleReader(2)
  idle.destroy()
  await expect.poll(() => streams.size).toBe(0)
})

test('a silent stream sends a comment every 15 seconds', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const reader = await EventReader.open(url)
  await reader.next()
  vi.advanceTimersByTime(15_000)
  await expect.poll(() => reader.comments).toEqual(['still here'])
  vi.advanceTimersByTime(15_000)
  await expect.poll(() => reader.comments.length).toBe(2)
  reader.close()
  await expect.poll(() => streams.size).toBe(0)
})

test('after shutdown new streams are rejected, and readers that did not read are disconnected', async () => {
  const idle = await openIdleReader(2)
  streams.drain()
  expect((await send(url)).status).toBe(503)
  await expect.poll(() => streams.size).toBe(0)
  idle.destroy()
})
