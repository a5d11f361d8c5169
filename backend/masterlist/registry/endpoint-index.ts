/** Servers by where they are: of several at one endpoint, one is listed. */
import { claimsOf } from './endpoint.ts'
import type { ServerRecord } from './server-record.ts'

/** A server at one `ip:port`. */
export interface Claim {
  readonly place: string
  /** Whether the holder of its credential answered there. */
  readonly isProven: boolean
}

/** All servers that claim one `ip:port`. Most are alone. */
interface Place {
  readonly claimants: Map<ServerRecord, Claim>
  /** The one that is listed. */
  first: ServerRecord
}

export class EndpointIndex {
  readonly #rejectsPrivate: boolean
  readonly #places = new Map<string, Place>()

  /** @param rejectsPrivate whether servers in private networks are not listed. */
  constructor(rejectsPrivate: boolean) {
    this.#rejectsPrivate = rejectsPrivate
  }

  /**
   * Decides again who is listed where this server is, or was, after each change of it beyond its counts. Returns the other servers whose place
   * changed, each with whether it was listed.
   */
  settle(server: ServerRecord): readonly { readonly other: ServerRecord; readonly wasListed: boolean }[] {
    const { claims, isPrivate } = claimsOf(server)
    const isRejected = this.#rejectsPrivate && server.online && isPrivate
    server.withheld = isRejected ? 'PRIVATE_ADDRESS' : ''
    const affected = new Set<ServerRecord>()
    for (const claim of server.claims) this.#remove(claim.place, server, affected)
    server.claims = isRejected ? [] : claims
    for (const claim of server.claims) this.#add(claim, server, affected)
    affected.delete(server)
    this.#decide(server)
    return [...affected].flatMap((other) => {
      const [wasListed, before] = [other.isListed, other.duplicateOf]
      this.#decide(other)
      return other.duplicateOf === before ? [] : [{ other, wasListed }]
    })
  }

  #decide(server: ServerRecord): void {
    const firsts = server.claims.map(({ place }) => this.#places.get(place)?.first)
    server.duplicateOf = firsts.find((first) => first !== server)
    if (server.withheld !== 'PRIVATE_ADDRESS') server.withheld = server.duplicateOf === undefined ? '' : 'DUPLICATE_ADDRESS'
  }

  #add(claim: Claim, server: ServerRecord, affected: Set<ServerRecord>): void {
    const place = this.#places.get(claim.place)
    if (place === undefined) {
      this.#places.set(claim.place, { claimants: new Map([[server, claim]]), first: server })
      return
    }
    place.claimants.set(server, claim)
    if (comesFirst(server, place.first, place)) changeFirst(place, server, affected)
  }

  #remove(name: string, server: ServerRecord, affected: Set<ServerRecord>): void {
    const place = this.#places.get(name)
    if (place?.claimants.delete(server) !== true || place.first !== server) return
    const [next, ...others] = place.claimants.keys()
    if (next === undefined) this.#places.delete(name)
    else
      changeFirst(
        place,
        others.reduce((first, other) => (comesFirst(other, first, place) ? other : first), next),
        affected,
      )
  }
}

function changeFirst(place: Place, first: ServerRecord, affected: Set<ServerRecord>): void {
  place.first = first
  for (const server of place.claimants.keys()) affected.add(server)
}

/** The proven one, else the one that was there first. Equal on all nodes. */
function comesFirst(one: ServerRecord, other: ServerRecord, { claimants }: Place): boolean {
  const [isProven, isOtherProven] = [claimants.get(one)?.isProven === true, claimants.get(other)?.isProven === true]
  if (isProven !== isOtherProven) return isProven
  if (one.endpointSince !== other.endpointSince) return one.endpointSince < other.endpointSince
  return one.publicId < other.publicId
}
