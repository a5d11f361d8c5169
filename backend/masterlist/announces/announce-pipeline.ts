/**
 * The steps of an announce, from top to bottom: identify, limit, parse, authorize, apply, respond. A step that rejects throws `Rejected`.
 * Only these may wait for the database: looking up an unknown credential, binding or moving a credential's address, and the goodbye of an
 * unbound credential. No other step waits, so nothing can revoke a credential between the step that checks it and the one that uses it.
 */
import { type CredentialIndex, bearerOf, keyOfCredential } from '#backend/masterlist/registry/credential-index.ts'
import type { RejectionCode } from '#backend/masterlist/registry/reasons.ts'
import type { Moment, Registry } from '#backend/masterlist/registry/registry.ts'
import { bindsFamilyOf, otherBoundAddressOf } from '#backend/masterlist/registry/sources.ts'
import type { LiveCredential, ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import type { Attempts } from '#backend/masterlist/persistence/attempts.ts'
import type { AddressBinder } from '#backend/masterlist/persistence/address-binder.ts'
import { NO_CONTENT, type Reply, UNAVAILABLE_SECONDS, rejectionReply } from '#backend/masterlist/wire/reply.ts'
import { readClocks } from '#backend/platform/clock.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Env } from '#backend/platform/env.ts'
import { familyOf, limitKey } from '#backend/platform/http/client-address.ts'
import type { Move } from '#backend/core/servers/bound-addresses.ts'
import { withTimeout } from '#backend/platform/concurrency/with-timeout.ts'
import { TokenBuckets } from '#backend/platform/http/rate-limit.ts'
import { type ParsedAnnounce, parseAnnounce, parseGoodbye } from './announce-body.ts'
import type { AnnounceObserver } from '#backend/masterlist/registry/announce-observer.ts'
import { AnnounceRejections, Rejected, banCodeOf, banErrorsOf, forbiddenCodeOf } from './announce-rejections.ts'
import { acceptedReply } from './accepted-reply.ts'
import { AnnounceSpread } from './announce-spread.ts'

/** A credential has 48 characters. Longer texts than this are rejected without hashing. */
const MAX_CREDENTIAL_CHARACTERS = 200
/** After this the game server must announce again. */
const MOVE_TIMEOUT_MS = 3000

interface Parts extends Pick<Deps, 'clock' | 'bus'> {
  readonly env: Pick<Env, 'ANNOUNCE_TTL_SECONDS' | 'RATE_LIMITS' | 'REACHABILITY_PRIVATE'>
  readonly registry: Registry
  readonly credentials: CredentialIndex
  readonly binder: AddressBinder
  readonly attempts: Attempts
  readonly refresh: (publicId: string) => Promise<void>
  readonly moveAddress: (move: Move) => Promise<number | undefined>
  /** Whether other nodes may receive announces that this one does not learn of. */
  readonly isCutOff: () => boolean
  /** Called on each announce and goodbye of another process than the entry's. */
  readonly otherProcess: (server: ServerRecord, port: number, hasLeft: boolean) => void
  /** Called on each announce that changed nothing. */
  readonly heartbeat: (server: ServerRecord, address: string, at: Moment) => void
}

/** A server, and the valid credential of the call. */
interface Caller {
  readonly server: ServerRecord
  readonly credential: LiveCredential
}

/** `otherPort`: of another process with the credential. */
interface Applied {
  readonly at: Moment
  readonly otherPort: number | undefined
}

/** A rejected `call` records no attempt for the owner. */
type Kind = 'announce' | 'call'

export class AnnouncePipeline {
  readonly #parts: Parts
  readonly #rejections: AnnounceRejections
  readonly #announces: TokenBuckets
  readonly #announcesFromElsewhere: TokenBuckets
  readonly #calls: TokenBuckets
  readonly #spread: AnnounceSpread
  #accepted = 0
  #isStopping = false

  constructor(parts: Parts) {
    this.#parts = parts
    this.#rejections = new AnnounceRejections(parts)
    this.#announces = new TokenBuckets(parts, 'announces')
    this.#announcesFromElsewhere = new TokenBuckets(parts, 'unbound-address-announces')
    this.#calls = new TokenBuckets(parts, 'server-calls')
    this.#spread = new AnnounceSpread(parts.env.ANNOUNCE_TTL_SECONDS)
  }

  set observer(observer: AnnounceObserver) {
    this.#rejections.observer = observer
  }

  /** Accepted and rejected announces since the start, by code. */
  get counts(): ReadonlyMap<string, number> {
    return new Map([['ACCEPTED', this.#accepted], ...this.#rejections.counts])
  }

  /** Rejects everything with 503 from now on, because the last save has begun. */
  stop(): void {
    this.#isStopping = true
  }

  /** @param authorization the header. @param address the sender's, normalized. @param body the bytes of a JSON text. */
  async announce(authorization: string | undefined, address: string, body: Buffer): Promise<Reply> {
    try {
      const caller = this.#identify(authorization, address) ?? (await this.#lookUp(authorization, address))
      this.#limit(caller, address)
      const announce = this.#parse(caller, address, body)
      const bound = await this.#bound(caller, address)
      const { at, otherPort } = this.#apply(bound, address, announce)
      const nextAnnounceSeconds = this.#spread.next(at.uptime, this.#parts.registry.onlineCount)
      return acceptedReply({ ...bound, caused: announce.notices, otherPort, nextAnnounceSeconds })
    } catch (error) {
      return replyOf(error)
    }
  }

  /** Takes the server offline. Binds no address. @param body the bytes of a JSON text; can be empty. Other parameters as in `announce`. */
  async leave(authorization: string | undefined, address: string, body: Buffer): Promise<Reply> {
    try {
      const caller = this.#identify(authorization, address) ?? (await this.#lookUp(authorization, address))
      this.#limit(caller, address)
      const goodbye = parseGoodbye(body)
      if (goodbye === undefined) throw this.#rejections.reject('BODY_NOT_JSON', caller, address)
      if ('errors' in goodbye) throw this.#rejections.reject('BODY_INVALID', caller, address, 0, goodbye.errors)
      const { server, credential } = caller
      const canDecideLocally = banCodeOf(server) !== undefined || bindsFamilyOf(credential, address) || !server.online
      // Another node may have bound the credential.
      const current = canDecideLocally ? caller : await this.#reload(server.publicId, credential.key, address)
      this.#authorize(current, address)
      this.#takeOffline(current, address, goodbye.port ?? undefined)
      return NO_CONTENT
    } catch (error) {
      return replyOf(error)
    }
  }

  /** Rejects an announce whose body could not be read. The owner sees this attempt. */
  async reject(authorization: string | undefined, address: string, code: RejectionCode): Promise<Reply> {
    try {
      const caller = this.#identify(authorization, address) ?? (await this.#lookUp(authorization, address))
      this.#limit(caller, address)
      return this.#rejections.reject(code, caller, address).reply
    } catch (error) {
      return replyOf(error)
    }
  }

  /**
   * Identifies the server for calls other than announces. They have their own limit, so that a busy server's calls never use up its
   * announces. Binds no address, and owners see no attempts for its rejections.
   */
  async identify(authorization: string | undefined, address: string): Promise<{ server: ServerRecord } | { rejection: Reply }> {
    try {
      const caller = this.#identify(authorization, address, 'call') ?? (await this.#lookUp(authorization, address, 'call'))
      const { server, credential } = caller
      const forbiddenCode = forbiddenCodeOf(caller, address)
      if (forbiddenCode !== undefined) throw new Rejected(rejectionReply(forbiddenCode, 0, banErrorsOf(forbiddenCode, server)))
      const wait = this.#parts.env.RATE_LIMITS ? this.#calls.take(credential.id) : 0
      return wait > 0 ? { rejection: rejectionReply('CALLED_TOO_OFTEN', wait) } : { server }
    } catch (error) {
      return { rejection: replyOf(error) }
    }
  }

  /** Returns undefined for a well-formed credential that only the database may know. */
  #identify(authorization: string | undefined, address: string, kind: Kind = 'announce'): Caller | undefined {
    if (this.#isStopping) throw new Rejected(rejectionReply('UNAVAILABLE', UNAVAILABLE_SECONDS))
    if (address === '') throw new Rejected(rejectionReply('ADDRESS_UNKNOWN'))
    const text = bearerOf(authorization)
    if (text === undefined) throw this.#rejections.rejectUnauthenticated('CREDENTIAL_MISSING', undefined, address)
    if (text.length > MAX_CREDENTIAL_CHARACTERS) throw this.#rejections.rejectUnauthenticated('CREDENTIAL_MALFORMED', undefined, address)
    const key = keyOfCredential(text)
    const caller = this.#byKey(key)
    if (caller !== undefined) {
      const { graceUntil } = caller.credential
      if (graceUntil === undefined || graceUntil > this.#parts.clock.now()) return caller
      throw this.#rejections.rejectUnauthenticated('CREDENTIAL_REVOKED', ownerSees(kind, caller.server.publicId), address)
    }
    const invalid = this.#parts.credentials.findInvalid(text, key)
    if (invalid === 'malformed') throw this.#rejections.rejectUnauthenticated('CREDENTIAL_MALFORMED', undefined, address)
    if (invalid !== undefined) throw this.#rejections.rejectUnauthenticated(invalid.code, ownerSees(kind, invalid.publicId), address)
    return undefined
  }

  #byKey(key: string): Caller | undefined {
    const credential = this.#parts.credentials.live(key)
    return credential?.server === undefined ? undefined : { server: credential.server, credential }
  }

  async #lookUp(authorization: string | undefined, address: string, kind: Kind = 'announce'): Promise<Caller> {
    this.#rejections.rejectIfBlocked(address)
    const key = keyOfCredential(bearerOf(authorization) ?? '')
    const found = await this.#parts.credentials.lookUp(key).catch(() => undefined)
    if (found === undefined) throw new Rejected(rejectionReply('UNAVAILABLE', UNAVAILABLE_SECONDS))
    if ('code' in found) throw this.#rejections.rejectUnauthenticated(found.code, ownerSees(kind, found.publicId), address)
    return this.#reload(found.publicId, key, address)
  }

  /** If the credential was revoked after the lookup, owners see no attempt: the server may have a new owner. */
  async #reload(publicId: string, key: string, address: string): Promise<Caller> {
    try {
      await this.#parts.refresh(publicId)
    } catch {
      throw new Rejected(rejectionReply('UNAVAILABLE', UNAVAILABLE_SECONDS))
    }
    const caller = this.#byKey(key)
    if (caller === undefined) throw this.#rejections.rejectUnauthenticated('CREDENTIAL_REVOKED', undefined, address)
    return caller
  }

  /** Announces from another address don't use up the real server's tokens. */
  #limit(caller: Caller, address: string): void {
    if (!this.#parts.env.RATE_LIMITS) return
    const { id } = caller.credential
    const isFromElsewhere = otherBoundAddressOf(caller.credential, address) !== undefined
    const wait = isFromElsewhere ? this.#announcesFromElsewhere.take(`${id} ${limitKey(address)}`) : this.#announces.take(id)
    if (wait > 0) throw this.#rejections.reject('TOO_OFTEN', caller, address, wait)
  }

  #parse(caller: Caller, address: string, body: Buffer): ParsedAnnounce {
    const announce = parseAnnounce(body, this.#parts.env.REACHABILITY_PRIVATE)
    if (announce === undefined) throw this.#rejections.reject('BODY_NOT_JSON', caller, address)
    if ('errors' in announce) throw this.#rejections.reject('BODY_INVALID', caller, address, 0, announce.errors)
    return announce
  }

  #authorize(caller: Caller, address: string): void {
    const forbiddenCode = forbiddenCodeOf(caller, address)
    if (forbiddenCode !== undefined) throw this.#rejections.reject(forbiddenCode, caller, address)
  }

  /** Authorizes an announce from an address that is bound, or now becomes so. Waits only in the second case. */
  #bound(caller: Caller, address: string): Caller | Promise<Caller> {
    if (this.#mayMove(caller, address)) return this.#move(caller, address)
    this.#authorize(caller, address)
    return bindsFamilyOf(caller.credential, address) ? caller : this.#bind(caller, address)
  }

  /** Whether the server follows its machine, and its bound address has been silent for the time to live. */
  #mayMove({ server, credential }: Caller, address: string): boolean {
    const { clock, env } = this.#parts
    if (server.fields.addressPolicy !== 'follow' || banCodeOf(server) !== undefined) return false
    if (otherBoundAddressOf(credential, address) === undefined || this.#parts.isCutOff()) return false
    return clock.uptime() - server.seen[familyOf(address)] >= env.ANNOUNCE_TTL_SECONDS * 1000
  }

  /** The database decides whether the binding moves. In the meantime another announce may have moved it. */
  async #move(caller: Caller, address: string): Promise<Caller> {
    const { server, credential } = caller
    const from = otherBoundAddressOf(credential, address) ?? address
    const move = { ownerId: server.fields.ownerId, publicId: server.publicId, credentialId: credential.id, from, to: address }
    const moves = await withTimeout(MOVE_TIMEOUT_MS, this.#parts.moveAddress(move), new Error('too late')).catch(() => {
      throw this.#rejections.reject('UNAVAILABLE', caller, address, UNAVAILABLE_SECONDS)
    })
    // The move has reloaded the server.
    const current = this.#byKey(credential.key) ?? (await this.#reload(server.publicId, credential.key, address))
    this.#authorize(current, address)
    if (moves !== undefined) this.#rejections.observer.moved(current.server, { from, to: address, moves, at: this.#parts.clock.now() })
    return current
  }

  /** The database decides which address is bound. In the meantime the credential may be revoked, or another announce may win. */
  async #bind(caller: Caller, address: string): Promise<Caller> {
    const { credential, server } = caller
    const bound = await this.#parts.binder.bind(credential.id, address, server.fields)
    if (bound === 'unavailable') throw this.#rejections.reject('UNAVAILABLE', caller, address, UNAVAILABLE_SECONDS)
    const current = this.#byKey(credential.key)
    if (bound === 'invalid' || current === undefined) {
      const hasSameOwner = this.#parts.registry.get(server.publicId) === server
      throw this.#rejections.rejectUnauthenticated('CREDENTIAL_REVOKED', hasSameOwner ? server.publicId : undefined, address)
    }
    current.credential.bound = { [familyOf(address)]: bound.address, ...current.credential.bound }
    this.#authorize(current, address)
    return current
  }

  #apply({ server, credential }: Caller, address: string, { announced, announcedPlayers }: ParsedAnnounce): Applied {
    const { clock, registry, attempts } = this.#parts
    const at = readClocks(clock)
    const outcome = registry.announce(server, credential, announced, address, at)
    if (outcome !== 'superseded' && outcome !== 'other' && announced.isFarAboveSlots)
      this.#rejections.observer.aboveSlots(server, announcedPlayers, at.now)
    if (outcome === 'refreshed') this.#parts.heartbeat(server, address, at)
    if (outcome === 'other') {
      attempts.recordRepeat(server, { at: at.now, address, code: 'TWO_PROCESSES' })
      this.#parts.otherProcess(server, announced.port, false)
    } else if (outcome === 'refreshed' || outcome === 'changed') attempts.recordRepeat(server, { at: at.now, address, code: 'ACCEPTED' })
    else {
      const code = outcome === 'added' ? 'CAME_ONLINE' : 'ACCEPTED_OLD_CREDENTIAL'
      attempts.enqueue(server, { at: at.now, code, address, detail: '' })
      registry.onChange(server)
    }
    this.#accepted += 1
    return { at, otherPort: outcome === 'other' ? server.announced?.port : registry.otherPortOf(server, at) }
  }

  #takeOffline({ server, credential }: Caller, address: string, port: number | undefined): void {
    const { clock, registry, attempts } = this.#parts
    const at = readClocks(clock)
    credential.lastUsedAt = at.now
    if (port !== undefined && port !== server.announced?.port) {
      registry.forgetProcess(server, port)
      return this.#parts.otherProcess(server, port, true)
    }
    // It was replaced by one with a new credential, which stays online.
    if (credential.graceUntil !== undefined && server.credentialId !== credential.id) return
    // Without a port, nothing says which of two processes leaves.
    if (port !== undefined && registry.handOver(server, at)) return
    if (registry.takeOffline(server, 'LEFT', at)) attempts.enqueue(server, { at: at.now, code: 'LEFT', address, detail: '' })
  }
}

function replyOf(error: unknown): Reply {
  if (error instanceof Rejected) return error.reply
  throw error
}

const ownerSees = (kind: Kind, publicId: string | undefined) => (kind === 'call' ? undefined : publicId)
