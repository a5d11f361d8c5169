/**
 * The access rules as a plain model: no database, no HTTP, one call at a time. Each action returns the status that the panel must
 * return, and applies its change on success.
 */
import { MIN_BIN_SERVERS } from '#contract/servers/bin-days.ts'
import type { Action } from '#contract/events/events.ts'
import { PERMISSION_KEYS, type Permission } from '#contract/servers/permissions.ts'
import { type Change, type ModelGrant, type ModelOffer, type ModelUser, type ModelServer, nameKeyOf } from './state.ts'

const inOrder = (permissions: readonly Permission[]) => PERMISSION_KEYS.filter((key) => permissions.includes(key))

export class Model {
  readonly users: readonly ModelUser[]
  readonly servers = new Map<number, ModelServer>()
  /** Deleted servers, whose names stay taken. */
  readonly inBin = new Map<number, ModelServer>()
  /** The order in which servers were first deleted. A second deletion doesn't renew it. */
  readonly #firstDeleted: number[] = []
  readonly grants = new Map<number, ModelGrant>()
  readonly offers = new Map<number, ModelOffer>()
  /** Released vanity IDs and their former owners: only that owner may claim one during the cooldown. */
  readonly inCooldown = new Map<string, number>()
  /** How many events of each type must be recorded. */
  readonly eventCounts: Partial<Record<Action, number>> = {}
  serversCreated = 0
  grantsCreated = 0
  offersCreated = 0

  constructor(users: readonly ModelUser[]) {
    this.users = users
  }

  userAt(user: number): ModelUser {
    const found = this.users[user]
    if (found === undefined) throw new Error(`There is no user ${user}.`)
    return found
  }

  serverLimit(user: number): number {
    return this.userAt(user).maxServers ?? { none: 3, BRONZE: 5, RUBY: 30 }[this.#tier(user)]
  }

  managerLimit(user: number): number {
    return this.userAt(user).maxManagers ?? { none: 2, BRONZE: 3, RUBY: 20 }[this.#tier(user)]
  }

  #tier(user: number): 'none' | 'BRONZE' | 'RUBY' {
    const { forced, isSupporter } = this.userAt(user)
    return forced ?? (isSupporter ? 'RUBY' : 'none')
  }

  /** What a server has but players do not see, because its owner lacks the benefit. */
  dormant({ owner, vanity, promoted }: ModelServer): string[] {
    if (this.#tier(owner) === 'RUBY') return []
    return [...(vanity === null ? [] : ['vanity_url']), ...(promoted ? ['promoted'] : [])]
  }

  ownedBy(user: number): [number, ModelServer][] {
    return [...this.servers].filter(([, { owner }]) => owner === user)
  }

  givenBy(user: number): [number, ModelGrant][] {
    return [...this.grants].filter(([, { owner }]) => owner === user)
  }

  receivedBy(user: number): [number, ModelGrant][] {
    return [...this.grants].filter(([, { manager }]) => manager === user)
  }

  /** Neither banned nor leaving. */
  isPresent(user: number): boolean {
    const { banned, leaving, gone } = this.userAt(user)
    return !banned && !leaving && !gone
  }

  #count(action: Action, times = 1): void {
    if (times > 0) this.eventCounts[action] = (this.eventCounts[action] ?? 0) + times
  }

  create(user: number, name: string): number {
    if (!this.isPresent(user) || this.ownedBy(user).length >= this.serverLimit(user)) return 403
    if (this.#isTaken(name)) return 409
    this.servers.set(this.serversCreated, { owner: user, name, description: '', vanity: null, promoted: false })
    this.serversCreated += 1
    this.#count('SERVER_CREATED')
    return 200
  }

  #isTaken(name: string, except?: number): boolean {
    const named = [...[...this.servers].filter(([id]) => id !== except).map(([, server]) => server), ...this.inBin.values()]
    return named.some((server) => nameKeyOf(server.name) === nameKeyOf(name))
  }

  #ownServer(user: number, id: number): ModelServer | number {
    if (!this.isPresent(user)) return 403
    const server = this.servers.get(id)
    return server?.owner === user ? server : 404
  }

  change(user: number, id: number, change: Change): number {
    const server = this.#ownServer(user, id)
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
  #managed(user: number, owner: number, id: number, needs: Permission): ModelServer | number {
    if (!this.isPresent(user)) return 403
    const grant = this.receivedBy(user).find(([, one]) => one.owner === owner)?.[1]
    const server = this.servers.get(id)
    if (grant === undefined || server?.owner !== owner) return 404
    return grant.permissions.includes(needs) ? server : 403
  }

  changeManaged(user: number, owner: number, id: number, change: Change): number {
    const needs = change.field === 'name' || change.field === 'description' ? 'EDIT_DETAILS' : 'EDIT_APPEARANCE'
    const server = this.#managed(user, owner, id, needs)
    return typeof server === 'number' ? server : this.#change(id, server, change)
  }

  /** @param owner set if a manager acts */
  reissue(user: number, id: number, owner?: number): number {
    const server = owner === undefined ? this.#ownServer(user, id) : this.#managed(user, owner, id, 'REISSUE_CREDENTIAL')
    if (typeof server === 'number') return server
    this.#count('CREDENTIAL_REISSUED')
    return 200
  }

  resetAddress(user: number, id: number, owner?: number): number {
    const server = owner === undefined ? this.#ownServer(user, id) : this.#managed(user, owner, id, 'RESET_ADDRESS')
    if (typeof server === 'number') return server
    this.#count('ADDRESS_RESET')
    return 200
  }

  remove(user: number, id: number): number {
    const server = this.#ownServer(user, id)
    if (typeof server === 'number') return server
    this.#endOffers((offer) => offer.server === id)
    this.#startCooldown(server)
    this.servers.delete(id)
    this.inBin.set(id, server)
    this.#count('SERVER_DELETED')
    if (!this.#firstDeleted.includes(id)) this.#firstDeleted.push(id)
    const others = this.#firstDeleted.filter((other) => other !== id && this.inBin.get(other)?.owner === user)
    const purged = others.slice(0, Math.max(0, others.length + 1 - Math.max(MIN_BIN_SERVERS, this.serverLimit(user))))
    for (const other of purged) this.inBin.delete(other)
    this.#count('SERVER_PURGED', purged.length)
    return 204
  }

  restore(user: number, id: number): number {
    if (!this.isPresent(user)) return 403
    const server = this.inBin.get(id)
    if (server?.owner !== user) return 404
    if (this.ownedBy(user).length >= this.serverLimit(user)) return 403
    if (server.vanity !== null && !this.#isFree(server.vanity, user)) server.vanity = null
    if (server.vanity !== null) this.inCooldown.delete(server.vanity)
    server.promoted &&= !this.ownedBy(user).some(([, other]) => other.promoted)
    this.inBin.delete(id)
    this.servers.set(id, server)
    this.#count('SERVER_RESTORED')
    return 200
  }

  #endOffers(which: (offer: ModelOffer) => boolean): void {
    const ended = [...this.offers].filter(([, offer]) => which(offer))
    for (const [id] of ended) this.offers.delete(id)
    this.#count('TRANSFER_CANCELLED', ended.length)
  }

  offer(user: number, id: number, to: number): number {
    const server = this.#ownServer(user, id)
    if (typeof server === 'number') return server
    if (to === user) return 400
    if (this.userAt(to).gone) return 404
    if (!this.isPresent(to)) return 400
    if ([...this.offers.values()].some((one) => one.server === id)) return 409
    this.offers.set(this.offersCreated, { server: id, from: user, to })
    this.offersCreated += 1
    this.#count('TRANSFER_OFFERED')
    return 200
  }

  /** Cancels or declines. */
  cancel(user: number, id: number): number {
    if (!this.isPresent(user)) return 403
    const offer = this.offers.get(id)
    if (offer === undefined || (offer.from !== user && offer.to !== user)) return 404
    this.offers.delete(id)
    this.#count(offer.from === user ? 'TRANSFER_CANCELLED' : 'TRANSFER_DECLINED')
    return 204
  }

  accept(user: number, id: number): number {
    if (!this.isPresent(user)) return 403
    const offer = this.offers.get(id)
    const server = this.servers.get(offer?.server ?? -1)
    if (offer === undefined || server === undefined || (offer.from !== user && offer.to !== user)) return 404
    if (offer.to !== user || this.ownedBy(user).length >= this.serverLimit(user)) return 403
    // The server stays promoted unless the new owner has a promoted one.
    server.promoted &&= !this.ownedBy(user).some(([, other]) => other.promoted)
    server.owner = user
    this.offers.delete(id)
    this.#count('TRANSFER_ACCEPTED')
    return 204
  }

  expire(id: number): void {
    this.offers.delete(id)
    this.#count('TRANSFER_LAPSED')
  }

  grant(user: number, to: number, permissions: readonly Permission[]): number {
    if (!this.isPresent(user)) return 403
    if (to === user) return 400
    if (this.userAt(to).gone) return 404
    if (!this.isPresent(to)) return 400
    const sorted = inOrder(permissions)
    const existing = this.givenBy(user).find(([, one]) => one.manager === to)?.[1]
    if (existing !== undefined) {
      if (existing.permissions.join() !== sorted.join()) this.#count('MANAGER_CHANGED')
      existing.permissions = sorted
      return 200
    }
    if (this.givenBy(user).length >= this.managerLimit(user)) return 403
    this.grants.set(this.grantsCreated, { owner: user, manager: to, permissions: sorted })
    this.grantsCreated += 1
    this.#count('MANAGER_GRANTED')
    return 200
  }

  revoke(user: number, from: number): number {
    if (!this.isPresent(user)) return 403
    const existing = this.givenBy(user).find(([, one]) => one.manager === from)
    if (existing === undefined) return 404
    this.grants.delete(existing[0])
    this.#count('MANAGER_REVOKED')
    return 204
  }

  resign(user: number, id: number): number {
    if (!this.isPresent(user)) return 403
    if (this.grants.get(id)?.manager !== user) return 404
    this.grants.delete(id)
    this.#count('MANAGER_REFUSED')
    return 204
  }

  ban(user: number, banned: boolean): number {
    const state = this.userAt(user)
    if (state.gone) return 404
    if (banned) this.#endOffers(({ from, to }) => from === user || to === user)
    if (state.banned !== banned) this.#count(banned ? 'ACCOUNT_BANNED' : 'ACCOUNT_UNBANNED')
    state.banned = banned
    return 200
  }

  setLimits(user: number, maxServers: number | null, maxManagers: number | null): number {
    const state = this.userAt(user)
    if (state.gone) return 404
    if (state.maxServers !== maxServers || state.maxManagers !== maxManagers) this.#count('LIMITS_CHANGED')
    Object.assign(state, { maxServers, maxManagers })
    return 200
  }

  force(user: number, tier: ModelUser['forced']): number {
    const state = this.userAt(user)
    if (state.gone) return 404
    if (state.forced !== tier) this.#count('TIER_CHANGED')
    state.forced = tier
    return 200
  }

  requestDeletion(user: number): number {
    if (!this.isPresent(user)) return 403
    this.userAt(user).leaving = true
    this.#count('ACCOUNT_DELETION_REQUESTED')
    return 200
  }

  cancelDeletion(user: number): number {
    const state = this.userAt(user)
    if (state.banned || state.gone) return 403
    if (state.leaving) this.#count('ACCOUNT_DELETION_CANCELLED')
    state.leaving = false
    return 204
  }

  /** Only for a user scheduled for deletion and not banned. */
  erase(user: number): void {
    this.#endOffers(({ from, to }) => from === user || to === user)
    this.#count('MANAGER_REVOKED', this.givenBy(user).length)
    this.#count('MANAGER_REFUSED', this.receivedBy(user).length)
    for (const [id] of [...this.givenBy(user), ...this.receivedBy(user)]) this.grants.delete(id)
    for (const [id, server] of this.ownedBy(user)) {
      this.#startCooldown(server)
      this.servers.delete(id)
    }
    for (const [id, { owner }] of this.inBin) if (owner === user) this.inBin.delete(id)
    this.userAt(user).gone = true
    this.#count('ACCOUNT_ERASED')
  }
}
