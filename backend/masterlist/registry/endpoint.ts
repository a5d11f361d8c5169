/** Where players connect to: the endpoint that a server names once it is proven, else its source address and announced port. */
import { isIP } from 'node:net'
import type { ProofFailure } from '#contract/servers/probes.ts'
import { familyOf } from '#backend/platform/http/client-address.ts'
import { isPrivateNetwork } from '#backend/platform/outbound/public-address.ts'
import type { ServerRecord } from './server-record.ts'
import type { Claim } from './endpoint-index.ts'
import { sourcesOf } from './sources.ts'

/** What the list could prove of an endpoint (`endpoint_proofs`). It counts only while the server announces this host and port. */
export interface Proof {
  /** Empty for the source address. */
  readonly host: string
  readonly port: number
  /** Those that answered. */
  readonly addresses: readonly string[]
  /** Whether all addresses of the name answered, so that players can use the name. */
  readonly isNameProven: boolean
  /** Why the newest attempt failed; empty if it did not. */
  readonly failure: ProofFailure | ''
  /** Wall milliseconds. */
  readonly failedAt: number | undefined
}

export interface Endpoint {
  /** `host:port` or `ip:port`, IPv6 in brackets. */
  readonly address: string
  /** Each `ip:port`, IPv4 first. */
  readonly addresses: readonly string[]
  /** The proven name; empty if none. */
  readonly host: string
  /** Those of the addresses where the holder of the credential has answered. */
  readonly proven: readonly string[]
  /** The server names another endpoint, which is not proven. */
  readonly isUnproven: boolean
  /** Only players in the same network reach it. Never with a CDN, whose URL players use. */
  readonly isPrivate: boolean
}

type EndpointSource = Readonly<Pick<ServerRecord, 'announced' | 'address' | 'otherAddress'>> & {
  readonly fields: { readonly proof: Proof | undefined }
}

/** IPv6 in brackets. */
export const hostAndPort = (host: string, port: number) => `${host.includes(':') ? `[${host}]` : host}:${port}`

/** Undefined before the first announce. */
export function endpointOf(source: EndpointSource): Endpoint | undefined {
  const { announced } = source
  if (announced === undefined) return undefined
  const { host, port } = announced
  const proof = currentProofOf(source)
  const sources = sourcesOf(source)
  const named = sources.includes(host) ? [host] : host === '' ? [] : (proof?.addresses ?? [])
  const joinable = sources.filter((address) => !isPrivateNetwork(address))
  const shown = named.length > 0 ? named.toSorted(compareFamilies) : joinable.length > 0 ? joinable : sources
  const addresses = shown.map((address) => hostAndPort(address, port))
  const name = named.length > 0 && isIP(host) === 0 && proof?.isNameProven === true ? host : ''
  return {
    address: name === '' ? (addresses[0] ?? '') : hostAndPort(name, port),
    addresses,
    host: name,
    proven: shown.filter((address) => proof?.addresses.includes(address)).map((address) => hostAndPort(address, port)),
    isUnproven: host !== '' && named.length === 0,
    isPrivate: named.length === 0 && joinable.length === 0 && !announced.useCdn,
  }
}

/** Where a server could be listed; nowhere while it is offline or not public. */
export function claimsOf(server: ServerRecord): { readonly claims: readonly Claim[]; readonly isPrivate: boolean } {
  const endpoint = server.online ? endpointOf(server) : undefined
  if (endpoint === undefined) return NO_CLAIMS
  const { addresses, proven, isPrivate } = endpoint
  return { claims: server.isPublic ? addresses.map((place) => ({ place, isProven: proven.includes(place) })) : [], isPrivate }
}

const NO_CLAIMS = { claims: [], isPrivate: false } as const

/** Undefined if the server announces another host or port by now, or says that it can't be asked. */
export function currentProofOf({ announced, fields: { proof } }: Pick<EndpointSource, 'announced' | 'fields'>): Proof | undefined {
  if (proof === undefined || announced === undefined || announced.probe === 'none') return undefined
  if (proof.host !== announced.host || proof.port !== announced.port) return undefined
  return announced.host === '' && announced.probe === '' ? undefined : proof
}

const compareFamilies = (one: string, other: string) => Number(familyOf(one) === 'ipv6') - Number(familyOf(other) === 'ipv6')
