/** A wire between a program and its Postgres that a test can cut, or let go silent, and mend again. */
import { once } from 'node:events'
import { type AddressInfo, type NetConnectOpts, type Socket, connect, createServer } from 'node:net'

export interface FaultProxy {
  /** In place of the host that was asked for; user and database stay as they were. */
  readonly connection: { readonly host: string; readonly port: number }
  /** Ends every connection and takes no new one, as when Postgres restarts or a firewall refuses. */
  cut(): void
  /** Nothing arrives in either direction and neither side is notified, as when a packet filter drops or a machine hangs. */
  stall(): void
  /** Works again; what waited in a silent connection arrives. */
  restore(): void
  /** For ever. */
  close(): void
}

type State = 'works' | 'cut' | 'silent'

/** @param target where Postgres listens: `{ path }` of its unix socket, or `{ host, port }`. */
export async function startFaultProxy(target: NetConnectOpts): Promise<FaultProxy> {
  let state: State = 'works'
  const sockets = new Set<Socket>()
  /** Connections that came while nothing arrives: they reach nobody before it is mended. */
  const waiting = new Set<Socket>()

  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
  }
  const join = (near: Socket): void => {
    const far = keep(connect(target))
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (chunk: Buffer) => {
        if (!to.write(chunk)) from.pause()
      })
      to.on('drain', () => {
        if (state === 'works') from.resume()
      })
      from.on('close', () => to.destroy())
    }
  }
  const server = createServer((near) => {
    keep(near)
    if (state === 'cut') near.resetAndDestroy()
    else if (state === 'works') join(near)
    else waiting.add(near.on('close', () => waiting.delete(near)))
  })
  const end = () => {
    for (const socket of sockets) socket.destroy()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    connection: { host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    cut() {
      state = 'cut'
      end()
    },
    stall() {
      state = 'silent'
      for (const socket of sockets) socket.pause()
    },
    restore() {
      state = 'works'
      for (const near of waiting) join(near)
      waiting.clear()
      for (const socket of sockets) socket.resume()
    },
    close() {
      state = 'cut'
      end()
      // Who is still there asks on and on: the port stays taken until the process ends, so that no other test listens on it.
      server.unref()
    },
  }
}
