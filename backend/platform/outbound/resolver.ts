/** Resolves names with name servers only: not with the hosts file, or search domains. */
import { Resolver } from 'node:dns/promises'

const OPTIONS = { timeout: 2000, tries: 2 }

/** All IPv4 and IPv6 addresses of a host; empty if there is none. The signal cancels the query. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>

export interface Resolved {
  /** IPv4 first. */
  readonly addresses: readonly string[]
  /** How long they may be kept, in seconds. */
  readonly ttlSeconds: number
  /** Whether a query failed, so that the name may have more addresses. */
  readonly isPartial: boolean
  /** Whether no name server could be asked, so that this says nothing about the name. */
  readonly isInconclusive: boolean
}

export type ResolveWithTtl = (host: string, signal: AbortSignal) => Promise<Resolved>

/** There is no such name, or no such record. */
const NO_ADDRESS = new Set(['ENOTFOUND', 'ENODATA'])
/** Errors of this machine or its name server. */
const OWN_FAULTS = new Set(['ETIMEOUT', 'ECONNREFUSED', 'ECANCELLED', 'ENOMEM', 'EDESTRUCTION'])

/** Never rejects. @param servers as `address:port`; default: the system's. */
export function createResolverWithTtl(servers?: readonly string[]): ResolveWithTtl {
  return async (host, signal) => {
    if (signal.aborted) return { addresses: [], ttlSeconds: 0, isPartial: true, isInconclusive: true }
    const resolver = new Resolver(OPTIONS)
    if (servers !== undefined) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    const errors: string[] = []
    const none = ({ code = '' }: NodeJS.ErrnoException) => {
      errors.push(code)
      return []
    }
    const found = await Promise.all([
      resolver.resolve4(host, { ttl: true }).catch(none),
      resolver.resolve6(host, { ttl: true }).catch(none),
    ])
    signal.removeEventListener('abort', cancel)
    const records = found.flat()
    return {
      addresses: records.map(({ address }) => address),
      ttlSeconds: Math.min(...records.map(({ ttl }) => ttl)),
      isPartial: errors.some((code) => !NO_ADDRESS.has(code)),
      isInconclusive: records.length === 0 && errors.some((code) => OWN_FAULTS.has(code)),
    }
  }
}

/** @param servers as `address:port`; default: the system's. */
export function createResolver(servers?: readonly string[]): Resolve {
  const resolve = createResolverWithTtl(servers)
  return async (host, signal) => (await resolve(host, signal)).addresses
}
