/** Large bodies reach slow readers, and readers that do not read are disconnected. */
import { once } from 'node:events'
import { type Server, createServer } from 'node:http'
import { type AddressInfo, type Socket, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { pacedStream } from './paced-stream.ts'

/** The interval is longer than any pause of a busy machine. */
const PACE = { intervalMs: 1500, minBytes: 64 * 1024 }
const LARGE = 24 * 1024 * 1024

const servers: Server[] = []
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) server.close()
})

/** A server that sends the same buffers to every request. */
async function startServer(parts: readonly Buffer[]) {
  const state = { started: 0, ended: 0, port: 0 }
  const server = createServer((request, response) => {
    state.started += 1
    response.setHeader(
      'content-length',
      parts.reduce((sum, { length }) => sum + length, 0),
    )
    pacedStream(request, response, parts, () => (state.ended += 1), PACE).pipe(response)
  })
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  state.port = (server.address() as AddressInfo).port
  return state
}

/** Sends raw requests and reads nothing until resumed. */
function reader(port: number, requests = 1): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(requests))
  sockets.push(socket)
  return socket
}

test('sends the parts in order, and calls onEnd once they are sent', async () => {
  const parts = [Buffer.from('{"a":"'), Buffer.alloc(200_000, 'x'), Buffer.alloc(0), Buffer.from('"}')]
  const state = await startServer(parts)
  const response = await fetch(`http://127.0.0.1:${state.port}/`)
  expect(await response.text()).toBe(`{"a":"${'x'.repeat(200_000)}"}`)
  await expect.poll(() => state.ended).toBe(1)
})

test('disconnects a reader that reads nothing, but not one that reads slowly and steadily', async () => {
  const state = await startServer([Buffer.alloc(LARGE)])
  const idle = reader(state.port)
  const slow = reader(state.port)
  let bytes = 0
  slow.on('data', (part) => {
    bytes += part.length
    slow.pause()
    setTimeout(() => slow.resume(), 1)
  })
  slow.resume()
  await expect.poll(() => state.ended).toBeGreaterThanOrEqual(1)
  await expect.poll(() => bytes).toBeGreaterThan(LARGE)
  await expect.poll(() => state.ended).toBe(2)
  let idleBytes = 0
  idle.on('data', (part) => (idleBytes += part.length))
  idle.resume()
  await once(idle, 'close')
  expect(idleBytes).toBeLessThan(LARGE)
})

test('releases the body when a reader disconnects, even with several requests in flight', async () => {
  const state = await startServer([Buffer.alloc(LARGE)])
  const [single, pipelined] = [reader(state.port), reader(state.port, 5)]
  await expect.poll(() => state.started).toBeGreaterThanOrEqual(2)
  await sleep(20)
  single.destroy()
  pipelined.destroy()
  await expect.poll(() => state.ended === state.started).toBe(true)
})
