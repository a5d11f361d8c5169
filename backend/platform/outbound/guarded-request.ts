/** One HTTPS request to checked addresses: returns a response of limited size, or throws a sentence for the user. */
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import { type LookupFunction, isIPv6 } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { type AppError, invalid } from '#backend/platform/errors.ts'
import type { PlainCode } from '#backend/platform/messages/message.ts'
import { VERSION } from '#backend/platform/version.ts'

export interface PublicResponse {
  readonly body: Buffer
  /** The media type, lower case, without parameters; one of `types`. */
  readonly type: string
  readonly charset: string | undefined
}

/** A reply to a POST, whatever its status. */
export interface PublicReply {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  /** The first bytes only. */
  readonly body: Buffer
}

interface Connection {
  readonly url: URL
  readonly addresses: readonly string[]
  readonly port: number
  readonly ca: string | undefined
  readonly signal: AbortSignal
}

interface Request {
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

const MAX_HEADER_BYTES = 16 * 1024
const MAX_BODY_BYTES = 64 * 1024
/** Of the reply to a POST. The rest is not read. */
const MAX_EXCERPT_BYTES = 2048

/** How far the connection got, which determines the message of an error. */
type Stage = 'connecting' | 'securing' | 'answering'

const FAILED = {
  connecting: 'ADDRESS_UNREACHABLE',
  securing: 'ADDRESS_UNTRUSTED',
  answering: 'ADDRESS_CLOSED_EARLY',
} as const satisfies Readonly<Record<Stage, PlainCode>>

/** Loads a document. Throws `invalid`. */
export function getFrom(connection: Connection, types: readonly string[]): Promise<PublicResponse> {
  return send(connection, { method: 'GET', headers: { accept: types.join(', ') } }, (response) => read(response, types))
}

/**
 * Sends a body. Throws `invalid` if no reply arrives. A redirect is a reply like any other.
 * @param excerptMs how long it reads after the headers
 */
export function postTo(
  connection: Connection,
  headers: Readonly<Record<string, string>>,
  body: string,
  excerptMs: number,
): Promise<PublicReply> {
  return send(connection, { method: 'POST', headers, body }, (response) => readExcerpt(response, excerptMs))
}

/** Throws `invalid`. The signal aborts the request. */
async function send<T>(connection: Connection, { method, headers, body }: Request, readReply: (response: IncomingMessage) => Promise<T>) {
  const { addresses, url, port, ca, signal } = connection
  let stage: Stage = 'connecting'
  const isSecure = url.protocol === 'https:'
  const agent = isSecure ? new Agent({ keepAlive: false, maxCachedSessions: 0 }) : new HttpAgent({ keepAlive: false })
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const request = (isSecure ? httpsRequest : httpRequest)(
    {
      agent,
      port,
      signal,
      method,
      ...(ca !== undefined && { ca }),
      ...namesOf(url),
      path: `${url.pathname}${url.search}`,
      lookup: lookupOf(addresses),
      // Explicit, so that the environment can't turn it off.
      rejectUnauthorized: true,
      insecureHTTPParser: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      headers: {
        'user-agent': `Muster/${VERSION}`,
        ...headers,
        ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
        'accept-encoding': 'identity',
        connection: 'close',
      },
    },
    (response) => {
      readReply(response).then(resolve, reject)
    },
  )
  request.once('socket', (socket) => {
    socket.once('connect', () => (stage = isSecure ? 'securing' : 'answering'))
    ;(socket as TLSSocket).once('secureConnect', () => (stage = 'answering'))
  })
  request.once('error', (error: Error & { code?: string }) => {
    reject(invalid(error.code === 'HPE_HEADER_OVERFLOW' ? 'ADDRESS_HEADERS_TOO_LARGE' : FAILED[stage]))
  })
  try {
    request.end(body)
    return await promise
  } finally {
    request.destroy()
    agent.destroy()
  }
}

/** TLS sends no server name for an IP address, and no trailing dot. */
function namesOf({ hostname }: URL): { hostname: string; servername?: string } {
  if (hostname.startsWith('[')) return { hostname: hostname.slice(1, -1), servername: '' }
  const name = hostname.replace(/\.$/, '')
  return /^[\d.]+$/.test(name) ? { hostname: name, servername: '' } : { hostname, servername: name }
}

/** A lookup that always returns the checked addresses. */
function lookupOf(addresses: readonly string[]): LookupFunction {
  const known = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return (_host, options, done) => {
    const [first] = known
    if (options.all === true) done(null, known)
    else done(null, first?.address ?? '', first?.family)
  }
}

async function read(response: IncomingMessage, types: readonly string[]): Promise<PublicResponse> {
  const { type, charset } = mediaTypeOf(response.headers['content-type'])
  const problem = problemOf(response, type, types)
  if (problem !== undefined) throw problem
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > MAX_BODY_BYTES) break
      chunks.push(chunk)
    }
  } catch {
    throw invalid(FAILED.answering)
  }
  if (bytes > MAX_BODY_BYTES) throw tooLarge()
  return { body: Buffer.concat(chunks), type, charset }
}

/** A reply that breaks off or stays open counts as received: its status is known. */
async function readExcerpt(response: IncomingMessage, excerptMs: number): Promise<PublicReply> {
  const chunks: Buffer[] = []
  let bytes = 0
  const timer = setTimeout(() => response.destroy(), excerptMs)
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= MAX_EXCERPT_BYTES) break
    }
  } catch {
  } finally {
    clearTimeout(timer)
  }
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).subarray(0, MAX_EXCERPT_BYTES) }
}

const tooLarge = () => invalid('ADDRESS_TOO_LARGE')

function problemOf({ statusCode = 0, headers }: IncomingMessage, type: string, types: readonly string[]): AppError | undefined {
  if (statusCode >= 300 && statusCode < 400) return invalid('ADDRESS_REDIRECTS')
  if (statusCode !== 200) return invalid('ADDRESS_STATUS', { status: statusCode })
  if (!types.includes(type)) return wrongType(type)
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (encoding !== '' && encoding !== 'identity') return invalid('ADDRESS_COMPRESSES')
  return Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES ? tooLarge() : undefined
}

/** Names well-formed types only. */
function wrongType(type: string): AppError {
  return /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type) ? invalid('ADDRESS_WRONG_TYPE_NAMED', { type }) : invalid('ADDRESS_WRONG_TYPE')
}

function mediaTypeOf(header = ''): { type: string; charset: string | undefined } {
  const [type = '', ...parameters] = header.toLowerCase().split(';')
  const charset = parameters.map((text) => /^\s*charset\s*=\s*"?([\w.:-]{1,40})"?\s*$/.exec(text)?.[1]).find((text) => text !== undefined)
  return { type: type.trim(), charset }
}
