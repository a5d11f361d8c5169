/** Servers by where they are: of several at one endpoint, one is listed. */
import { endpointOf } from './endpoint.ts'
import type { ServerRecord } from './server-record.ts'

export class EndpointIndex {
  readonly #rejectsPrivate: boolean
  /** By `ip:port`. Most sets have one server. */
  readonly #claimants = new Map<string, Set<ServerRecord>>()

  /** @param rejectsPrivate whether servers in private networks are not listed. */
  constructor(rejectsPrivate: boolean) {
    this.#rejectsPrivate = rejectsPrivate
  }

  /**
   * Decides again who is listed where this server is, or was, after each change of it beyond its counts. Returns the other servers whose place
   * changed, each with whether it was listed.
   */
  settle(server: ServerRecord): readonly { readonly other: ServerRecord; readonly wasListed: boolean }[] {
    const isRejected = this.#rejectsPrivate && server.online && endpointOf(server)?.isPrivate === true
    server.withheld = isRejected ? 'PRIVATE_ADDRESS' : ''
    const changed = []
    for (const each of this.#update(server)) {
      const wasListed = each.isListed
      const holder = this.#holderOver(each)
      const isSame = holder === each.duplicateOf
      each.duplicateOf = holder
      if (each.withheld !== 'PRIVATE_ADDRESS') each.withheld = holder === undefined ? '' : 'DUPLICATE_ADDRESS'
      if (each !== server && !isSame) changed.push({ other: each, wasListed })
    }
    return changed
  }

  /**
   * Updates what a server claims: each `ip:port` where players would connect. It claims nothing while it would not be listed anyway. Returns the
   * servers whose place may change, itself included.
   */
  #update(server: ServerRecord): ReadonlySet<ServerRecord> {
    const claims = claimsOf(server)
    const affected = new Set([server])
    for (const claim of new Set([...server.claims, ...claims])) for (const each of this.#claimants.get(claim) ?? []) affected.add(each)
    for (const claim of server.claims) this.#remove(claim, server)
    for (const claim of claims) this.#add(claim, server)
    server.claims = claims
    return affected
  }

  /** The server that is listed instead of this one. */
  #holderOver(server: ServerRecord): ServerRecord | undefined {
    const rivals = server.claims.flatMap((claim) => [...(this.#claimants.get(claim) ?? [])])
    return rivals.filter((rival) => comesFirst(rival, server)).toSorted((one, other) => (comesFirst(one, other) ? -1 : 1))[0]
  }

  #add(claim: string, server: ServerRecord): void {
    const claimants = this.#claimants.get(claim)
    if (claimants === undefined) this.#claimants.set(claim, new Set([server]))
    else claimants.add(server)
  }

  #remove(claim: string, server: ServerRecord): void {
    const claimants = this.#claimants.get(claim)
    claimants?.delete(server)
    if (claimants?.size === 0) this.#claimants.delete(claim)
  }
}

const NONE: readonly string[] = []

function claimsOf(server: ServerRecord): readonly string[] {
  return server.online && server.isPublic && server.withheld !== 'PRIVATE_ADDRESS' ? (endpointOf(server)?.addresses ?? NONE) : NONE
}

/** The proven one, else the one that was there first. Equal on all nodes. */
function comesFirst(one: ServerRecord, other: ServerRecord): boolean {
  const [isProven, isOtherProven] = [one, other].map((server) => endpointOf(server)?.isProven === true)
  if (isProven !== isOtherProven) return isProven === true
  if (one.endpointSince !== other.endpointSince) return one.endpointSince < other.endpointSince
  return one.publicId < other.publicId
}
