/** The endpoints of game servers on loopback addresses, each of which answers the list's questions, and the name server of their names. */
import { createHmac, hash } from 'node:crypto'
import { type Socket, createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { replyToQuery } from '#tests/https-host/dns-reply.ts'
import { answerMessages } from './worker-process.ts'

export interface GameEndpoint {
  /** A loopback address. */
  readonly address: string
  readonly port: number
  readonly probe: 'tcp' | 'udp'
  /** What the server announces: a name, or the address. */
  readonly host: string
  readonly publicId: string
  readonly credential: string
}

/** Listens at each endpoint. */
export interface Listen {
  readonly endpoints: readonly GameEndpoint[]
}

/** Asks for the counts. */
export type Count = Readonly<Record<string, never>>

/** All since the start. */
export interface Counts {
  /** As `address:port`. */
  readonly nameServer: string
  /** Correct answers to the list's questions. */
  readonly answers: number
  /** Queries to the name server. */
  readonly queries: number
}

const PATH = '/.well-known/muster/'
const MARK = Buffer.from('MUSTER1 ')
const QUESTION_BYTES = 64
/** Short, as dynamic names have it. Like a cache, the name server replies with what is left of it. */
const MAX_TTL_SECONDS = 60

const addresses = new Map<string, string>()
let answers = 0
let queries = 0
const nameServer = createSocket('udp4')
nameServer.on('message', (query, { port, address }) => {
  queries += 1
  const reply = replyToQuery(query, addressesOf, Math.ceil(Math.random() * MAX_TTL_SECONDS))
  if (reply !== undefined) nameServer.send(reply, port, address)
})

function addressesOf(name: string, kind: 'ipv4' | 'ipv6'): string[] {
  const address = addresses.get(name)
  return kind === 'ipv4' && address !== undefined ? [address] : []
}

/** Returns the token of a question for its server, without checking the signature. */
async function listenTcp({ address, port, publicId }: GameEndpoint): Promise<void> {
  const server = createServer((request, response) => {
    const token = request.url?.slice(PATH.length) ?? ''
    if (!token.startsWith(`${publicId}.`)) return void response.writeHead(404).end()
    answers += 1
    response.end(token)
  })
  server.listen(port, address)
  await once(server, 'listening')
}

async function listenUdp({ address, port, host, credential }: GameEndpoint): Promise<void> {
  const key = hash('sha256', credential, 'buffer')
  const endpoint = `${host}:${port}`
  const socket = createSocket('udp4')
  socket.on('message', (question, { address: from, port: fromPort }) => {
    if (question.length !== QUESTION_BYTES || !question.subarray(0, MARK.length).equals(MARK)) return
    answers += 1
    const proof = createHmac('sha256', key)
      .update(question.subarray(MARK.length, MARK.length + 32))
      .update(endpoint)
      .digest()
    socket.send(Buffer.concat([MARK, proof]), fromPort, from)
  })
  await bind(socket, port, address)
}

async function bind(socket: Socket, port: number, address: string): Promise<void> {
  socket.bind(port, address)
  await once(socket, 'listening')
}

const isListening = bind(nameServer, 0, '127.0.0.1')

answerMessages(async (message: Listen | Count): Promise<Counts> => {
  await isListening
  if ('endpoints' in message)
    for (const endpoint of message.endpoints) {
      addresses.set(endpoint.host, endpoint.address)
      await (endpoint.probe === 'tcp' ? listenTcp(endpoint) : listenUdp(endpoint))
    }
  return { nameServer: `127.0.0.1:${nameServer.address().port}`, answers, queries }
})
