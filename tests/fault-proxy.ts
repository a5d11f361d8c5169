/** A TCP proxy between a program and its Postgres that a test can cut, stall and restore. */
import { once } from 'node:events'
import { type AddressInfo, type NetConnectOpts, type Socket, connect, createServer } from 'node:net'

export interface FaultProxy {
  /** Where to connect instead of Postgres. */
  readonly connection: { readonly host: string; readonly port: number }
  /** Closes every connection and rejects new ones, as when Postgres restarts or a firewall rejects. */
  cut(): void
  /** Delivers nothing in either direction without notice, as when a packet filter drops or a machine hangs. */
  stall(): void
  /** Forwards again, and delivers what was waiting in stalled connections. */
  restore(): void
  /** Closes it permanently. */
  close(): void
}

type State = 'open' | 'cut' | 'stalled'

/** @param target where Postgres listens: `{ path }` of its unix socket, or `{ host, port }`. */
export async function startFaultProxy(target: NetConnectOpts): Promise<FaultProxy> {
  let state: State = 'open'
  const sockets = new Set<Socket>()
  /** Connections opened while stalled. They reach Postgres after `restore()`. */
  const waiting = new Set<Socket>()

  const track = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
  }
  const forward = (client: Socket): void => {
    const upstream = track(connect(target))
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('data', (chunk: Buffer) => {
        if (!to.write(chunk)) from.pause()
      })
      to.on('drain', () => {
        if (state === 'open') from.resume()
      })
      from.on('close', () => to.destroy())
    }
  }
  const server = createServer((client) => {
    track(client)
    if (state === 'cut') client.resetAndDestroy()
    else if (state === 'open') forward(client)
    else waiting.add(client.on('close', () => waiting.delete(client)))
  })
  const closeAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    connection: { host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    cut() {
      state = 'cut'
      closeAll()
    },
    stall() {
      state = 'stalled'
      for (const socket of sockets) socket.pause()
    },
    restore() {
      state = 'open'
      for (const client of waiting) forward(client)
      waiting.clear()
      for (const socket of sockets) socket.resume()
    },
    close() {
      state = 'cut'
      closeAll()
      // Programs may still reconnect. Keep the port until the process exits, so that no other test listens on it.
      server.unref()
    },
  }
}
