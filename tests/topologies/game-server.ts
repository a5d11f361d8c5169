/** The game server under test: it announces on a schedule, answers the list's questions, and lets players join. */
import { createSocket } from 'node:dgram'
import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, type Server, createServer, request } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { probeAnswer } from '#sdk/probe.ts'

const ANNOUNCE_EVERY_MS = 2500
const QUESTION = { start: 'MUSTER1 ', bytes: 64, randomEnd: 40 } as const

/** Addresses that the next announces come from, in turns. */
export interface Schedule {
  readonly sources: readonly string[]
}

export interface Game extends Schedule {
  /** Where it announces, by the family of the source. */
  readonly lists: { readonly ipv4: string; readonly ipv6: string }
  readonly publicId: string
  readonly credential: string
  /** That players connect to. */
  readonly port: number
  /** That the game listens on. Default: the same. */
  readonly localPort?: number
  readonly host?: string
  readonly probe?: 'tcp' | 'udp'
  /** Whether a proxy in front sends the client's address first. */
  readonly readsProxyHeader?: boolean
}

interface Notice {
  readonly code: string
  readonly message: string
}

/** One announce, as the game server saw it. */
export interface Announce {
  readonly source: string
  /** 0 if the list could not be reached. */
  readonly status: number
  readonly notices: readonly Notice[]
}

/** Runs until the process ends. Reports each announce, and takes new schedules. */
export async function gameServer(game: Game): Promise<void> {
  let { sources } = game
  process.on('message', (schedule: Schedule) => {
    sources = schedule.sources
  })
  if (game.probe === 'tcp') await listenOnTcp(game)
  if (game.probe === 'udp') await listenOnUdp(game)
  let turn = 0
  const announceNext = async () => {
    const source = sources[(turn += 1) % sources.length] ?? ''
    process.send?.(await announce(game, source).catch((): Announce => ({ source, status: 0, notices: [] })))
  }
  void announceNext()
  setInterval(() => void announceNext(), ANNOUNCE_EVERY_MS)
}

async function announce({ lists, credential, port, host, probe }: Game, source: string): Promise<Announce> {
  const call = request(`${source.includes(':') ? lists.ipv6 : lists.ipv4}/announce`, {
    method: 'POST',
    localAddress: source,
    agent: false,
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
  })
  call.end(JSON.stringify({ port, host, probe, playersCount: 1, maxPlayersCount: 8, passworded: false, version: '1.0', branch: 'release' }))
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  const { notices = [] } = JSON.parse(await text(response)) as { notices?: Notice[] }
  return { source, status: response.statusCode ?? 0, notices }
}

/** Answers the question of `probe: "tcp"`. */
async function listenOnTcp({ port, localPort = port, readsProxyHeader = false, ...identity }: Game): Promise<void> {
  const answers = createServer((question, response) => {
    void probeAnswer(question.url ?? '', question.headers.host ?? '', identity).then((token) => {
      response.writeHead(token === undefined ? 404 : 200, { connection: 'close' }).end(token)
    })
  })
  const listener = readsProxyHeader ? behindProxy(answers) : answers
  listener.listen(localPort)
  await once(listener, 'listening')
}

/** Passes on connections that begin with a PROXY header, without it. Closes all others. */
function behindProxy(answers: Server) {
  return createTcpServer((socket) => {
    socket.once('data', (data: Buffer) => {
      const [header = '', ...rest] = data.toString('latin1').split('\r\n')
      if (!header.startsWith('PROXY TCP4 ')) return socket.destroy()
      if (rest.join('') !== '') socket.unshift(data.subarray(header.length + 2))
      return answers.emit('connection', socket)
    })
  })
}

/** Answers the question of `probe: "udp"`, and players. */
async function listenOnUdp({ port, localPort = port, host, credential }: Game): Promise<void> {
  const secret = createHash('sha256').update(credential).digest()
  const endpoint = `${host?.toLowerCase() ?? ''}:${port}`
  const socket = createSocket('udp4', (datagram, { address, port: from }) => {
    if (datagram.toString() === 'JOIN') return socket.send('WELCOME', from, address)
    if (datagram.length !== QUESTION.bytes || !datagram.toString('latin1').startsWith(QUESTION.start)) return undefined
    const random = datagram.subarray(QUESTION.start.length, QUESTION.randomEnd)
    const proof = createHmac('sha256', secret).update(random).update(endpoint).digest()
    return socket.send(Buffer.concat([Buffer.from(QUESTION.start), proof]), from, address)
  })
  socket.bind(localPort)
  await once(socket, 'listening')
}
