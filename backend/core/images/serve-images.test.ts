/** Serving images to slow and disconnecting clients. */
import { once } from 'node:events'
import { type AddressInfo, type Socket, connect } from 'node:net'
import { Readable } from 'node:stream'
import fastify from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '#backend/platform/clock.ts'
import { createLog } from '#backend/platform/log.ts'
import { createFileCache } from './image-services.ts'
import { serveImages } from './serve-images.ts'
import type { StoredFile } from './storage.ts'

const LARGE = `${'a'.repeat(24)}.png`
const SMALL = `${'b'.repeat(24)}.png`
const BYTES = 24 * 1024 * 1024
const CHUNK = Buffer.alloc(64 * 1024)
const PACE = { intervalMs: 500, minBytes: 64 * 1024 }

const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

/** Serves one large and one small image from a fake storage. */
async function startServing() {
  const opened: StoredFile['body'][] = []
  const open = async (file: string) => {
    const bytes = file === LARGE ? BYTES : 1000
    const body = Readable.from(
      Array.from({ length: Math.ceil(bytes / CHUNK.length) }, (_, index) => CHUNK.subarray(0, bytes - index * CHUNK.length)),
      { objectMode: false },
    )
    opened.push(body)
    return Promise.resolve({ bytes, body })
  }
  const storage = { open, put: () => Promise.resolve(), delete: () => Promise.resolve(), check: () => Promise.resolve() }
  const app = fastify()
  const cache = createFileCache(systemClock, storage)
  serveImages(app, { storage, cache }, createLog('silent'), PACE)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  return { app, opened, cache, port, url: `http://127.0.0.1:${port}/images/` }
}

test('disconnects clients that request large images without reading them, and closes their files', async () => {
  const { app, opened, port, url } = await startServing()
  const idle = Array.from({ length: 20 }, () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    sockets.push(socket)
    socket.pause()
    socket.write(`GET /images/${LARGE} HTTP/1.1\r\nHost: x\r\n\r\n`)
    return socket
  })
  await expect.poll(() => opened.length).toBeGreaterThanOrEqual(20)
  const read = await fetch(`${url}${LARGE}`)
  expect((await read.arrayBuffer()).byteLength).toBe(BYTES)
  await expect.poll(() => opened.every(({ destroyed }) => destroyed), { timeout: 10_000 }).toBe(true)
  // Only a reading socket notices that it was disconnected.
  await Promise.all(
    idle.map((socket) => {
      socket.resume()
      return once(socket, 'close')
    }),
  )
  await app.close()
})

test('closes files of clients that disconnect after one or many requests', async () => {
  const { app, opened, port } = await startServing()
  for (const times of [1, 5]) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    sockets.push(socket)
    socket.pause()
    socket.write(`GET /images/${LARGE} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(times))
  }
  await expect.poll(() => opened.length).toBeGreaterThanOrEqual(2)
  for (const socket of sockets.splice(0)) socket.destroy()
  await expect.poll(() => opened.every(({ destroyed }) => destroyed), { timeout: 10_000 }).toBe(true)
  await app.close()
})

test('buffers an image once for concurrent requests', async () => {
  const { app, opened, cache, url } = await startServing()
  const responses = await Promise.all(Array.from({ length: 20 }, () => fetch(`${url}${SMALL}`).then((response) => response.arrayBuffer())))
  expect(responses.map(({ byteLength }) => byteLength)).toEqual(Array.from({ length: 20 }, () => 1000))
  expect(cache.get(SMALL)).toHaveLength(1000)
  await expect.poll(() => opened.every(({ destroyed }) => destroyed)).toBe(true)
  await app.close()
})
