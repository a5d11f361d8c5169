/** A game server's endpoint: it answers the list's questions over TCP or UDP on a loopback address, and counts them. */
import { createHmac, hash } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { probeAnswer } from '#sdk/probe.ts'

export interface GameEndpoint {
  readonly port: number
  /** How many connections or datagrams it got. */
  questions: number
  readonly stop: () => Promise<void>
}

interface Settings {
  /** A loopback address. */
  readonly at: string
  readonly credential: string
  readonly publicId: string
  /** Default: any free port. */
  readonly port?: number
}

/** @param endpoint the text that it answers for, without its port */
export async function listenUdp({ at, credential, port = 0 }: Omit<Settings, 'publicId'>, endpoint = at): Promise<GameEndpoint> {
  const socket = createSocket(at.includes(':') ? 'udp6' : 'udp4')
  await new Promise<void>((resolve) => {
    socket.bind(port, at, resolve)
  })
  let isOpen = true
  const stop = async () => {
    if (isOpen) await new Promise<void>((resolve) => void socket.close(resolve))
    isOpen = false
  }
  onTestFinished(stop)
  const game: GameEndpoint = { port: socket.address().port, questions: 0, stop }
  const key = hash('sha256', credential, 'buffer')
  socket.on('message', (question, { address, port: from }) => {
    game.questions += 1
    if (question.length !== 64 || question.toString('latin1', 0, 8) !== 'MUSTER1 ') return
    const proof = createHmac('sha256', key).update(question.subarray(8, 40)).update(`${endpoint}:${game.port}`).digest()
    socket.send(Buffer.concat([Buffer.from('MUSTER1 '), proof]), from, address)
  })
  return game
}

export async function listenTcp({ at, credential, publicId, port = 0 }: Settings): Promise<GameEndpoint> {
  const server = createServer((request, response) => {
    game.questions += 1
    void probeAnswer(request.url ?? '', request.headers.host ?? '', { publicId, credential }).then((token) => {
      response.writeHead(token === undefined ? 404 : 200).end(token)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(port, at, resolve)
  })
  const stop = async () => {
    if (!server.listening) return
    await new Promise((resolve) => {
      server.close(resolve)
      server.closeAllConnections()
    })
  }
  onTestFinished(stop)
  const game: GameEndpoint = { port: (server.address() as AddressInfo).port, questions: 0, stop }
  return game
}
