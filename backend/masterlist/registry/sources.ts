/** The source addresses of a server: where its announces come from. One of each family counts. */
import { familyOf, isSameMachine } from '#backend/platform/http/client-address.ts'
import type { LiveState } from './live-state.ts'
import type { LiveCredential, ServerRecord } from './server-record.ts'

/** How long the address of one family counts while only the other one announces. */
const OTHER_FAMILY_MS = 600_000

type Sources = Readonly<Pick<ServerRecord, 'address' | 'otherAddress'>>

/** An address that isn't there is empty. */
export const sourcesOf = ({ address, otherAddress }: Sources) => [address, otherAddress].filter((each) => each !== '')

/** The sources after an announce from an address. IPv4 comes first. @param uptime milliseconds. */
export function sourcesAfter(server: ServerRecord, source: string, uptime: number): Sources {
  const family = familyOf(source)
  const counts = (address: string) =>
    familyOf(address) !== family && uptime - server.seen[familyOf(address)] < OTHER_FAMILY_MS && isBound(server.credentials, address)
  const other = sourcesOf(server).find((address) => counts(address)) ?? ''
  return family === 'ipv4' || other === '' ? { address: source, otherAddress: other } : { address: other, otherAddress: source }
}

function isBound(credentials: readonly LiveCredential[], address: string): boolean {
  return credentials.some(({ bound }) => isSameMachine(bound[familyOf(address)] ?? '', address))
}

/** Notes that the server announces from these addresses, or did until this node learned of it. */
export function markSeen({ seen }: ServerRecord, addresses: readonly string[], uptime: number): void {
  for (const address of addresses) seen[familyOf(address)] = uptime
}

/** The address that an announce from another one must match; undefined if the credential has none of its family, or it matches. */
export function otherBoundAddressOf({ bound }: Pick<LiveCredential, 'bound'>, address: string): string | undefined {
  const known = bound[familyOf(address)]
  return known === undefined || isSameMachine(known, address) ? undefined : known
}

/** Whether the credential has an address of the sender's family. */
export const bindsFamilyOf = ({ bound }: Pick<LiveCredential, 'bound'>, address: string) => bound[familyOf(address)] !== undefined

/**
 * Since when a server claims the endpoint of a new state. From now if it moved to another machine's address, where others may have been first.
 * @param since when a port that is back was there first.
 */
export function endpointSinceOf(
  server: ServerRecord,
  state: Pick<LiveState, 'announced' | 'address' | 'otherAddress'>,
  since: number,
  now: number,
): number {
  const { announced, online } = server
  if (!online || !isStillThere(sourcesOf(server), sourcesOf(state))) return now
  const isSame = announced?.port === state.announced.port && announced.host === state.announced.host
  return isSame ? server.endpointSince : since
}

/** Whether an address is still the same machine's, and none was replaced by another machine's. One of a new family may be added. */
function isStillThere(known: readonly string[], next: readonly string[]): boolean {
  const isSame = (one: string) => known.some((other) => isSameMachine(one, other))
  const isAdded = (one: string) => known.every((other) => familyOf(one) !== familyOf(other))
  return next.some(isSame) && next.every((address) => isSame(address) || isAdded(address))
}

/** Another node received an announce: over the only family, or over one that is new. Otherwise its heartbeats say over which. */
export function markAnnounced(server: ServerRecord, known: readonly string[], uptime: number): void {
  server.lastAnnounceUptime = uptime
  const sources = sourcesOf(server)
  markSeen(server, sources.length === 1 ? sources : sources.filter((address) => !known.includes(address)), uptime)
}

/** This node learned only now that the server announces. */
export function markSeenNow(server: ServerRecord, uptime: number): void {
  server.lastAnnounceUptime = uptime
  markSeen(server, sourcesOf(server), uptime)
}
