/** Detects the end of a response, also if only its connection closes. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const connections = new WeakMap<Socket, Set<() => void>>()

/** Whether the response has ended or its connection is gone. No event will follow. */
export function hasEnded(response: ServerResponse): boolean {
  return response.destroyed || response.req.socket.destroyed
}

/** Calls `callback` once the response has ended. Also listens to the connection, because a response behind others on it gets no event. */
export function onceEnded(response: ServerResponse, callback: () => void): void {
  if (hasEnded(response)) return callback()
  const callbacks = callbacksOf(response.req.socket)
  const run = () => {
    if (callbacks.delete(run)) callback()
  }
  callbacks.add(run)
  response.once('close', run)
}

function callbacksOf(socket: Socket): Set<() => void> {
  const existing = connections.get(socket)
  if (existing !== undefined) return existing
  const callbacks = new Set<() => void>()
  connections.set(socket, callbacks)
  socket.once('close', () => {
    for (const callback of callbacks) callback()
  })
  return callbacks
}
