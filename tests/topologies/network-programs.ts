/** What is between the list and a game: tunnels, proxies and name servers, each as small as it can be. And a player. */
import { type Socket, createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type ListenOptions, type NetConnectOpts, type Server, connect, createServer } from 'node:net'
import { pipeline } from 'node:stream'
import { replyToQuery } from '#tests/https-host/dns-reply.ts'

interface TcpTunnel {
  readonly from: ListenOptions
  readonly to: NetConnectOpts
  /** Whether each connection begins with the client's address, in PROXY protocol version 1. IPv4 only. */
  readonly sendsProxyHeader?: boolean
}

/** Forwards connections. The receiver sees the address of this machine. */
export async function tcpTunnel({ from, to, sendsProxyHeader = false }: TcpTunnel): Promise<Server> {
  const server = createServer((client) => {
    const target = connect(to)
    const { remoteAddress, localAddress, remotePort, localPort } = client
    if (sendsProxyHeader) target.write(`PROXY TCP4 ${remoteAddress} ${localAddress} ${remotePort} ${localPort}\r\n`)
    // A failure of either side closes both.
    pipeline(client, target, client, () => undefined)
  })
  server.listen(from)
  await once(server, 'listening')
  return server
}

interface UdpEndpoint {
  readonly address: string
  readonly port: number
}

/** Forwards datagrams. Each client has a socket towards the receiver, so that answers find the way back. */
export async function udpTunnel({ from, to }: { readonly from: UdpEndpoint; readonly to: UdpEndpoint }): Promise<void> {
  const entrance = createSocket('udp4')
  const exits = new Map<string, Socket>()
  const exitOf = ({ address, port }: UdpEndpoint) => {
    const key = `${address}:${port}`
    const exit = exits.get(key) ?? createSocket('udp4', (answer) => entrance.send(answer, port, address))
    exits.set(key, exit)
    return exit
  }
  entrance.on('message', (datagram, client) => exitOf(client).send(datagram, to.port, to.address))
  entrance.bind(from)
  await once(entrance, 'listening')
}

/** The addresses of each name. */
export type Zone = Readonly<Record<string, readonly string[]>>

/** Answers for the names of the last zone that it was sent. No other name exists. */
export async function nameServer({ address }: { readonly address: string }): Promise<void> {
  let zone: Zone = {}
  process.on('message', (command: Zone) => {
    zone = command
  })
  const socket = createSocket('udp4', (query, client) => {
    const reply = replyToQuery(query, (name, family) => (zone[name] ?? []).filter((each) => each.includes(':') === (family === 'ipv6')))
    if (reply !== undefined) socket.send(reply, client.port, client.address)
  })
  socket.bind(53, address)
  await once(socket, 'listening')
}

/** Reads the server's row on the list, sends `JOIN` to its address, and reports the answer. */
export async function udpPlayer({ url }: { readonly url: string }): Promise<void> {
  const { address } = (await (await fetch(url)).json()) as { address: string }
  const [host, port] = address.split(':')
  const socket = createSocket('udp4', (answer) => process.send?.(answer.toString()))
  socket.send('JOIN', Number(port), host)
}
