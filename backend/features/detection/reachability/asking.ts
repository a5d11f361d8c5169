/**
 * Asks one game server for its challenge: plain HTTP/1.1 to an address and a port, nothing that a name or a redirect could lead elsewhere.
 * Whatever stands there gets three seconds and a few kilobytes, and then the connection is gone.
 */
import { createSocket } from 'node:dgram'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { isIP } from 'node:net'
import { CHECK_PATH, type Endpoint, hostOf } from './challenge.ts'

const WITHIN_MS = 3000
const MOST_HEADER_BYTES = 4096
const MOST_BODY_BYTES = 1024
const ANY_PORT = 9

/** `undecided` says nothing about the game server: it is our own machine that could not ask, or we stopped. */
export type Outcome = { readonly is: 'answered' } | { readonly is: 'undecided' } | { readonly is: 'failed'; readonly observed: string }

/** What only our own machine can say. */
const OURS = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL', 'ENETDOWN', 'EAFNOSUPPORT'])
/** What our own machine says, but also whatever stands before the game server: a firewall says it with one rule. */
const OURS_OR_THEIRS = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'EACCES', 'EPERM', 'EINVAL'])

/** The first one counts. */
type Settle = (outcome: Outcome | Promise<Outcome>) => void

const failed = (observed: string): Outcome => ({ is: 'failed', observed })
const TOO_LARGE = failed('The answer is larger than 1 KiB.')
const NO_HTTP = failed('Something answers there, but it does not speak HTTP.')

/** Never rejects. @param stop ends it at once, undecided. */
export function ask(endpoint: Endpoint, challenge: string, stop: AbortSignal): Promise<Outcome> {
  // A name must never get as far as a resolver.
  if (isIP(endpoint.address) === 0 || stop.aborted) return Promise.resolve({ is: 'undecided' })
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  let isConnected = false
  const asked = request({
    host: endpoint.address,
    port: endpoint.port,
    method: 'GET',
    path: `${CHECK_PATH}${challenge}`,
    // Written out also where the port is 80: the game server checks the signature over it.
    headers: { host: hostOf(endpoint), connection: 'close', accept: 'text/plain', 'user-agent': 'Muster' },
    agent: false,
    maxHeaderSize: MOST_HEADER_BYTES,
  })
  const settle: Settle = (outcome) => {
    clearTimeout(timer)
    stop.removeEventListener('abort', onStop)
    asked.destroy()
    resolve(outcome)
  }
  const onStop = () => settle({ is: 'undecided' })
  stop.addEventListener('abort', onStop)
  const timer = setTimeout(() => settle(failed(tooSlow(isConnected))), WITHIN_MS)
  asked.on('socket', (socket) => socket.once('connect', () => (isConnected = true)))
  // Stays after the end: whatever is said then is said to nobody.
  asked.on('error', (error) => settle(outcomeOf(error, endpoint.address)))
  asked.on('close', () => settle(failed('The connection was closed before an answer came.')))
  listenTo(asked, challenge, endpoint, settle)
  asked.end()
  return promise
}

function listenTo(asked: ClientRequest, challenge: string, { address }: Endpoint, settle: Settle): void {
  // Neither of the two is an answer, and the first may come without end.
  asked.on('information', () => settle(NO_HTTP))
  asked.on('upgrade', () => settle(NO_HTTP))
  asked.on('response', (response) => {
    if (response.statusCode === 200) readBody(response, challenge, address, settle)
    else settle(failed(`The answer has the status ${response.statusCode} instead of 200.`))
  })
}

function readBody(response: IncomingMessage, challenge: string, address: string, settle: Settle): void {
  const chunks: Buffer[] = []
  let bytes = 0
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > MOST_BODY_BYTES) settle(TOO_LARGE)
  })
  response.on('error', (error) => settle(outcomeOf(error, address)))
  response.on('end', () => {
    // Some frameworks end every text with a line break.
    const isEcho = Buffer.concat(chunks).toString('latin1').trim() === challenge
    settle(isEcho ? { is: 'answered' } : failed('The answer has the status 200, but it is not the challenge.'))
  })
}

function tooSlow(isConnected: boolean): string {
  const seconds = WITHIN_MS / 1000
  return isConnected
    ? `The connection was accepted, but no whole answer came within ${seconds} seconds.`
    : `Nothing answered within ${seconds} seconds.`
}

/** What a connection that ended with an error says about who should answer at an address. */
export function outcomeOf(error: NodeJS.ErrnoException, address: string): Outcome | Promise<Outcome> {
  const code = error.code ?? ''
  if (OURS.has(code)) return { is: 'undecided' }
  if (OURS_OR_THEIRS.has(code))
    return hasWayTo(address).then((hasWay) => (hasWay ? failed('The host can not be reached.') : { is: 'undecided' }))
  if (code === 'ECONNREFUSED') return failed('The connection was refused.')
  if (code === 'ETIMEDOUT') return failed(tooSlow(false))
  if (code === 'HPE_HEADER_OVERFLOW') return TOO_LARGE
  if (code.startsWith('HPE_')) return NO_HTTP
  return failed('The connection was closed before an answer came.')
}

/** Whether our own machine knows a way there: naming a peer for datagrams looks for one, and sends nothing. */
function hasWayTo(address: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4')
  const end = (hasWay: boolean) => {
    resolve(hasWay)
    socket.close()
  }
  socket.once('error', () => end(false))
  socket.once('connect', () => end(true))
  socket.connect(ANY_PORT, address)
  return promise
}
