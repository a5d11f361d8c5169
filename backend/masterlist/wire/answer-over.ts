/** When an answer that takes long is over. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const connections = new WeakMap<Socket, Set<() => void>>()

/** Whether nobody can be answered any more: the answer is over, or its connection gone. Neither is told again. */
export function isOver(response: ServerResponse): boolean {
  return response.destroyed || response.req.socket.destroyed
}

/**
 * Calls it once, when the answer is sent or its connection is gone; at once where it is already. An answer before which others stand on
 * the same connection has no socket of its own yet and hears nothing of the connection's end, so that is listened to here.
 */
export function whenOver(response: ServerResponse, act: () => void): void {
  if (isOver(response)) return act()
  const acts = actsOf(response.req.socket)
  const over = () => {
    if (acts.delete(over)) act()
  }
  acts.add(over)
  response.once('close', over)
}

function actsOf(socket: Socket): Set<() => void> {
  const known = connections.get(socket)
  if (known !== undefined) return known
  const acts = new Set<() => void>()
  connections.set(socket, acts)
  socket.once('close', () => {
    for (const act of acts) act()
  })
  return acts
}
