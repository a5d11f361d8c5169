/** Asks a game server over TCP: plain HTTP/1.1 to an address and port, without DNS or redirects, within three seconds and 1 KiB of body. */
import { m } from '#api-messages'
import { STORED } from '#backend/platform/messages/stored-text.ts'
import { createHmac, randomBytes } from 'node:crypto'
import { type IncomingMessage, request } from 'node:http'
import { isIP } from 'node:net'
import { type Outcome, type Target, TIMEOUT_MS, failed, networkFailureOf } from './question.ts'

const MAX_HEADER_BYTES = 4096
const MAX_BODY_BYTES = 1024
const PATH = '/.well-known/muster/'
/** Tolerates a clock that is slightly off. */
const VALID_SECONDS = 60
const NONCE_BYTES = 12

/** Only the first call has an effect. */
type Settle = (outcome: Outcome | Promise<Outcome>) => void

const wrongAnswer = (observed: string) => failed('WRONG_ANSWER', observed)
const TOO_LARGE = wrongAnswer(m.probe_reply_too_large({}, STORED))
const NOT_HTTP = wrongAnswer(m.probe_not_http({}, STORED))
const CLOSED = wrongAnswer(m.probe_closed({}, STORED))

/**
 * Asks for a made-up server first: a program that returns whatever it is sent, such as an echo server, proves nothing. Parameters and result
 * as in `askTcp`.
 */
export async function askTcpForProof(target: Target, now: number, stop: AbortSignal): Promise<Outcome> {
  const decoy = { ...target, publicId: randomBytes(4).toString('hex').slice(1), key: randomBytes(NONCE_BYTES) }
  const outcome = await askTcp(decoy, now, stop)
  if (outcome.result === 'answered') return wrongAnswer(m.probe_echo({}, STORED))
  // A server may reject the question for another one, or ignore it.
  const isThere = outcome.result === 'failed' && (outcome.failure === 'WRONG_ANSWER' || outcome.failure === 'TIMEOUT')
  return isThere ? askTcp(target, now, stop) : outcome
}

/** Never rejects. @param now wall milliseconds. @param stop aborts the question as inconclusive. */
export function askTcp(target: Target, now: number, stop: AbortSignal): Promise<Outcome> {
  const { address, port } = target
  if (isIP(address) === 0) return Promise.resolve({ result: 'inconclusive' })
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const token = createProbeToken(target, now)
  let isConnected = false
  const outgoing = request({
    host: address,
    port,
    path: `${PATH}${token}`,
    // Includes port 80 too, because the signature covers this header.
    headers: { host: target.endpoint, connection: 'close', accept: 'text/plain', 'user-agent': 'Muster' },
    agent: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    signal: stop,
  })
  const settle: Settle = (outcome) => {
    clearTimeout(timer)
    outgoing.destroy()
    resolve(outcome)
  }
  const timer = setTimeout(() => settle(failed('TIMEOUT', timeoutText(isConnected))), TIMEOUT_MS)
  outgoing.on('socket', (socket) => socket.once('connect', () => (isConnected = true)))
  // Errors after the end have no effect.
  outgoing.on('error', (error) => settle(outcomeOf(error, address)))
  outgoing.on('close', () => settle(CLOSED))
  // Neither is a valid reply, and informational ones may repeat endlessly.
  outgoing.on('information', () => settle(NOT_HTTP))
  outgoing.on('upgrade', () => settle(NOT_HTTP))
  outgoing.on('response', (response) => {
    if (response.statusCode === 200) readBody(response, token, address, settle)
    else settle(wrongAnswer(m.probe_wrong_status({ status: response.statusCode ?? '' }, STORED)))
  })
  outgoing.end()
  return promise
}

function readBody(response: IncomingMessage, token: string, address: string, settle: Settle): void {
  let body = ''
  response.setEncoding('latin1')
  response.on('data', (chunk: string) => {
    body += chunk
    if (body.length > MAX_BODY_BYTES) settle(TOO_LARGE)
  })
  response.on('error', (error) => settle(outcomeOf(error, address)))
  response.on('end', () => {
    // Some frameworks add a trailing line break.
    settle(body.trim() === token ? { result: 'answered' } : wrongAnswer(m.probe_wrong_token({}, STORED)))
  })
}

/**
 * `<publicId>.<expires, unix seconds>.<nonce>.<signature>`. The signature proves to the game server that the list sends the probe. It covers
 * the endpoint, so the token is useless at another one.
 */
function createProbeToken(target: Target, now: number): string {
  const nonce = randomBytes(NONCE_BYTES).toString('base64url')
  const payload = `${target.publicId}.${Math.floor(now / 1000) + VALID_SECONDS}.${nonce}`
  const signature = createHmac('sha256', target.key).update(`${payload}.${target.endpoint}`).digest('base64url')
  return `${payload}.${signature}`
}

function timeoutText(isConnected: boolean): string {
  const seconds = TIMEOUT_MS / 1000
  return isConnected ? m.probe_incomplete({ seconds }, STORED) : m.probe_silent({ seconds }, STORED)
}

/** Translates a connection error into an outcome for the server at the address. */
export function outcomeOf(error: NodeJS.ErrnoException, address: string): Outcome | Promise<Outcome> {
  const code = error.code ?? ''
  if (code === 'HPE_HEADER_OVERFLOW') return TOO_LARGE
  if (code.startsWith('HPE_')) return NOT_HTTP
  return networkFailureOf(code, address, () => timeoutText(false)) ?? CLOSED
}
