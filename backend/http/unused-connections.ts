/**
 * A browser opens connections before it needs them. Node takes one that has not asked for anything yet for busy, and no longer looks
 * at it once the server closes: a stop would wait for it until it is killed.
 */
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Ends connections that never carried a request when the listener closes; those that did are Node's to end. */
export function endUnusedConnections(app: FastifyInstance): void {
  const unused = new Set<Socket>()
  app.server.on('connection', (socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  app.server.on('request', ({ socket }) => unused.delete(socket))
  app.addHook('preClose', (done) => {
    for (const socket of unused) socket.destroy()
    done()
  })
}
