/** How large bodies reach those who read them, and do not those who don't. */
import { once } from 'node:events'
import { type Server, createServer } from 'node:http'
import { type AddressInfo, type Socket, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { pacedStream } from './paced-stream.ts'

const PACE = { intervalMs: 150, minBytes: 64 * 1024 }
const LARGE = 24 * 1024 * 1024

const servers: Server[] = []
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) server.close()
})

/** Sends the same buffers to whoever asks. */
async function serving(parts: readonly Buffer[]) {
  const state = { begun: 0, over: 0, port: 0 }
  const server = createServer((request, response) => {
    state.begun += 1
    response.setHeader(
      'content-length',
      parts.reduce((sum, { length }) => sum + length, 0),
    )
    pacedStream(request, response, parts, () => (state.over += 1), PACE).pipe(response)
  })
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  state.port = (server.address() as AddressInfo).port
  return state
}

/** Sends raw requests and reads nothing yet. */
function reader(port: number, requests = 1): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(requests))
  sockets.push(socket)
  return socket
}

test('the parts arrive in their order, and it is over once they are sent', async () => {
  const parts = [Buffer.from('{"a":"'), Buffer.alloc(200_000, 'x'), Buffer.alloc(0), Buffer.from('"}')]
  const state = await serving(parts)
  const response = await fetch(`http://127.0.0.1:${state.port}/`)
  expect(await response.text()).toBe(`{"a":"${'x'.repeat(200_000)}"}`)
  await expect.poll(() => state.over).toBe(1)
})

test('a reader who takes nothing is cut off, one who reads slowly but steadily gets all', async () => {
  const state = await serving([Buffer.alloc(LARGE)])
  const idle = reader(state.port)
  const slow = reader(state.port)
  let bytes = 0
  slow.on('data', (part) => {
    bytes += part.length
    slow.pause()
    setTimeout(() => slow.resume(), 1)
  })
  slow.resume()
  await expect.poll(() => state.over).toBeGreaterThanOrEqual(1)
  await expect.poll(() => bytes, { timeout: 15_000 }).toBeGreaterThan(LARGE)
  await expect.poll(() => state.over).toBe(2)
  let idleBytes = 0
  idle.on('data', (part) => (idleBytes += part.length))
  idle.resume()
  await once(idle, 'close')
  expect(idleBytes).toBeLessThan(LARGE)
})

test('a reader who leaves, or asks many times at once and leaves, holds nothing', async () => {
  const state = await serving([Buffer.alloc(LARGE)])
  const [leaving, many] = [reader(state.port), reader(state.port, 5)]
  await expect.poll(() => state.begun).toBeGreaterThanOrEqual(2)
  await sleep(20)
  leaving.destroy()
  many.destroy()
  await expect.poll(() => state.over === state.begun).toBe(true)
})
