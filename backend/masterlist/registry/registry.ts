/** All servers with their live states. Pure: no clock, database or HTTP. Callbacks and `unsaved` report what to publish and save. */
import type { Family } from '#backend/platform/http/client-address.ts'
import { EndpointIndex } from './endpoint-index.ts'
import { Expiry } from './expiry.ts'
import { rowJson } from './listed-row.ts'
import {
  hasSameCounts,
  isFromFuture,
  isSameExceptCounts,
  hasSameSources,
  supersedes,
  isSupersededCredential,
  latestPlausible,
  type LiveState,
  assignLiveState,
  endedByReissue,
  lastEventAt,
  type ListChange,
} from './live-state.ts'
import { OWNER, forgetPort, noteProcess, notePortOf, otherPortOf } from './processes.ts'
import { endpointSinceOf, markAnnounced, markSeen, markSeenNow, sourcesAfter, sourcesOf } from './sources.ts'
import { type AnnouncedState, type EndedBy, type LiveCredential, type OwnerFields, ServerRecord } from './server-record.ts'

/** One moment on both clocks, in milliseconds: `uptime` (monotonic) for expiry, `now` (wall time) for times that are saved and shown. */
export interface Moment {
  readonly uptime: number
  readonly now: number
}

/** The server came online, its state changed, nothing changed, or an announce was ignored: of an old credential, or of another process. */
export type AnnounceOutcome = 'added' | 'changed' | 'refreshed' | 'superseded' | 'other'

export class Registry {
  readonly #servers = new Map<string, ServerRecord>()
  readonly #vanities = new Map<string, ServerRecord>()
  readonly expiry: Expiry
  onlineCount = 0
  /** Servers whose live states have changed since they were saved. */
  readonly unsaved = new Set<ServerRecord>()
  /** Called on each change of the list. */
  onListChange: (server: ServerRecord, change: ListChange) => void = () => undefined
  /** Called on each change that the owner sees. */
  onChange: (server: ServerRecord, isCountsOnly?: boolean) => void = () => undefined

  readonly #endpoints: EndpointIndex
  readonly #ttl: number

  /** @param ttl how long a server stays online without an announce, in milliseconds. @param rejectsPrivate as in `EndpointIndex`. */
  constructor(ttl: number, rejectsPrivate = false) {
    this.#ttl = ttl
    this.#endpoints = new EndpointIndex(rejectsPrivate)
    this.expiry = new Expiry(ttl)
  }

  get size(): number {
    return this.#servers.size
  }

  get(publicId: string): ServerRecord | undefined {
    return this.#servers.get(publicId)
  }

  /** Finds by public ID or vanity ID. A leading `@` is optional. Capitals in a vanity ID don't matter: phones write the first letter so. */
  find(id: string): ServerRecord | undefined {
    const plain = id.startsWith('@') ? id.slice(1) : id
    return this.#servers.get(plain) ?? this.#vanities.get(plain.toLowerCase())
  }

  all(): IterableIterator<ServerRecord> {
    return this.#servers.values()
  }

  /** Applies a server's row from the database. A live state ends if its credential is no longer valid. */
  apply(fields: OwnerFields, credentials: readonly LiveCredential[], at: Moment): ServerRecord {
    const known = this.#servers.get(fields.publicId)
    const server = known ?? this.#add(fields)
    for (const credential of credentials) credential.server = server
    if (known === undefined) {
      server.credentials = credentials
      return server
    }
    const previousRow = rowJson(server)
    const wasListed = server.isListed
    const { vanityUrl, enforcement } = server.fields
    if (vanityUrl !== fields.vanityUrl) this.#moveVanity(server, vanityUrl, fields.vanityUrl)
    server.fields = fields
    server.credentials = credentials
    this.#settle(server, at)
    if (server.online && !credentials.some((credential) => credential.id === server.credentialId))
      this.#goOffline(server, 'REISSUED', at, wasListed)
    else if (rowJson(server) !== previousRow || server.isListed !== wasListed) this.#markChanged(server, at, wasListed)
    // `rowJson` doesn't contain the rank.
    else if (server.isListed && fields.enforcement.isUnranked !== enforcement.isUnranked) this.onListChange(server, 'whole')
    this.onChange(server)
    return server
  }

  remove(publicId: string, at: Moment): void {
    const server = this.#servers.get(publicId)
    if (server === undefined) return
    const wasListed = server.isListed
    this.#setOnline(server, false)
    this.#servers.delete(publicId)
    this.#settle(server, at)
    this.#notifyListChange(server, wasListed)
    this.#moveVanity(server, server.fields.vanityUrl, '')
    this.unsaved.delete(server)
    this.onChange(server)
  }

  /** Restores a saved live state, replacing an earlier one. Online servers get a full TTL from now. */
  restore(server: ServerRecord, saved: LiveState, at: Moment): void {
    const credential = server.credentials.find(({ id }) => id === saved.credentialId)
    const wasListed = server.isListed
    this.#setOnline(server, false)
    assignLiveState(server, saved)
    server.listedSince = saved.since
    server.changedAt = Math.max(saved.changedAt, server.fields.updatedAt)
    markSeenNow(server, at.uptime)
    // The owner changed the server while this process was down.
    if (server.changedAt !== saved.changedAt) this.unsaved.add(server)
    // Its credential was revoked while this process was down.
    if (saved.online && credential === undefined) return this.#goOffline(server, 'REISSUED', at, wasListed)
    this.#setOnline(server, saved.online)
    this.#settle(server, at)
    this.#notifyListChange(server, wasListed)
  }

  /** Merges another node's state if it is newer; returns whether it was. Saved again only if a revoked credential ends it. */
  mergeRemote(server: ServerRecord, remote: LiveState, at: Moment): boolean {
    if (!supersedes(remote, server, at.now)) return false
    const isRevoked = remote.online && !server.credentials.some((credential) => credential.id === remote.credentialId)
    const live = isRevoked ? endedByReissue(remote, at) : remote
    const wasListed = server.isListed
    const wasOnline = server.online
    // If it left and came back in one state, it no longer was there first.
    const isSameClaim = hasSameSources(server, live) && server.endpointSince === live.endpointSince
    const previous = isSameClaim ? server.announced : undefined
    notePortOf(server, live, at, this.#ttl)
    const known = wasOnline ? sourcesOf(server) : []
    assignLiveState(server, live)
    server.lastRejection = undefined
    if (isRevoked) this.unsaved.add(server)
    else this.unsaved.delete(server)
    if (live.online) markAnnounced(server, known, at.uptime)
    this.#setOnline(server, live.online)
    const isCountsOnly = wasOnline && live.online && previous !== undefined && isSameExceptCounts(previous, live.announced)
    if (!isCountsOnly) this.#settle(server, at)
    if (!wasListed && server.isListed) server.listedSince = live.since
    this.#notifyListChange(server, wasListed, isCountsOnly)
    this.onChange(server, isCountsOnly && !isRevoked)
    return true
  }

  /** Another node received an announce. The TTL restarts now, so that no wrong clock ends it early. @param announcedAt wall milliseconds. */
  heartbeat(server: ServerRecord, family: Family, announcedAt: number, at: Moment): void {
    server.lastAnnounceAt = latestPlausible(announcedAt, server.lastAnnounceAt)
    server.lastAnnounceUptime = at.uptime
    server.seen[family] = at.uptime
  }

  /** Gives online servers a full TTL, because this node may have missed heartbeats from other nodes. */
  renewAll(at: Moment): void {
    for (const server of this.#servers.values()) if (server.online) markSeenNow(server, at.uptime)
  }

  /**
   * Applies a valid announce. While the server announces with a newer credential, an announce with the old one does not change the live state.
   * Otherwise two game servers would keep replacing each other's state.
   */
  announce(server: ServerRecord, credential: LiveCredential, announced: AnnouncedState, address: string, at: Moment): AnnounceOutcome {
    credential.lastUsedAt = at.now
    server.lastRejection = undefined
    if (server.online && credential.graceUntil !== undefined && isSupersededCredential(server, credential)) return 'superseded'
    const { isOther, since } = server.online ? noteProcess(server, announced.port, at, this.#ttl) : OWNER
    if (isOther) {
      server.otherAnnounce = { announced, address, credential, at: at.uptime }
      this.onChange(server)
      return 'other'
    }
    const sources = sourcesAfter(server, address, at.uptime)
    server.lastAnnounceUptime = at.uptime
    markSeen(server, [address], at.uptime)
    // Later than the last known event, even if another node's clock is slightly ahead: nodes keep the later state.
    server.lastAnnounceAt = latestPlausible(at.now, lastEventAt(server) + 1)
    // A time far ahead comes from a wrong clock and is replaced even if nothing changed.
    const isFromWrongClock = isFromFuture(server.changedAt, at.now)
    const previous = server.online && hasSameSources(server, sources) ? server.announced : undefined
    const isUnchangedExceptCounts = previous !== undefined && isSameExceptCounts(previous, announced)
    const isUnchanged = isUnchangedExceptCounts && hasSameCounts(previous, announced)
    const isSameCredential = server.credentialId === credential.id
    if (isUnchanged && isSameCredential && !isFromWrongClock) return 'refreshed'
    const isCountsOnly = isUnchangedExceptCounts && isSameCredential
    const wasOnline = server.online
    const wasListed = server.isListed
    this.#takeOver(server, { announced, ...sources, credentialId: credential.id }, at, since)
    // Only the credential differs: it is saved with the row, but readers see no change.
    if (isUnchanged && !isFromWrongClock) this.unsaved.add(server)
    else this.#markChanged(server, at, wasListed, isCountsOnly)
    this.onChange(server, isCountsOnly)
    return wasOnline ? 'changed' : 'added'
  }

  #takeOver(
    server: ServerRecord,
    state: Pick<LiveState, 'announced' | 'address' | 'otherAddress' | 'credentialId'>,
    at: Moment,
    since = at.now,
  ): void {
    server.endpointSince = endpointSinceOf(server, state, since, at.now)
    Object.assign(server, state)
    if (!server.online) {
      server.since = at.now
      server.endedBy = ''
      this.#setOnline(server, true)
    }
    // `since` is in the future if it came from a wrong clock.
    server.since = Math.min(server.since, at.now)
  }

  /** Another process than the entry's said goodbye. */
  forgetProcess(server: ServerRecord, port: number): void {
    if (server.otherAnnounce?.announced.port === port) server.otherAnnounce = undefined
    forgetPort(server, port)
    this.onChange(server)
  }

  /** Takes a server offline. Returns false if it already was. */
  takeOffline(server: ServerRecord, endedBy: EndedBy, at: Moment): boolean {
    if (!server.online) return false
    this.#goOffline(server, endedBy, at, server.isListed)
    return true
  }

  /** Takes servers offline whose TTL has ended, unless expiry is deferred. Returns them. */
  expire(at: Moment): readonly ServerRecord[] {
    const expired = this.expiry.select(this.#servers.values(), at.uptime)
    for (const server of expired) if (!this.handOver(server, at)) this.takeOffline(server, 'EXPIRED', at)
    return expired.filter((server) => !server.online)
  }

  /** The entry's process has ended. If another one announces, it takes over with what is left of its time to live. Returns whether one did. */
  handOver(server: ServerRecord, at: Moment): boolean {
    const { otherAnnounce: other } = server
    const credential = server.credentials.find(({ id }) => id === other?.credential.id)
    if (other === undefined || credential === undefined || at.uptime - other.at >= this.#ttl) return false
    // Silent, so that the other process's announce replaces it.
    server.lastAnnounceUptime = -Infinity
    if (this.announce(server, credential, other.announced, other.address, at) === 'superseded') return false
    server.lastAnnounceUptime = other.at
    server.otherAnnounce = undefined
    return true
  }

  /** The port of another process that announces with the server's credential. */
  otherPortOf(server: ServerRecord, at: Moment): number | undefined {
    return otherPortOf(server, at.uptime, this.#ttl)
  }

  #add(fields: OwnerFields): ServerRecord {
    const server = new ServerRecord(fields)
    this.#servers.set(fields.publicId, server)
    this.#moveVanity(server, '', fields.vanityUrl)
    return server
  }

  #moveVanity(server: ServerRecord, from: string, to: string): void {
    if (this.#vanities.get(from) === server) this.#vanities.delete(from)
    if (to !== '') this.#vanities.set(to, server)
  }

  #setOnline(server: ServerRecord, isOnline: boolean): void {
    if (server.online !== isOnline) this.onlineCount += isOnline ? 1 : -1
    server.online = isOnline
    if (isOnline) return
    server.others = undefined
    server.otherAnnounce = undefined
  }

  #goOffline(server: ServerRecord, endedBy: EndedBy, at: Moment, wasListed: boolean): void {
    this.#setOnline(server, false)
    server.endedBy = endedBy
    server.since = latestPlausible(at.now, server.lastAnnounceAt)
    this.#markChanged(server, at, wasListed)
    this.onChange(server)
  }

  #markChanged(server: ServerRecord, at: Moment, wasListed: boolean, isCountsOnly = false): void {
    server.changedAt = latestPlausible(at.now, server.changedAt + 1)
    if (!isCountsOnly) this.#settle(server, at)
    if (!wasListed && server.isListed) server.listedSince = at.now
    if (server.announced !== undefined) this.unsaved.add(server)
    this.#notifyListChange(server, wasListed, isCountsOnly)
  }

  /** Call it after each change beyond the counts: another server may be listed there now, or no longer. */
  #settle(server: ServerRecord, at: Moment): void {
    for (const { other, wasListed } of this.#endpoints.settle(server)) {
      if (!wasListed && other.isListed) other.listedSince = at.now
      this.#notifyListChange(other, wasListed)
      this.onChange(other)
    }
  }

  #notifyListChange(server: ServerRecord, wasListed: boolean, isCountsOnly = false): void {
    if (server.isListed) this.onListChange(server, isCountsOnly ? 'players' : 'whole')
    else if (wasListed) this.onListChange(server, 'removed')
  }
}
