/**
 * Asks one game server for its challenge: plain HTTP/1.1 to an address and a port, without names or redirects. The answer may take three
 * seconds and a few kilobytes.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { type IncomingMessage, request } from 'node:http'
import { isIP } from 'node:net'

const TIMEOUT_MS = 3000
const MAX_HEADER_BYTES = 4096
const MAX_BODY_BYTES = 1024
const ANY_PORT = 9
const PATH = '/.well-known/muster/'
/** Long enough for a clock that is a little off. */
const VALID_SECONDS = 60
const NONCE_BYTES = 12

export interface ProbeTarget {
  readonly publicId: string
  readonly address: string
  readonly port: number
  /** SHA-256 of the credential of the announce: what the list keeps, and what the game server can make. */
  readonly key: Buffer
}

/** `undecided` says nothing about the game server: our own machine could not ask, or we stopped. */
export type ProbeOutcome = { readonly is: 'answered' } | { readonly is: 'undecided' } | { readonly is: 'failed'; readonly observed: string }

/** What only our own machine can say. */
const LOCAL_ERRORS = new Set(['ABORT_ERR', 'EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL', 'ENETDOWN', 'EAFNOSUPPORT'])
/** What our own machine says, but also a firewall before the game server. */
const AMBIGUOUS_ERRORS = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'EACCES', 'EPERM', 'EINVAL'])

/** The first one counts. */
type Settle = (outcome: ProbeOutcome | Promise<ProbeOutcome>) => void

const failed = (observed: string): ProbeOutcome => ({ is: 'failed', observed })
const TOO_LARGE = failed('The answer is larger than 1 KiB.')
const NOT_HTTP = failed('Something answers there, but it does not speak HTTP.')
const CLOSED = failed('The connection was closed before an answer came.')

/** Never rejects. @param now wall milliseconds. @param stop ends it at once, undecided. */
export function probe(endpoint: ProbeTarget, now: number, stop: AbortSignal): Promise<ProbeOutcome> {
  const { address, port } = endpoint
  // A name must never get as far as a resolver.
  if (isIP(address) === 0) return Promise.resolve({ is: 'undecided' })
  const { promise, resolve } = Promise.withResolvers<ProbeOutcome>()
  const challenge = createProbeToken(endpoint, now)
  let isConnected = false
  const asked = request({
    host: address,
    port,
    path: `${PATH}${challenge}`,
    // Written out also where the port is 80: the game server checks the signature over it.
    headers: { host: hostOf(endpoint), connection: 'close', accept: 'text/plain', 'user-agent': 'Muster' },
    agent: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    signal: stop,
  })
  const settle: Settle = (outcome) => {
    clearTimeout(timer)
    asked.destroy()
    resolve(outcome)
  }
  const timer = setTimeout(() => settle(failed(timeoutText(isConnected))), TIMEOUT_MS)
  asked.on('socket', (socket) => socket.once('connect', () => (isConnected = true)))
  // Errors after the end are ignored.
  asked.on('error', (error) => settle(outcomeOf(error, address)))
  asked.on('close', () => settle(CLOSED))
  // Neither of the two is an answer, and the first may come without end.
  asked.on('information', () => settle(NOT_HTTP))
  asked.on('upgrade', () => settle(NOT_HTTP))
  asked.on('response', (response) => {
    if (response.statusCode === 200) readBody(response, challenge, address, settle)
    else settle(failed(`The answer has the status ${response.statusCode} instead of 200.`))
  })
  asked.end()
  return promise
}

function readBody(response: IncomingMessage, challenge: string, address: string, settle: Settle): void {
  let body = ''
  response.setEncoding('latin1')
  response.on('data', (chunk: string) => {
    body += chunk
    if (body.length > MAX_BODY_BYTES) settle(TOO_LARGE)
  })
  response.on('error', (error) => settle(outcomeOf(error, address)))
  response.on('end', () => {
    // Some frameworks end every text with a line break.
    settle(body.trim() === challenge ? { is: 'answered' } : failed('The answer has the status 200, but it is not the challenge.'))
  })
}

/** `ip:port`, IPv6 in brackets: the `Host` of the request, and part of what is signed. */
export function hostOf({ address, port }: Pick<ProbeTarget, 'address' | 'port'>): string {
  return `${address.includes(':') ? `[${address}]` : address}:${port}`
}

/**
 * `<publicId>.<expires, unix seconds>.<nonce>.<signature>`. By the signature a game server tells the list's check from anybody else's. It is
 * over the host too, so that a challenge is worth nothing at another address.
 */
function createProbeToken(endpoint: ProbeTarget, now: number): string {
  const nonce = randomBytes(NONCE_BYTES).toString('base64url')
  const plain = `${endpoint.publicId}.${Math.floor(now / 1000) + VALID_SECONDS}.${nonce}`
  const signature = createHmac('sha256', endpoint.key)
    .update(`${plain}.${hostOf(endpoint)}`)
    .digest('base64url')
  return `${plain}.${signature}`
}

function timeoutText(isConnected: boolean): string {
  const seconds = TIMEOUT_MS / 1000
  return isConnected
    ? `The connection was accepted, but no whole answer came within ${seconds} seconds.`
    : `Nothing answered within ${seconds} seconds.`
}

/** What a connection that ended with an error says about the server at an address. */
export function outcomeOf(error: NodeJS.ErrnoException, address: string): ProbeOutcome | Promise<ProbeOutcome> {
  const code = error.code ?? ''
  if (LOCAL_ERRORS.has(code)) return { is: 'undecided' }
  if (AMBIGUOUS_ERRORS.has(code))
    return hasRouteTo(address).then((hasRoute) => (hasRoute ? failed('The host can not be reached.') : { is: 'undecided' }))
  if (code === 'ECONNREFUSED') return failed('The connection was refused.')
  if (code === 'ETIMEDOUT') return failed(timeoutText(false))
  if (code === 'HPE_HEADER_OVERFLOW') return TOO_LARGE
  return code.startsWith('HPE_') ? NOT_HTTP : CLOSED
}

/** Whether our own machine has a route there: connecting a datagram socket looks for one, and sends nothing. */
function hasRouteTo(address: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4')
  const end = (hasRoute: boolean) => {
    resolve(hasRoute)
    socket.close()
  }
  socket.once('error', () => end(false))
  socket.once('connect', () => end(true))
  socket.connect(ANY_PORT, address)
  return promise
}
