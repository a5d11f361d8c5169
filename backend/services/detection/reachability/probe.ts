/** Probes one game server: plain HTTP/1.1 to an address and port, without DNS or redirects, within three seconds and 1 KiB of body. */
import { m } from '#api-messages'
import { STORED } from '#backend/platform/messages/stored-text.ts'
import { createHmac, randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { type IncomingMessage, request } from 'node:http'
import { isIP } from 'node:net'

const TIMEOUT_MS = 3000
const MAX_HEADER_BYTES = 4096
const MAX_BODY_BYTES = 1024
const ANY_PORT = 9
const PATH = '/.well-known/muster/'
/** Tolerates a clock that is slightly off. */
const VALID_SECONDS = 60
const NONCE_BYTES = 12

export interface ProbeTarget {
  readonly publicId: string
  readonly address: string
  readonly port: number
  /** SHA-256 of the credential that announced: the list stores it, and the game server can compute it. */
  readonly key: Buffer
}

/** `inconclusive`: this machine could not probe, or the probe was aborted. */
export type ProbeOutcome =
  | { readonly result: 'answered' }
  | { readonly result: 'inconclusive' }
  | { readonly result: 'failed'; readonly observed: string }

/** Errors that only this machine causes. */
const LOCAL_ERRORS = new Set(['ABORT_ERR', 'EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL', 'ENETDOWN', 'EAFNOSUPPORT'])
/** Errors that this machine or a firewall in front of the game server can cause. */
const AMBIGUOUS_ERRORS = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'EACCES', 'EPERM', 'EINVAL'])

/** Only the first call has an effect. */
type Settle = (outcome: ProbeOutcome | Promise<ProbeOutcome>) => void

const failed = (observed: string): ProbeOutcome => ({ result: 'failed', observed })
const TOO_LARGE = failed(m.probe_reply_too_large({}, STORED))
const NOT_HTTP = failed(m.probe_not_http({}, STORED))
const CLOSED = failed(m.probe_closed({}, STORED))

/** Never rejects. @param now wall milliseconds. @param stop aborts the probe as inconclusive. */
export function probe(target: ProbeTarget, now: number, stop: AbortSignal): Promise<ProbeOutcome> {
  const { address, port } = target
  // A host name must never reach a resolver.
  if (isIP(address) === 0) return Promise.resolve({ result: 'inconclusive' })
  const { promise, resolve } = Promise.withResolvers<ProbeOutcome>()
  const token = createProbeToken(target, now)
  let isConnected = false
  const outgoing = request({
    host: address,
    port,
    path: `${PATH}${token}`,
    // Includes port 80 too, because the signature covers this header.
    headers: { host: hostOf(target), connection: 'close', accept: 'text/plain', 'user-agent': 'Muster' },
    agent: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    signal: stop,
  })
  const settle: Settle = (outcome) => {
    clearTimeout(timer)
    outgoing.destroy()
    resolve(outcome)
  }
  const timer = setTimeout(() => settle(failed(timeoutText(isConnected))), TIMEOUT_MS)
  outgoing.on('socket', (socket) => socket.once('connect', () => (isConnected = true)))
  // Errors after the end have no effect.
  outgoing.on('error', (error) => settle(outcomeOf(error, address)))
  outgoing.on('close', () => settle(CLOSED))
  // Neither is a valid reply, and informational ones may repeat endlessly.
  outgoing.on('information', () => settle(NOT_HTTP))
  outgoing.on('upgrade', () => settle(NOT_HTTP))
  outgoing.on('response', (response) => {
    if (response.statusCode === 200) readBody(response, token, address, settle)
    else settle(failed(m.probe_wrong_status({ status: response.statusCode ?? '' }, STORED)))
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
    settle(body.trim() === token ? { result: 'answered' } : failed(m.probe_wrong_token({}, STORED)))
  })
}

/** `ip:port`, with IPv6 in brackets: the `Host` header, and part of the signed text. */
export function hostOf({ address, port }: Pick<ProbeTarget, 'address' | 'port'>): string {
  return `${address.includes(':') ? `[${address}]` : address}:${port}`
}

/**
 * `<publicId>.<expires, unix seconds>.<nonce>.<signature>`. The signature proves to the game server that the list sends the probe. It covers
 * the host, so the token is useless at another address.
 */
function createProbeToken(target: ProbeTarget, now: number): string {
  const nonce = randomBytes(NONCE_BYTES).toString('base64url')
  const payload = `${target.publicId}.${Math.floor(now / 1000) + VALID_SECONDS}.${nonce}`
  const signature = createHmac('sha256', target.key)
    .update(`${payload}.${hostOf(target)}`)
    .digest('base64url')
  return `${payload}.${signature}`
}

function timeoutText(isConnected: boolean): string {
  const seconds = TIMEOUT_MS / 1000
  return isConnected ? m.probe_incomplete({ seconds }, STORED) : m.probe_silent({ seconds }, STORED)
}

/** Translates a connection error into an outcome for the server at the address. */
export function outcomeOf(error: NodeJS.ErrnoException, address: string): ProbeOutcome | Promise<ProbeOutcome> {
  const code = error.code ?? ''
  if (LOCAL_ERRORS.has(code)) return { result: 'inconclusive' }
  if (AMBIGUOUS_ERRORS.has(code))
    return hasRouteTo(address).then((hasRoute) => (hasRoute ? failed(m.probe_no_route({}, STORED)) : { result: 'inconclusive' }))
  if (code === 'ECONNREFUSED') return failed(m.probe_rejected({}, STORED))
  if (code === 'ETIMEDOUT') return failed(timeoutText(false))
  if (code === 'HPE_HEADER_OVERFLOW') return TOO_LARGE
  return code.startsWith('HPE_') ? NOT_HTTP : CLOSED
}

/** Whether this machine has a route to the address: connecting a datagram socket looks one up and sends nothing. */
function hasRouteTo(address: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4')
  const settle = (hasRoute: boolean) => {
    resolve(hasRoute)
    socket.close()
  }
  socket.once('error', () => settle(false))
  socket.once('connect', () => settle(true))
  socket.connect(ANY_PORT, address)
  return promise
}
