/**
 * The only client for URLs that users enter (docs/decisions/0013): HTTPS on port 443 of public addresses, no redirects, limited in time and size.
 * A name is resolved once, all its addresses are checked, and the connection goes to a checked one.
 */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { NO_CONTROLS } from '#contract/text/text.ts'
import { withTimeout } from '#backend/platform/concurrency/with-timeout.ts'
import { type AppError, invalid, unavailable } from '#backend/platform/errors.ts'
import { type PublicReply, type PublicResponse, getFrom, postTo } from './guarded-request.ts'
import { isPublicAddress, isPublicHost } from './public-address.ts'
import { type Resolve, createResolver } from './resolver.ts'

/**
 * Fetches a URL. @param types the media types that the caller can read.
 * Throws `invalid` with one sentence if the URL is not allowed or fails, `unavailable` if too many fetches are in flight.
 */
export type FetchPublic = (url: string, types: readonly string[]) => Promise<PublicResponse>

/** Sends a body to a URL. Throws as `FetchPublic`, but a reply with any status is a result. The time limit is the caller's. */
export type PostPublic = (url: string, request: PostRequest) => Promise<PublicReply>

export interface PostRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** From the call to the end of the reply. */
  readonly timeoutMs: number
}

/** For tests, which have no internet. */
export interface GuardedOptions {
  readonly resolve?: Resolve
  readonly isAllowed?: (address: string) => boolean
  /** The port to connect to. URLs with a port are rejected all the same. */
  readonly port?: number
  readonly ca?: string
  /** From the call to the last byte, including the DNS query. */
  readonly timeoutMs?: number
  /** How long a POST reads the reply after its headers. */
  readonly excerptMs?: number
}

const TIMEOUT_MS = 5000
const EXCERPT_MS = 1000
const MAX_IN_FLIGHT = 32
const HTTPS_PORT = 443
const HTTP_PORT = 80

export function createFetchPublic(options: GuardedOptions = {}): FetchPublic {
  const { timeoutMs = TIMEOUT_MS } = options
  let inFlight = 0
  return async (text, types) => {
    const url = checkedUrl(text)
    if (inFlight >= MAX_IN_FLIGHT) throw unavailable('TOO_MANY_FETCHES', 2)
    inFlight += 1
    try {
      return await connect(url, timeoutMs, options, (connection) => getFrom(connection, types))
    } finally {
      inFlight -= 1
    }
  }
}

/** The caller limits how many requests are in flight. @param isPrivateAllowed also allows private addresses, other ports and http */
export function createPostPublic(options: GuardedOptions = {}, isPrivateAllowed = false): PostPublic {
  const { excerptMs = EXCERPT_MS } = options
  const target = isPrivateAllowed ? { resolve: resolveBySystem, ...options, isAllowed: () => true } : options
  return async (text, { headers, body, timeoutMs }) => {
    return connect(checkedUrl(text, isPrivateAllowed), timeoutMs, target, (connection) => postTo(connection, headers, body, excerptMs))
  }
}

type Connection = Parameters<typeof getFrom>[0]

/** Resolves and checks the addresses, then acts within the time limit. */
async function connect<T>(url: URL, timeoutMs: number, options: GuardedOptions, act: (connection: Connection) => Promise<T>): Promise<T> {
  const { resolve = createResolver(), isAllowed = isPublicAddress, port = portOf(url), ca } = options
  const controller = new AbortController()
  const load = async () => {
    const addresses = await addressesOf(url, resolve, controller.signal)
    if (!addresses.every((address) => isAllowed(address))) throw invalid('ADDRESS_NOT_PUBLIC')
    return act({ url, addresses, port, ca, signal: controller.signal })
  }
  try {
    return await withTimeout(timeoutMs, load(), tooSlow(timeoutMs))
  } finally {
    controller.abort()
  }
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? HTTPS_PORT : HTTP_PORT) : Number(port)
}

function tooSlow(timeoutMs: number): AppError {
  return invalid('ADDRESS_TOO_SLOW', { count: Math.max(1, Math.round(timeoutMs / 1000)) })
}

/** Throws `invalid` if a URL can't be the target of a `PostPublic`, as far as its text shows. */
export function rejectForbiddenUrl(text: string, isPrivateAllowed: boolean): void {
  const { hostname } = checkedUrl(text, isPrivateAllowed)
  const address = hostname.replaceAll(/[[\]]/g, '')
  if (!isPrivateAllowed && isIP(address) !== 0 && !isPublicAddress(address)) throw invalid('ADDRESS_NOT_PUBLIC')
}

/** Throws `invalid` if the field's address leads its readers into their own network. It must be a web address, or empty. */
export function rejectPrivateHost(field: string, address: string | null | undefined): void {
  if (address && !isPublicHost(new URL(address).hostname)) throw invalid('ADDRESS_NOT_PUBLIC').inField(field)
}

/** Checks the URL itself. The URL parser has normalized all spellings of a host (`0x7f.1`, `①②⑦.0.0.1`). */
function checkedUrl(text: string, isPrivateAllowed = false): URL {
  const url = NO_CONTROLS.test(text) ? URL.parse(text) : null
  if (url === null) throw invalid('ADDRESS_NOT_URL')
  if (url.protocol !== 'https:' && !(isPrivateAllowed && url.protocol === 'http:')) throw invalid('ADDRESS_NOT_HTTPS')
  if (url.username !== '' || url.password !== '') throw invalid('ADDRESS_HAS_CREDENTIALS')
  if (isPrivateAllowed) return url
  if (url.port !== '') throw invalid('ADDRESS_HAS_PORT')
  // IP addresses are checked later, with the resolved ones.
  if (!isAddress(url) && !isPublicHost(url.hostname)) throw invalid('ADDRESS_NOT_PUBLIC')
  return url
}

function isAddress({ hostname }: URL): boolean {
  return hostname.startsWith('[') || isIP(hostname) !== 0
}

async function addressesOf(url: URL, resolve: Resolve, signal: AbortSignal): Promise<readonly string[]> {
  if (isAddress(url)) return [url.hostname.replaceAll(/[[\]]/g, '')]
  const addresses = await resolve(url.hostname, signal).catch(() => [])
  if (addresses.length === 0) throw invalid('ADDRESS_HOST_NOT_FOUND')
  return addresses
}

/** Also reads the hosts file, for names such as `localhost`. */
const resolveBySystem: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address)
