/**
 * A browser opens connections before it needs them. Node takes one that has not asked for anything yet for busy, and no longer looks
 * at it once the server closes: a stop would wait for it until it is killed.
 */
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Ends connections on which nothing was ever sent when the listener closes. One that brings its first request just now is answered, or cut off with
 * all that is under way; those that carried one before are Node's to end.
 */
export function endUnusedConnections(app: FastifyInstance): void {
  const open = new Set<Socket>()
  app.server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  app.addHook('preClose', (done) => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
    done()
  })
}
