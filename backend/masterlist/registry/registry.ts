/** All servers with their live state. Pure: no clock, database or HTTP. Callbacks and `unsaved` say what to publish and to save. */
import { hasSameCounts, isSameExceptCounts } from './announced-state.ts'
import { ExpiryGuard } from './expiry-guard.ts'
import { ExpiryWheel } from './expiry-wheel.ts'
import { rowJson } from './listed-row.ts'
import {
  isFromFuture,
  supersedes,
  isSupersededCredential,
  latestPlausible,
  type LiveState,
  lastEventAt,
  type ListChange,
} from './live-state.ts'
import { type AnnouncedState, type EndedBy, type LiveCredential, type OwnerFields, ServerRecord } from './server-record.ts'
import { UnsavedServers } from './unsaved-servers.ts'

/** One moment on both clocks, in milliseconds: `uptime` for what expires, `now` for what people read. */
export interface Moment {
  readonly uptime: number
  readonly now: number
}

/** The server came online, its live state changed, nothing changed, or an old credential's announce was ignored. */
export type AnnounceOutcome = 'added' | 'changed' | 'refreshed' | 'shadowed'

export class Registry {
  readonly #servers = new Map<string, ServerRecord>()
  readonly #vanities = new Map<string, ServerRecord>()
  readonly #wheel: ExpiryWheel
  readonly expiryGuard: ExpiryGuard
  online = 0
  readonly unsaved = new UnsavedServers()
  /** Called with each change of the list. */
  onListChange: (server: ServerRecord, how: ListChange) => void = () => undefined
  /** Called with each change that the owner would see. */
  onChange: (server: ServerRecord, isOnlyCount?: boolean) => void = () => undefined

  /** @param ttl milliseconds without an announce after which a server is offline. */
  constructor(ttl: number, at: Moment) {
    this.#wheel = new ExpiryWheel(ttl, at.uptime)
    this.expiryGuard = new ExpiryGuard(ttl, (server) => this.#wheel.schedule(server))
  }

  get size(): number {
    return this.#servers.size
  }

  get(publicId: string): ServerRecord | undefined {
    return this.#servers.get(publicId)
  }

  /** By public id or vanity id. Players may write an @ before it, and the vanity id behind that in capitals. */
  find(id: string): ServerRecord | undefined {
    const plain = id.startsWith('@') ? id.slice(1) : id
    return this.#servers.get(plain) ?? this.#vanities.get(plain === id ? id : plain.toLowerCase())
  }

  all(): IterableIterator<ServerRecord> {
    return this.#servers.values()
  }

  /** Applies what the database says of a server. A live state of a credential that works no more ends. */
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
    if (server.online && !credentials.some((credential) => credential.id === server.credentialId))
      this.#goOffline(server, 'REISSUED', at, wasListed)
    else if (rowJson(server) !== previousRow || server.isListed !== wasListed) this.#changed(server, at, wasListed)
    // Its rank is not in its row.
    else if (server.isListed && fields.enforcement.isUnranked !== enforcement.isUnranked) this.onListChange(server, 'whole')
    this.onChange(server)
    return server
  }

  remove(publicId: string): void {
    const server = this.#servers.get(publicId)
    if (server === undefined) return
    const wasListed = server.isListed
    this.#setOnline(server, false)
    this.#servers.delete(publicId)
    this.#show(server, wasListed)
    this.#moveVanity(server, server.fields.vanityUrl, '')
    this.unsaved.delete(server)
    this.onChange(server)
  }

  /** Restores a saved live state, also over an earlier one. Online servers get a full TTL from now. */
  restore(server: ServerRecord, saved: LiveState, at: Moment): void {
    const credential = server.credentials.find(({ id }) => id === saved.credentialId)
    const wasListed = server.isListed
    this.#setOnline(server, false)
    assign(server, saved)
    server.address = sameText(saved.address, credential?.boundAddress)
    server.listedSince = saved.since
    server.changedAt = Math.max(saved.changedAt, server.fields.updatedAt)
    server.credentialId = credential?.id ?? saved.credentialId
    server.lastAnnounceUptime = at.uptime
    // The owner changed it while this process was down.
    if (server.changedAt !== saved.changedAt) this.unsaved.add(server)
    // And here its credential was reissued.
    if (saved.online && credential === undefined) return this.#goOffline(server, 'REISSUED', at, wasListed)
    this.#setOnline(server, saved.online)
    this.#show(server, wasListed)
  }

  /** Takes over another node's state, if that is newer: returns whether. It is saved again only if it ends, because its credential works no more. */
  mergeRemote(server: ServerRecord, said: LiveState, at: Moment): boolean {
    if (!supersedes(said, server, at.now)) return false
    const isRevoked = said.online && !server.credentials.some((credential) => credential.id === said.credentialId)
    const told = isRevoked ? reissued(said, at) : said
    const wasListed = server.isListed
    const wasOnline = server.online
    const previous = server.address === told.address ? server.announced : undefined
    assign(server, told)
    server.lastRejection = undefined
    if (isRevoked) this.unsaved.add(server)
    else this.unsaved.delete(server)
    if (told.online) server.lastAnnounceUptime = at.uptime
    this.#setOnline(server, told.online)
    if (!wasListed && server.isListed) server.listedSince = told.since
    const isOnlyCount = wasOnline && told.online && previous !== undefined && isSameExceptCounts(previous, told.announced)
    this.#show(server, wasListed, isOnlyCount)
    this.onChange(server, isOnlyCount && !isRevoked)
    return true
  }

  /** Another node received an announce. The TTL counts from now, so that no wrong clock ends it early. @param announcedAt wall milliseconds. */
  heartbeat(server: ServerRecord, announcedAt: number, at: Moment): void {
    server.lastAnnounceAt = latestPlausible(announcedAt, server.lastAnnounceAt)
    server.lastAnnounceUptime = at.uptime
    if (server.online) this.#wheel.schedule(server)
  }

  /** Gives online servers a full TTL: this node may have missed what others heard. */
  renewAll(at: Moment): void {
    for (const server of this.#servers.values()) if (server.online) server.lastAnnounceUptime = at.uptime
  }

  /** Applies a valid announce. While a newer credential is live, an old one only counts as used: else two processes would take turns. */
  announce(server: ServerRecord, credential: LiveCredential, announced: AnnouncedState, address: string, at: Moment): AnnounceOutcome {
    credential.lastUsedAt = at.now
    server.lastRejection = undefined
    if (server.online && credential.graceUntil !== undefined && isSupersededCredential(server, credential)) return 'shadowed'
    server.lastAnnounceUptime = at.uptime
    // Later than all that is known of it, also where another node's clock is ahead: nodes keep the later state.
    server.lastAnnounceAt = latestPlausible(at.now, lastEventAt(server) + 1)
    // A time far ahead came from a wrong clock: it is replaced even if nothing changed.
    const isFromWrongClock = isFromFuture(server.changedAt, at.now)
    const previous = server.online && server.address === address ? server.announced : undefined
    const isSameButCount = previous !== undefined && isSameExceptCounts(previous, announced)
    const isSame = isSameButCount && hasSameCounts(previous, announced)
    const isOnlyCount = isSameButCount && server.credentialId === credential.id
    if (isSame && isOnlyCount && !isFromWrongClock) return 'refreshed'
    const wasListed = server.isListed
    const wasOnline = server.online
    server.address = sameText(address, credential.boundAddress)
    server.announced = announced
    server.credentialId = credential.id
    if (!wasOnline) {
      server.since = at.now
      server.endedBy = ''
      this.#setOnline(server, true)
    }
    // It is ahead after a wrong clock.
    server.since = Math.min(server.since, at.now)
    // Only the credential differs: it is saved with the row, and nothing is shown.
    if (isSame && !isFromWrongClock) this.unsaved.add(server)
    else this.#changed(server, at, wasListed, isOnlyCount)
    this.onChange(server, isOnlyCount)
    return wasOnline ? 'changed' : 'added'
  }

  /** Takes a server offline; false where it was offline. */
  takeOffline(server: ServerRecord, why: EndedBy, at: Moment): boolean {
    if (!server.online) return false
    this.#goOffline(server, why, at, server.isListed)
    return true
  }

  /** Ends the servers whose time is over, unless evictions are held, and returns them. */
  expire(at: Moment): readonly ServerRecord[] {
    const expired = this.expiryGuard.selectEvictions(this.#wheel.due(at.uptime), this.#servers.values(), at.uptime)
    for (const server of expired) this.takeOffline(server, 'EXPIRED', at)
    return expired
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

  /** Set `lastSeen` before. */
  #setOnline(server: ServerRecord, isOnline: boolean): void {
    if (server.online !== isOnline) this.online += isOnline ? 1 : -1
    server.online = isOnline
    if (isOnline) this.#wheel.schedule(server)
  }

  #goOffline(server: ServerRecord, why: EndedBy, at: Moment, wasListed: boolean): void {
    this.#setOnline(server, false)
    server.endedBy = why
    server.since = latestPlausible(at.now, server.lastAnnounceAt)
    this.#changed(server, at, wasListed)
    this.onChange(server)
  }

  #changed(server: ServerRecord, at: Moment, wasListed: boolean, isOnlyCount = false): void {
    server.changedAt = latestPlausible(at.now, server.changedAt + 1)
    if (!wasListed && server.isListed) server.listedSince = at.now
    if (server.announced !== undefined) this.unsaved.add(server, isOnlyCount ? 'players' : 'whole')
    this.#show(server, wasListed, isOnlyCount)
  }

  #show(server: ServerRecord, wasListed: boolean, isOnlyCount = false): void {
    if (server.isListed) this.onListChange(server, isOnlyCount ? 'players' : 'whole')
    else if (wasListed) this.onListChange(server, 'removed')
  }
}

function assign(server: ServerRecord, live: LiveState): void {
  server.announced = live.announced
  server.address = live.address
  server.since = live.since
  server.endedBy = live.endedBy
  server.lastAnnounceAt = live.lastAnnounceAt
  server.changedAt = live.changedAt
  server.credentialId = live.credentialId
}

/** A live state that ends because its credential works no more. */
function reissued(live: LiveState, at: Moment): LiveState {
  const since = Math.max(at.now, live.lastAnnounceAt)
  return { ...live, online: false, endedBy: 'REISSUED', since, changedAt: Math.max(at.now, live.changedAt + 1) }
}

/** Shares one text in memory: each announce brings its address anew. */
function sameText(text: string, known: string | undefined): string {
  return text === known ? known : text
}
