/**
 * Asks one game server for its challenge: plain HTTP/1.1 to an address and a port, nothing that a name or a redirect could lead elsewhere.
 * Whatever stands there gets three seconds and a few kilobytes, and then the connection is gone.
 */
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { isIP } from 'node:net'
import { CHECK_PATH, type Endpoint, hostOf } from './challenge.ts'

export const WITHIN_MS = 3000
const MOST_HEADER_BYTES = 4096
const MOST_BODY_BYTES = 1024

/** `undecided` says nothing about the game server: it is our own machine that could not ask, or we stopped. */
export type Outcome = { readonly is: 'answered' } | { readonly is: 'undecided' } | { readonly is: 'failed'; readonly observed: string }

/** What our own machine says when it has no way out: nobody else's fault. */
const OURS = new Set([
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EAFNOSUPPORT',
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'ENOMEM',
  'EACCES',
  'EPERM',
  'EINVAL',
])

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
  const settle = (outcome: Outcome) => {
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
  asked.on('error', (error) => settle(outcomeOf(error)))
  asked.on('close', () => settle(failed('The connection was closed before an answer came.')))
  listenTo(asked, challenge, settle)
  asked.end()
  return promise
}

function listenTo(asked: ClientRequest, challenge: string, settle: (outcome: Outcome) => void): void {
  // Neither of the two is an answer, and the first may come without end.
  asked.on('information', () => settle(NO_HTTP))
  asked.on('upgrade', () => settle(NO_HTTP))
  asked.on('response', (response) => {
    if (response.statusCode === 200) readBody(response, challenge, settle)
    else settle(failed(`The answer has the status ${response.statusCode} instead of 200.`))
  })
}

function readBody(response: IncomingMessage, challenge: string, settle: (outcome: Outcome) => void): void {
  const chunks: Buffer[] = []
  let bytes = 0
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > MOST_BODY_BYTES) settle(TOO_LARGE)
  })
  response.on('error', (error) => settle(outcomeOf(error)))
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

function outcomeOf(error: NodeJS.ErrnoException): Outcome {
  const code = error.code ?? ''
  if (OURS.has(code)) return { is: 'undecided' }
  if (code === 'ECONNREFUSED') return failed('The connection was refused.')
  if (code === 'EHOSTUNREACH') return failed('The host can not be reached.')
  if (code === 'ETIMEDOUT') return failed(tooSlow(false))
  if (code === 'HPE_HEADER_OVERFLOW') return TOO_LARGE
  if (code.startsWith('HPE_')) return NO_HTTP
  return failed('The connection was closed before an answer came.')
}
