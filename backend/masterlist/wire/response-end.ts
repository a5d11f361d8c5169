import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const connections = new WeakMap<Socket, Set<() => void>>()

/** Whether the answer is over or its connection gone. No event says so again. */
export function hasEnded(response: ServerResponse): boolean {
  return response.destroyed || response.req.socket.destroyed
}

/** Calls `act` once, when the answer is over or at once. Listens to the connection, too: an answer behind others on it gets no event. */
export function onceEnded(response: ServerResponse, act: () => void): void {
  if (hasEnded(response)) return act()
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
