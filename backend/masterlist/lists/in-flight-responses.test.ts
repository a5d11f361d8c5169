/** Limits on response bodies that clients have not read. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, type Socket, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { InFlightResponses } from './in-flight-responses.ts'

const BODY_BYTES = 20 * 1024 * 1024

test('unread bodies are limited in total bytes: readers of the oldest are disconnected, and readers of one body share its bytes', async () => {
  const inFlight = new InFlightResponses(Infinity, 2 * BODY_BYTES)
  const bodies = new Map<string, Buffer>()
  const server = createServer((request, response) => {
    const { url = '' } = request
    const body = bodies.get(url) ?? Buffer.alloc(BODY_BYTES)
    bodies.set(url, body)
    inFlight.end(response, 'x', body, () => void response.writeHead(200))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const sockets: Socket[] = []
  const closed: number[] = []
  const request = async (path: string) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    const number = sockets.push(socket)
    socket.once('data', () => socket.pause())
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
    await once(socket, 'data')
    return number
  }
  server.on('connection', (socket) => {
    const number = sockets.length
    socket.once('close', () => closed.push(number))
  })
  for (const path of ['/1', '/1', '/2', '/2', '/2']) await request(path)
  expect(closed).toEqual([])
  await request('/3')
  await expect.poll(() => closed.toSorted()).toEqual([1, 2])
  await request('/2')
  await request('/4')
  await expect.poll(() => closed.toSorted()).toEqual([1, 2, 3, 4, 5, 7])
})
