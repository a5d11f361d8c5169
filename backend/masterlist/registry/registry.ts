/**
 * The pure heart of the master list: a map from server to live state. State in, time in, a small sum out; no clock, no database,
 * no HTTP. It notes what must be saved, published and told to owners; the files around it do those things.
 */
import { isSameCount, isSameServer } from './announced.ts'
import { ExpiryGuard } from './expiry-guard.ts'
import { ExpiryWheel } from './expiry-wheel.ts'
import { rowJson } from './listed-row.ts'
import { isFromFuture, isNewer, isNewerLive, latest, type Remembered, saidAt, type Shown } from './live-state.ts'
import { type Announced, type EndedBy, type LiveCredential, type OwnerFields, ServerRecord } from './server-record.ts'
import { UnsavedServers } from './unsaved.ts'

/** One moment on both clocks, in milliseconds: `uptime` for what expires, `now` for what people read. */
export interface Moment {
  readonly uptime: number
  readonly now: number
}

/** What an announce did: made the server online, changed what is shown, kept it online, or only proved that an old credential still runs. */
export type Accepted = 'added' | 'changed' | 'refreshed' | 'shadowed'

export class Registry {
  readonly #servers = new Map<string, ServerRecord>()
  readonly #vanities = new Map<string, ServerRecord>()
  readonly #wheel: ExpiryWheel
  readonly guard: ExpiryGuard
  #online = 0
  /** Called with each change that the published list would show. */
  onShown: (server: ServerRecord, how: Shown) => void = () => undefined
  /** Servers whose live state has not been saved since it changed. */
  readonly unsaved = new UnsavedServers()
  /** Called with each server whose owner would see a difference, and whether that is only in its players. */
  onStir: (server: ServerRecord, isOnlyCount?: boolean) => void = () => undefined

  /** @param ttl milliseconds after which a server that does not announce is offline. */
  constructor(ttl: number, at: Moment) {
    this.#wheel = new ExpiryWheel(ttl, at.uptime)
    this.guard = new ExpiryGuard(ttl, (server) => this.#wheel.watch(server))
  }

  get size(): number {
    return this.#servers.size
  }

  get online(): number {
    return this.#online
  }

  get(publicId: string): ServerRecord | undefined {
    return this.#servers.get(publicId)
  }

  /** By public id or vanity id, with or without the @ that players write before it; what follows one is often typed in capitals. */
  find(id: string): ServerRecord | undefined {
    const plain = id.startsWith('@') ? id.slice(1) : id
    return this.#servers.get(plain) ?? this.#vanities.get(plain === id ? id : plain.toLowerCase())
  }

  all(): IterableIterator<ServerRecord> {
    return this.#servers.values()
  }

  /** Takes in what the database says of a server. A live state made by a credential that works no more ends. */
  apply(fields: OwnerFields, credentials: readonly LiveCredential[], at: Moment): ServerRecord {
    const known = this.#servers.get(fields.publicId)
    const server = known ?? this.#add(fields)
    for (const credential of credentials) credential.server = server
    if (known === undefined) {
      server.credentials = credentials
      return server
    }
    const before = rowJson(server)
    const wasListed = server.isListed
    const wasUnranked = server.fields.standing.isUnranked
    this.#changeVanity(server, fields)
    server.fields = fields
    server.credentials = credentials
    if (server.online && !credentials.some((credential) => credential.id === server.credentialId))
      this.end(server, 'REISSUED', at, wasListed)
    else if (rowJson(server) !== before || server.isListed !== wasListed) this.#shownAnew(server, at, wasListed)
    // Where it stands is not in its row.
    else if (server.isListed && fields.standing.isUnranked !== wasUnranked) this.onShown(server, 'whole')
    this.onStir(server)
    return server
  }

  /** Forgets a server that was deleted. */
  remove(publicId: string): void {
    const server = this.#servers.get(publicId)
    if (server === undefined) return
    const wasListed = server.isListed
    if (server.online) this.#online -= 1
    server.online = false
    this.#servers.delete(publicId)
    if (wasListed) this.onShown(server, 'removed')
    if (this.#vanities.get(server.fields.vanityUrl) === server) this.#vanities.delete(server.fields.vanityUrl)
    this.unsaved.delete(server)
    this.onStir(server)
  }

  /** Puts a remembered live state back, in place of what was put back before. Whoever was online gets a full TTL from now. */
  restore(server: ServerRecord, remembered: Remembered, at: Moment): void {
    const credential = server.credentials.find(({ id }) => id === remembered.credentialId)
    const isOnline = remembered.online && credential !== undefined
    const wasListed = server.isListed
    if (server.online) this.#online -= 1
    server.online = false
    server.announced = remembered.announced
    server.address = sameText(remembered.address, credential?.boundAddress)
    server.since = remembered.since
    server.listedSince = remembered.since
    server.endedBy = remembered.endedBy
    server.lastAnnounceAt = remembered.lastAnnounceAt
    server.changedAt = Math.max(remembered.changedAt, server.fields.updatedAt)
    server.credentialId = credential?.id ?? remembered.credentialId
    server.lastSeen = at.uptime
    // Its owner changed it while nobody was here to see it.
    if (server.changedAt !== remembered.changedAt) this.unsaved.add(server)
    if (isOnline) this.#goOnline(server)
    // It was reissued while nobody was here to see it.
    else if (remembered.online) this.#markEnded(server, 'REISSUED', at, wasListed)
    else if (wasListed) this.onShown(server, 'removed')
  }

  /**
   * Takes over what another node says of a server, where that is newer than what is known here. Nothing of it is saved or told again, unless
   * it was announced under a credential that works no more: that the other one may not know. Answers whether it was newer.
   */
  learn(server: ServerRecord, said: Remembered, at: Moment): boolean {
    if (!isNewer(said, server, at.now)) return false
    const isRevoked = said.online && !server.credentials.some((credential) => credential.id === said.credentialId)
    const told = isRevoked ? reissued(said, at) : said
    const wasListed = server.isListed
    const wasOnline = server.online
    const before = server.address === told.address ? server.announced : undefined
    server.announced = told.announced
    server.address = told.address
    server.since = told.since
    server.endedBy = told.endedBy
    server.lastAnnounceAt = told.lastAnnounceAt
    server.changedAt = told.changedAt
    server.credentialId = told.credentialId
    server.refusal = undefined
    if (isRevoked) this.unsaved.add(server)
    else this.unsaved.delete(server)
    server.online = told.online
    if (told.online !== wasOnline) this.#online += told.online ? 1 : -1
    if (told.online) this.seen(server, told.lastAnnounceAt, at)
    if (!wasListed && server.isListed) server.listedSince = told.since
    const isOnlyCount = wasOnline && told.online && before !== undefined && isSameServer(before, told.announced)
    if (server.isListed) this.onShown(server, isOnlyCount ? 'players' : 'whole')
    else if (wasListed) this.onShown(server, 'removed')
    this.onStir(server, isOnlyCount && !isRevoked)
    return true
  }

  /**
   * Another node heard it announce. Its time counts from here: who heard the announce itself ends it in time and says so, and no clock
   * that goes wrong ends it early. @param announcedAt wall milliseconds of that node.
   */
  seen(server: ServerRecord, announcedAt: number, at: Moment): void {
    server.lastAnnounceAt = latest(announcedAt, server.lastAnnounceAt)
    server.lastSeen = at.uptime
    if (server.online) this.#wheel.watch(server)
  }

  /** Who is online gets a full TTL from now: its announces may have been heard where nobody could tell us. */
  giveTime(at: Moment): void {
    for (const server of this.#servers.values()) if (server.online) server.lastSeen = at.uptime
  }

  /**
   * An announce that passed every check. With an old credential in its grace nothing is taken over while the newest one is live:
   * two processes that announce for one server would otherwise take turns.
   */
  announce(server: ServerRecord, credential: LiveCredential, announced: Announced, address: string, at: Moment): Accepted {
    credential.lastUsedAt = at.now
    server.refusal = undefined
    if (server.online && credential.graceUntil !== undefined && isNewerLive(server, credential)) return 'shadowed'
    server.lastSeen = at.uptime
    // After whatever is known of it, also where another node's clock is ahead: of two states the later one stands.
    server.lastAnnounceAt = latest(at.now, saidAt(server) + 1)
    const isFromWrongClock = isFromFuture(server.changedAt, at.now)
    const before = server.online && server.address === address ? server.announced : undefined
    const isSameButCount = before !== undefined && isSameServer(before, announced)
    const isSame = isSameButCount && isSameCount(before, announced)
    const isOnlyCount = isSameButCount && server.credentialId === credential.id
    if (isSame && isOnlyCount && !isFromWrongClock) return 'refreshed'
    const wasOnline = server.online
    server.address = sameText(address, credential.boundAddress)
    server.announced = announced
    server.credentialId = credential.id
    if (!wasOnline) {
      server.since = at.now
      server.endedBy = ''
      this.#goOnline(server)
    }
    server.since = Math.min(server.since, at.now)
    if (isSame && !isFromWrongClock) this.unsaved.add(server)
    else this.#shownAnew(server, at, wasOnline && server.isListed, isOnlyCount)
    this.onStir(server, isOnlyCount)
    return wasOnline ? 'changed' : 'added'
  }

  /** Takes a server offline. Does nothing where it is offline already. @param wasListed where its fields have just changed: whether it was listed before. */
  end(server: ServerRecord, why: EndedBy, at: Moment, wasListed = server.isListed): boolean {
    if (!server.online) return false
    this.#online -= 1
    this.#markEnded(server, why, at, wasListed)
    return true
  }

  /** Ends every server whose time is over, unless so many fall silent that evictions are held, and answers them. */
  expire(at: Moment): readonly ServerRecord[] {
    const gone = this.guard.judge(this.#wheel.due(at.uptime), this.#servers.values(), at.uptime)
    for (const server of gone) this.end(server, 'EXPIRED', at)
    return gone
  }

  #add(fields: OwnerFields): ServerRecord {
    const server = new ServerRecord(fields)
    this.#servers.set(fields.publicId, server)
    if (fields.vanityUrl !== '') this.#vanities.set(fields.vanityUrl, server)
    return server
  }

  #changeVanity(server: ServerRecord, fields: OwnerFields): void {
    const { fields: old } = server
    if (old.vanityUrl === fields.vanityUrl) return
    if (this.#vanities.get(old.vanityUrl) === server) this.#vanities.delete(old.vanityUrl)
    if (fields.vanityUrl !== '') this.#vanities.set(fields.vanityUrl, server)
  }

  #goOnline(server: ServerRecord): void {
    server.online = true
    this.#online += 1
    this.#wheel.watch(server)
    if (server.isListed) this.onShown(server, 'whole')
  }

  #markEnded(server: ServerRecord, why: EndedBy, at: Moment, wasListed = server.isListed): void {
    server.online = false
    server.endedBy = why
    server.since = latest(at.now, server.lastAnnounceAt)
    this.#shownAnew(server, at, wasListed)
    this.onStir(server)
  }

  #shownAnew(server: ServerRecord, at: Moment, wasListed: boolean, isOnlyCount = false): void {
    server.changedAt = latest(at.now, server.changedAt + 1)
    if (!wasListed && server.isListed) server.listedSince = at.now
    if (server.announced !== undefined) this.unsaved.add(server, isOnlyCount ? 'players' : 'whole')
    if (server.isListed) this.onShown(server, isOnlyCount ? 'players' : 'whole')
    else if (wasListed) this.onShown(server, 'removed')
  }
}

/** What becomes of a live state whose credential works no more. */
function reissued(told: Remembered, at: Moment): Remembered {
  const since = Math.max(at.now, told.lastAnnounceAt)
  return { ...told, online: false, endedBy: 'REISSUED', since, changedAt: Math.max(at.now, told.changedAt + 1) }
}

/** One text in place of two that are equal: an address comes anew with every announce. */
function sameText(text: string, known: string | undefined): string {
  return text === known ? known : text
}
