/** One HTTPS request to checked addresses: returns a response of limited size, or throws a sentence for the user. */
import type { IncomingMessage } from 'node:http'
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

interface PublicRequest {
  readonly url: URL
  readonly addresses: readonly string[]
  readonly port: number
  readonly ca: string | undefined
  readonly types: readonly string[]
  readonly signal: AbortSignal
}

const MAX_HEADER_BYTES = 16 * 1024
const MAX_BODY_BYTES = 64 * 1024

/** How far the connection got, which determines the message of an error. */
type Stage = 'connecting' | 'securing' | 'answering'

const FAILED = {
  connecting: 'ADDRESS_UNREACHABLE',
  securing: 'ADDRESS_UNTRUSTED',
  answering: 'ADDRESS_CLOSED_EARLY',
} as const satisfies Readonly<Record<Stage, PlainCode>>

/** Throws `invalid`. The signal aborts the request. */
export async function requestFrom({ addresses, url, port, ca, types, signal }: PublicRequest): Promise<PublicResponse> {
  let stage: Stage = 'connecting'
  const agent = new Agent({ keepAlive: false, maxCachedSessions: 0 })
  const { promise, resolve, reject } = Promise.withResolvers<PublicResponse>()
  const request = httpsRequest(
    {
      agent,
      port,
      signal,
      ...(ca !== undefined && { ca }),
      ...namesOf(url),
      path: `${url.pathname}${url.search}`,
      lookup: lookupOf(addresses),
      // Explicit, so that the environment can't turn it off.
      rejectUnauthorized: true,
      insecureHTTPParser: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      headers: { 'user-agent': `Muster/${VERSION}`, accept: types.join(', '), 'accept-encoding': 'identity', connection: 'close' },
    },
    (response) => {
      read(response, types).then(resolve, reject)
    },
  )
  request.once('socket', (socket) => {
    socket.once('connect', () => (stage = 'securing'))
    ;(socket as TLSSocket).once('secureConnect', () => (stage = 'answering'))
  })
  request.once('error', (error: Error & { code?: string }) => {
    reject(invalid(error.code === 'HPE_HEADER_OVERFLOW' ? 'ADDRESS_HEADERS_TOO_LARGE' : FAILED[stage]))
  })
  try {
    request.end()
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
