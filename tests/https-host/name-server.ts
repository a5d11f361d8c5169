/** A UDP name server for a test, with answers that may differ per query. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { type Resolve, replyToQuery } from './dns-reply.ts'

/** Starts it for the duration of the test and returns `address:port`. */
export async function startNameServer(resolve: Resolve): Promise<string> {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const reply = replyToQuery(query, resolve)
    if (reply !== undefined) socket.send(reply, port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  return `127.0.0.1:${socket.address().port}`
}
