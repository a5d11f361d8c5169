/**
 * The access rules as a plain model: no database, no HTTP, one call at a time. Each action returns the status that the panel must
 * return, and applies its change on success.
 */
import type { Action } from '#contract/events.ts'
import { PERMISSION_KEYS, type Permission } from '#contract/permissions.ts'
import { type Change, type ModelGrant, type ModelOffer, type ModelPerson, type ModelServer, keyOf } from './state.ts'

const inOrder = (permissions: readonly Permission[]) => PERMISSION_KEYS.filter((key) => permissions.includes(key))

export class Model {
  readonly people: readonly ModelPerson[]
  readonly servers = new Map<number, ModelServer>()
  readonly grants = new Map<number, ModelGrant>()
  readonly offers = new Map<number, ModelOffer>()
  /** Released vanity IDs and their former owners: only that owner may claim one during the cooldown. */
  readonly inCooldown = new Map<string, number>()
  /** How many events of each type must be recorded. */
  readonly eventCounts: Partial<Record<Action, number>> = {}
  serversMade = 0
  grantsMade = 0
  offersMade = 0

  constructor(people: readonly ModelPerson[]) {
    this.people = people
  }

  person(who: number): ModelPerson {
    const found = this.people[who]
    if (found === undefined) throw new Error(`There is no person ${who}.`)
    return found
  }

  serverLimit(who: number): number {
    return this.person(who).maxServers ?? { none: 3, BRONZE: 5, RUBY: 30 }[this.#tier(who)]
  }

  managerLimit(who: number): number {
    return this.person(who).maxManagers ?? { none: 2, BRONZE: 3, RUBY: 20 }[this.#tier(who)]
  }

  #tier(who: number): 'none' | 'BRONZE' | 'RUBY' {
    const { forced, isSupporter } = this.person(who)
    return forced ?? (isSupporter ? 'RUBY' : 'none')
  }

  /** What a server has but players do not see, because its owner lacks the benefit. */
  dormant({ owner, vanity, promoted }: ModelServer): string[] {
    if (this.#tier(owner) === 'RUBY') return []
    return [...(vanity === null ? [] : ['vanity_url']), ...(promoted ? ['promoted'] : [])]
  }

  ownedBy(who: number): [number, ModelServer][] {
    return [...this.servers].filter(([, { owner }]) => owner === who)
  }

  givenBy(who: number): [number, ModelGrant][] {
    return [...this.grants].filter(([, { owner }]) => owner === who)
  }

  receivedBy(who: number): [number, ModelGrant][] {
    return [...this.grants].filter(([, { manager }]) => manager === who)
  }

  /** Neither banned nor leaving. */
  isPresent(who: number): boolean {
    const { banned, leaving, gone } = this.person(who)
    return !banned && !leaving && !gone
  }

  #count(action: Action, times = 1): void {
    if (times > 0) this.eventCounts[action] = (this.eventCounts[action] ?? 0) + times
  }

  create(who: number, name: string): number {
    if (!this.isPresent(who) || this.ownedBy(who).length >= this.serverLimit(who)) return 403
    if (this.#isTaken(name)) return 409
    this.servers.set(this.serversMade, { owner: who, name, description: '', vanity: null, promoted: false })
    this.serversMade += 1
    this.#count('SERVER_CREATED')
    return 200
  }

  #isTaken(name: string, except?: number): boolean {
    return [...this.servers].some(([id, server]) => id !== except && keyOf(server.name) === keyOf(name))
  }

  #ownServer(who: number, id: number): ModelServer | number {
    if (!this.isPresent(who)) return 403
    const server = this.servers.get(id)
    return server?.owner === who ? server : 404
  }

  change(who: number, id: number, change: Change): number {
    const server = this.#ownServer(who, id)
    return typeof server === 'number' ? server : this.#change(id, server, change)
  }

  #change(id: number, server: ModelServer, { field, value }: Change): number {
    if (server[field] === value) return 200
    const needsBenefit = (field === 'vanity' && value !== null) || (field === 'promoted' && value)
    if (needsBenefit && this.#tier(server.owner) !== 'RUBY') return 403
    if (field === 'name' && this.#isTaken(value, id)) return 409
    if (field === 'vanity') {
      if (value !== null && !this.#isFree(value, server.owner)) return 409
      this.#startCooldown(server)
      if (value !== null) this.inCooldown.delete(value)
    }
    // One promoted server for each owner: the newest.
    const demoted = field === 'promoted' && value ? this.ownedBy(server.owner).filter(([, other]) => other.promoted) : []
    for (const [, other] of demoted) other.promoted = false
    Object.assign(server, { [field]: value })
    this.#count('SERVER_CHANGED', 1 + demoted.length)
    return 200
  }

  #isFree(vanity: string, owner: number): boolean {
    const cooldownOwner = this.inCooldown.get(vanity) ?? owner
    return cooldownOwner === owner && ![...this.servers.values()].some((other) => other.vanity === vanity)
  }

  #startCooldown({ vanity, owner }: ModelServer): void {
    if (vanity !== null) this.inCooldown.set(vanity, owner)
  }

  /** A manager reaches what the grant allows: 404 without a grant, 403 without the permission. */
  #managed(who: number, owner: number, id: number, needs: Permission): ModelServer | number {
    if (!this.isPresent(who)) return 403
    const grant = this.receivedBy(who).find(([, one]) => one.owner === owner)?.[1]
    const server = this.servers.get(id)
    if (grant === undefined || server?.owner !== owner) return 404
    return grant.permissions.includes(needs) ? server : 403
  }

  changeManaged(who: number, owner: number, id: number, change: Change): number {
    const needs = change.field === 'name' || change.field === 'description' ? 'EDIT_DETAILS' : 'EDIT_APPEARANCE'
    const server = this.#managed(who, owner, id, needs)
    return typeof server === 'number' ? server : this.#change(id, server, change)
  }

  /** @param owner set if a manager acts */
  reissue(who: number, id: number, owner?: number): number {
    const server = owner === undefined ? this.#ownServer(who, id) : this.#managed(who, owner, id, 'REISSUE_CREDENTIAL')
    if (typeof server === 'number') return server
    this.#count('CREDENTIAL_REISSUED')
    return 200
  }

  resetAddress(who: number, id: number, owner?: number): number {
    const server = owner === undefined ? this.#ownServer(who, id) : this.#managed(who, owner, id, 'RESET_ADDRESS')
    if (typeof server === 'number') return server
    this.#count('ADDRESS_RESET')
    return 200
  }

  remove(who: number, id: number): number {
    const server = this.#ownServer(who, id)
    if (typeof server === 'number') return server
    this.#endOffers((offer) => offer.server === id)
    this.#startCooldown(server)
    this.servers.delete(id)
    this.#count('SERVER_DELETED')
    return 204
  }

  #endOffers(which: (offer: ModelOffer) => boolean): void {
    const ended = [...this.offers].filter(([, offer]) => which(offer))
    for (const [id] of ended) this.offers.delete(id)
    this.#count('TRANSFER_CANCELLED', ended.length)
  }

  offer(who: number, id: number, to: number): number {
    const server = this.#ownServer(who, id)
    if (typeof server === 'number') return server
    if (to === who) return 400
    if (this.person(to).gone) return 404
    if (!this.isPresent(to)) return 400
    if ([...this.offers.values()].some((one) => one.server === id)) return 409
    this.offers.set(this.offersMade, { server: id, from: who, to })
    this.offersMade += 1
    this.#count('TRANSFER_OFFERED')
    return 200
  }

  /** Cancels or declines. */
  cancel(who: number, id: number): number {
    if (!this.isPresent(who)) return 403
    const offer = this.offers.get(id)
    if (offer === undefined || (offer.from !== who && offer.to !== who)) return 404
    this.offers.delete(id)
    this.#count(offer.from === who ? 'TRANSFER_CANCELLED' : 'TRANSFER_DECLINED')
    return 204
  }

  accept(who: number, id: number): number {
    if (!this.isPresent(who)) return 403
    const offer = this.offers.get(id)
    const server = this.servers.get(offer?.server ?? -1)
    if (offer === undefined || server === undefined || (offer.from !== who && offer.to !== who)) return 404
    if (offer.to !== who || this.ownedBy(who).length >= this.serverLimit(who)) return 403
    // The server stays promoted unless the new owner has a promoted one.
    server.promoted &&= !this.ownedBy(who).some(([, other]) => other.promoted)
    server.owner = who
    this.offers.delete(id)
    this.#count('TRANSFER_ACCEPTED')
    return 204
  }

  lapse(id: number): void {
    this.offers.delete(id)
    this.#count('TRANSFER_LAPSED')
  }

  grant(who: number, to: number, permissions: readonly Permission[]): number {
    if (!this.isPresent(who)) return 403
    if (to === who) return 400
    if (this.person(to).gone) return 404
    if (!this.isPresent(to)) return 400
    const wanted = inOrder(permissions)
    const existing = this.givenBy(who).find(([, one]) => one.manager === to)?.[1]
    if (existing !== undefined) {
      if (existing.permissions.join() !== wanted.join()) this.#count('MANAGER_CHANGED')
      existing.permissions = wanted
      return 200
    }
    if (this.givenBy(who).length >= this.managerLimit(who)) return 403
    this.grants.set(this.grantsMade, { owner: who, manager: to, permissions: wanted })
    this.grantsMade += 1
    this.#count('MANAGER_GRANTED')
    return 200
  }

  revoke(who: number, from: number): number {
    if (!this.isPresent(who)) return 403
    const existing = this.givenBy(who).find(([, one]) => one.manager === from)
    if (existing === undefined) return 404
    this.grants.delete(existing[0])
    this.#count('MANAGER_REVOKED')
    return 204
  }

  resign(who: number, id: number): number {
    if (!this.isPresent(who)) return 403
    if (this.grants.get(id)?.manager !== who) return 404
    this.grants.delete(id)
    this.#count('MANAGER_REFUSED')
    return 204
  }

  ban(who: number, banned: boolean): number {
    const person = this.person(who)
    if (person.gone) return 404
    if (banned) this.#endOffers(({ from, to }) => from === who || to === who)
    if (person.banned !== banned) this.#count(banned ? 'ACCOUNT_BANNED' : 'ACCOUNT_UNBANNED')
    person.banned = banned
    return 200
  }

  setLimits(who: number, maxServers: number | null, maxManagers: number | null): number {
    const person = this.person(who)
    if (person.gone) return 404
    if (person.maxServers !== maxServers || person.maxManagers !== maxManagers) this.#count('LIMITS_CHANGED')
    Object.assign(person, { maxServers, maxManagers })
    return 200
  }

  force(who: number, tier: ModelPerson['forced']): number {
    const person = this.person(who)
    if (person.gone) return 404
    if (person.forced !== tier) this.#count('TIER_CHANGED')
    person.forced = tier
    return 200
  }

  leave(who: number): number {
    if (!this.isPresent(who)) return 403
    this.person(who).leaving = true
    this.#count('ACCOUNT_DELETION_REQUESTED')
    return 200
  }

  stay(who: number): number {
    const person = this.person(who)
    if (person.banned || person.gone) return 403
    if (person.leaving) this.#count('ACCOUNT_DELETION_CANCELLED')
    person.leaving = false
    return 204
  }

  /** Only for a user scheduled for deletion and not banned. */
  erase(who: number): void {
    this.#endOffers(({ from, to }) => from === who || to === who)
    this.#count('MANAGER_REVOKED', this.givenBy(who).length)
    this.#count('MANAGER_REFUSED', this.receivedBy(who).length)
    for (const [id] of [...this.givenBy(who), ...this.receivedBy(who)]) this.grants.delete(id)
    for (const [id, server] of this.ownedBy(who)) {
      this.#startCooldown(server)
      this.servers.delete(id)
    }
    this.person(who).gone = true
    this.#count('ACCOUNT_ERASED')
  }
}
