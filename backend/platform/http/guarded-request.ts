/** One https request to addresses that were checked before: reads one bounded answer, or throws a sentence that says why not. */
import type { IncomingMessage } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import { type LookupFunction, isIPv6 } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { type AppError, invalid } from '#backend/platform/errors.ts'
import { VERSION } from '#backend/platform/version.ts'
import type { PublicResponse } from './guarded-client.ts'

interface Wanted {
  readonly url: URL
  readonly addresses: readonly string[]
  readonly port: number
  readonly ca: string | undefined
  readonly types: readonly string[]
  readonly signal: AbortSignal
}

const MAX_HEADER_BYTES = 16 * 1024
const MAX_BODY_BYTES = 64 * 1024

/** How far the connection came, which says what an error means. */
type Stage = 'connecting' | 'securing' | 'answering'

const SENTENCES: Readonly<Record<Stage, string>> = {
  connecting: 'No connection to this address can be made.',
  securing: 'This address has no valid certificate, so it can not be trusted.',
  answering: 'This address broke off its answer, or answers with something other than HTTP.',
}

/** Throws `invalid`. An abort ends it. */
export async function requestFrom(wanted: Wanted): Promise<PublicResponse> {
  let stage: Stage = 'connecting'
  const agent = new Agent({ keepAlive: false, maxCachedSessions: 0 })
  const { promise, resolve, reject } = Promise.withResolvers<PublicResponse>()
  const { url, port, ca, types, signal } = wanted
  const request = httpsRequest(
    {
      agent,
      port,
      signal,
      ...(ca !== undefined && { ca }),
      ...namesOf(url),
      path: `${url.pathname}${url.search}`,
      lookup: answering(wanted.addresses),
      // Set here, so that the environment can't switch it off.
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
    const isTooMuch = error.code === 'HPE_HEADER_OVERFLOW'
    reject(invalid(isTooMuch ? 'This address answers with headers of more than 16 KB.' : SENTENCES[stage]))
  })
  try {
    request.end()
    return await promise
  } finally {
    request.destroy()
    agent.destroy()
  }
}

/** TLS sends no server name for an IP address, and no final dot of a name. */
function namesOf({ hostname }: URL): { hostname: string; servername?: string } {
  if (hostname.startsWith('[')) return { hostname: hostname.slice(1, -1), servername: '' }
  const name = hostname.replace(/\.$/, '')
  return /^[\d.]+$/.test(name) ? { hostname: name, servername: '' } : { hostname, servername: name }
}

/** A look-up that always returns the checked addresses. */
function answering(addresses: readonly string[]): LookupFunction {
  const known = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return (_host, options, done) => {
    const [first] = known
    if (options.all === true) done(null, known)
    else done(null, first?.address ?? '', first?.family)
  }
}

async function read(response: IncomingMessage, types: readonly string[]): Promise<PublicResponse> {
  const { type, charset } = mediaTypeOf(response.headers['content-type'])
  const refusal = refusalOf(response, type, types)
  if (refusal !== undefined) throw refusal
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > MAX_BODY_BYTES) break
      chunks.push(chunk)
    }
  } catch {
    throw invalid(SENTENCES.answering)
  }
  if (bytes > MAX_BODY_BYTES) throw tooLarge()
  return { body: Buffer.concat(chunks), type, charset }
}

const tooLarge = () => invalid('This address answers with more than 64 KB.')

function refusalOf({ statusCode = 0, headers }: IncomingMessage, type: string, types: readonly string[]): AppError | undefined {
  if (statusCode >= 300 && statusCode < 400) return invalid('This address leads on to another one. Give the address that it leads to.')
  if (statusCode !== 200) return invalid(`This address answers with the status ${statusCode} in place of content.`)
  if (!types.includes(type)) return invalid(`This address answers with the wrong type of content${shown(type)}.`)
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (encoding !== '' && encoding !== 'identity') return invalid('This address answers compressed even where it is asked not to.')
  return Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES ? tooLarge() : undefined
}

/** Only well-formed types, as it goes into a sentence. */
function shown(type: string): string {
  return /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type) ? ` (${type})` : ''
}

function mediaTypeOf(header = ''): { type: string; charset: string | undefined } {
  const [type = '', ...parameters] = header.toLowerCase().split(';')
  const charset = parameters.map((text) => /^\s*charset\s*=\s*"?([\w.:-]{1,40})"?\s*$/.exec(text)?.[1]).find((text) => text !== undefined)
  return { type: type.trim(), charset }
}
