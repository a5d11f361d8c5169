/** Where players connect to: the endpoint that a server names once it is proven, else its source address and announced port. */
import { isIP } from 'node:net'
import type { ProofFailure } from '#contract/servers/probes.ts'
import { familyOf } from '#backend/platform/http/client-address.ts'
import { isPrivateNetwork } from '#backend/platform/outbound/public-address.ts'
import type { ServerRecord } from './server-record.ts'
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
  /** Whether the holder of the credential has answered there. */
  readonly isProven: boolean
  /** The server names another endpoint, which is not proven. */
  readonly isUnproven: boolean
  /** Only players in the same network reach it. */
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
  const hasSourceAsHost = sources.includes(host)
  const proven = hasSourceAsHost ? [host] : (proof?.addresses ?? [])
  if (host !== '' && proven.length > 0) {
    const name = isIP(host) === 0 && proof?.isNameProven === true ? host : ''
    const addresses = proven.toSorted(compareFamilies).map((address) => hostAndPort(address, port))
    return {
      address: name === '' ? (addresses[0] ?? '') : hostAndPort(name, port),
      addresses,
      host: name,
      isProven: !hasSourceAsHost || proof?.addresses.includes(host) === true,
      isUnproven: false,
      isPrivate: false,
    }
  }
  const joinable = sources.filter((address) => !isPrivateNetwork(address))
  const shown = joinable.length > 0 ? joinable : sources
  const addresses = shown.map((address) => hostAndPort(address, port))
  const isProven = host === '' && shown.some((address) => proof?.addresses.includes(address) === true)
  return { address: addresses[0] ?? '', addresses, host: '', isProven, isUnproven: host !== '', isPrivate: joinable.length === 0 }
}

/** Undefined if the server announces another host or port by now. */
export function currentProofOf({ announced, fields: { proof } }: Pick<EndpointSource, 'announced' | 'fields'>): Proof | undefined {
  return proof !== undefined && proof.host === announced?.host && proof.port === announced.port ? proof : undefined
}

const compareFamilies = (one: string, other: string) => Number(familyOf(one) === 'ipv6') - Number(familyOf(other) === 'ipv6')
