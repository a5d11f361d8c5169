/**
 * The pure heart of the master list: a map from server to live state. State in, time in, a small sum out; no clock, no database,
 * no HTTP. It notes what must be saved, published and told to owners; the files around it do those things.
 */
import { ExpiryWheel } from './expiry-wheel.ts'
import { rowOf } from './listed-row.ts'
import { type Announced, type EndedBy, type LiveCredential, type OwnerFields, ServerRecord } from './server-record.ts'

/** One moment on both clocks, in milliseconds: `uptime` for what expires, `now` for what people read. */
export interface Moment {
  readonly uptime: number
  readonly now: number
}

/** What an announce did: made the server online, changed what is shown, kept it online, or only proved that an old credential still runs. */
export type Accepted = 'added' | 'changed' | 'refreshed' | 'shadowed'

/** What a former life left of a server's live state. */
export interface Remembered {
  readonly announced: Announced
  readonly address: string
  readonly online: boolean
  readonly endedBy: EndedBy
  readonly since: number
  readonly lastAnnounceAt: number
  readonly changedAt: number
  readonly credentialId: string | undefined
}

export class Registry {
  readonly #servers = new Map<string, ServerRecord>()
  readonly #vanities = new Map<string, ServerRecord>()
  readonly #wheel: ExpiryWheel
  #byName: ServerRecord[] = []
  #isNameOrderStale = false
  #online = 0
  /** Goes up with each change that the published list would show. */
  revision = 0
  /** Servers whose live state has not been saved since it changed. */
  readonly unsaved = new Set<ServerRecord>()
  /** Called with each server whose owner would see a difference. */
  onStir: (server: ServerRecord) => void = () => undefined

  /** @param ttl milliseconds after which a server that does not announce is offline. */
  constructor(ttl: number, at: Moment) {
    this.#wheel = new ExpiryWheel(ttl, at.uptime)
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

  /** Every server, by name and then public id. Sorted again only after a server came, went or was renamed. */
  inNameOrder(): readonly ServerRecord[] {
    if (this.#isNameOrderStale) {
      this.#byName = this.#byName.filter((server) => this.#servers.get(server.publicId) === server)
      this.#byName.sort(byName)
      this.#isNameOrderStale = false
    }
    return this.#byName
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
    const before = rowOf(server)
    const wasListed = server.isListed
    const wasUnranked = server.fields.standing.isUnranked
    this.#rename(server, fields)
    server.fields = fields
    server.credentials = credentials
    server.row = undefined
    if (server.online && !credentials.some((credential) => credential.id === server.credentialId))
      this.end(server, 'REISSUED', at, wasListed)
    else if (rowOf(server) !== before || server.isListed !== wasListed) this.#shownAnew(server, at, wasListed)
    // Where it stands is not in its row.
    else if (server.isListed && fields.standing.isUnranked !== wasUnranked) this.revision += 1
    this.onStir(server)
    return server
  }

  /** Forgets a server that was deleted. */
  remove(publicId: string): void {
    const server = this.#servers.get(publicId)
    if (server === undefined) return
    if (server.isListed) this.revision += 1
    if (server.online) this.#online -= 1
    server.online = false
    this.#servers.delete(publicId)
    if (this.#vanities.get(server.fields.vanityUrl) === server) this.#vanities.delete(server.fields.vanityUrl)
    this.#isNameOrderStale = true
    this.unsaved.delete(server)
    this.onStir(server)
  }

  /** Puts a remembered live state back. Whoever was online gets a full TTL from now. */
  restore(server: ServerRecord, remembered: Remembered, at: Moment): void {
    const isOnline = remembered.online && server.credentials.some((credential) => credential.id === remembered.credentialId)
    server.announced = remembered.announced
    server.address = remembered.address
    server.since = remembered.since
    server.listedSince = remembered.since
    server.endedBy = remembered.endedBy
    server.lastAnnounceAt = remembered.lastAnnounceAt
    server.changedAt = Math.max(remembered.changedAt, server.fields.updatedAt)
    server.credentialId = remembered.credentialId
    server.row = undefined
    server.lastSeen = at.uptime
    if (isOnline) this.#goOnline(server)
    // It was reissued while nobody was here to see it.
    else if (remembered.online) this.#markEnded(server, 'REISSUED', at)
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
    server.lastAnnounceAt = at.now
    const isSame = server.online && server.announced !== undefined && server.address === address && isEqual(server.announced, announced)
    if (isSame && server.credentialId === credential.id) return 'refreshed'
    const wasOnline = server.online
    server.address = address
    server.announced = announced
    server.credentialId = credential.id
    if (!wasOnline) {
      server.since = at.now
      server.endedBy = ''
      this.#goOnline(server)
    }
    if (isSame) this.unsaved.add(server)
    else this.#shownAnew(server, at, wasOnline && server.isListed)
    this.onStir(server)
    return wasOnline ? 'changed' : 'added'
  }

  /** Takes a server offline. Does nothing where it is offline already. @param wasListed where its fields have just changed: whether it was listed before. */
  end(server: ServerRecord, why: EndedBy, at: Moment, wasListed = server.isListed): boolean {
    if (!server.online) return false
    this.#online -= 1
    this.#markEnded(server, why, at, wasListed)
    return true
  }

  /** Ends every server whose time is over and answers them. */
  expire(at: Moment): ServerRecord[] {
    const gone = this.#wheel.due(at.uptime)
    for (const server of gone) this.end(server, 'EXPIRED', at)
    return gone
  }

  #add(fields: OwnerFields): ServerRecord {
    const server = new ServerRecord(fields)
    this.#servers.set(fields.publicId, server)
    this.#byName.push(server)
    this.#isNameOrderStale = true
    if (fields.vanityUrl !== '') this.#vanities.set(fields.vanityUrl, server)
    return server
  }

  #rename(server: ServerRecord, fields: OwnerFields): void {
    const { fields: old } = server
    if (old.name !== fields.name) this.#isNameOrderStale = true
    if (old.vanityUrl === fields.vanityUrl) return
    if (this.#vanities.get(old.vanityUrl) === server) this.#vanities.delete(old.vanityUrl)
    if (fields.vanityUrl !== '') this.#vanities.set(fields.vanityUrl, server)
  }

  #goOnline(server: ServerRecord): void {
    server.online = true
    this.#online += 1
    this.#wheel.watch(server)
    if (server.isListed) this.revision += 1
  }

  #markEnded(server: ServerRecord, why: EndedBy, at: Moment, wasListed = server.isListed): void {
    server.online = false
    server.endedBy = why
    server.since = at.now
    this.#shownAnew(server, at, wasListed)
    this.onStir(server)
  }

  #shownAnew(server: ServerRecord, at: Moment, wasListed: boolean): void {
    server.changedAt = at.now
    server.row = undefined
    if (!wasListed && server.isListed) server.listedSince = at.now
    if (server.announced !== undefined) this.unsaved.add(server)
    if (wasListed || server.isListed) this.revision += 1
  }
}

function byName(a: ServerRecord, b: ServerRecord): number {
  if (a.fields.name !== b.fields.name) return a.fields.name < b.fields.name ? -1 : 1
  return a.publicId < b.publicId ? -1 : 1
}

/** Whether the live state was made by a credential issued after this one. */
function isNewerLive(server: ServerRecord, credential: LiveCredential): boolean {
  return server.credentials.some((other) => other.id === server.credentialId && other.issuedAt > credential.issuedAt)
}

function isEqual(a: Announced, b: Announced): boolean {
  return (
    a.playersCount === b.playersCount &&
    a.isAboveSlots === b.isAboveSlots &&
    a.queueCount === b.queueCount &&
    a.maxPlayersCount === b.maxPlayersCount &&
    a.port === b.port &&
    a.passworded === b.passworded &&
    a.version === b.version &&
    a.branch === b.branch &&
    a.gameMode === b.gameMode &&
    a.useVoiceChat === b.useVoiceChat &&
    a.useEarlyAuth === b.useEarlyAuth &&
    a.earlyAuthUrl === b.earlyAuthUrl &&
    a.useCdn === b.useCdn &&
    a.cdnUrl === b.cdnUrl
  )
}
