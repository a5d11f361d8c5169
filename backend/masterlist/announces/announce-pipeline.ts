/**
 * The steps of an announce: identify, limit, parse, authorize, apply, respond. A step returns its value, or the reply that ends the call.
 * Two steps may wait for the database: looking up an unknown credential, and binding a credential's first address.
 */
import { readClocks } from '#backend/platform/clock.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Env } from '#backend/platform/env.ts'
import type { RejectionCode } from '#backend/masterlist/registry/reasons.ts'
import { type CredentialIndex, bearerOf, keyOfCredential } from '#backend/masterlist/registry/credential-index.ts'
import type { Moment, Registry } from '#backend/masterlist/registry/registry.ts'
import type { LiveCredential, ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import type { Attempts } from '#backend/masterlist/persistence/attempts.ts'
import type { AddressBinder } from '#backend/masterlist/persistence/address-binder.ts'
import { type Reply, UNAVAILABLE_SECONDS, rejectionReply } from '#backend/masterlist/wire/reply.ts'
import { type TokenBuckets, createBuckets } from '#backend/platform/http/rate-limit.ts'
import { AnnounceAllowance } from './announce-allowance.ts'
import { type Goodbye, type ParsedAnnounce, parseBody, parseGoodbye } from './announce-body.ts'
import type { AnnounceObserver } from './announce-observer.ts'
import { AnnounceRejections, banCodeOf, banErrorsOf } from './announce-rejections.ts'
import { acceptedReply } from './announce-reply.ts'
import { AnnounceSpread } from './announce-spread.ts'
import { rememberBody, fingerprintOf, findRepeated } from './repeated-body.ts'

/** A credential has 48 characters. Longer texts than this are rejected without hashing. */
const MAX_CREDENTIAL_CHARACTERS = 200

interface Parts extends Pick<Deps, 'clock' | 'bus'> {
  readonly env: Pick<Env, 'ANNOUNCE_TTL_SECONDS' | 'RATE_LIMITS' | 'REACHABILITY_PRIVATE'>
  readonly registry: Registry
  readonly credentials: CredentialIndex
  readonly binder: AddressBinder
  readonly attempts: Attempts
  readonly refresh: (publicId: string) => Promise<void>
  /** Called on each announce that changed nothing. */
  readonly heartbeat: (server: ServerRecord, at: Moment) => void
}

/** A server, and the valid credential of the call. */
interface Caller {
  readonly server: ServerRecord
  readonly credential: LiveCredential
}

interface Parsed {
  readonly announce: ParsedAnnounce
  /** Recognizes an identical body next time. */
  readonly fingerprint: number
}

type Step<T> = T | Reply

const NO_CONTENT: Reply = { status: 204, body: '', retryAfter: 0, isAscii: true }

export class AnnouncePipeline {
  readonly #parts: Parts
  readonly #rejections: AnnounceRejections
  readonly #calls: TokenBuckets
  readonly #allowance: AnnounceAllowance
  readonly #spread: AnnounceSpread
  #accepted = 0
  #isStopping = false

  constructor(parts: Parts) {
    this.#parts = parts
    this.#rejections = new AnnounceRejections(parts)
    this.#calls = createBuckets(parts, 'server-calls')
    this.#allowance = new AnnounceAllowance(parts)
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

  /**
   * Never throws or rejects.
   * @param authorization the header. @param address the sender's, normalized. @param body the bytes of a JSON text.
   */
  announce(authorization: string | undefined, address: string, body: Buffer): Reply | Promise<Reply> {
    const caller = this.#identify(authorization, address, 'announce')
    if (caller instanceof Promise) return caller.then((found) => this.#announceBy(found, address, body))
    return this.#announceBy(caller, address, body)
  }

  #announceBy(caller: Step<Caller>, address: string, body: Buffer): Reply | Promise<Reply> {
    if (isReply(caller)) return caller
    const limited = this.#limit(caller, address)
    if (limited !== undefined) return limited
    const parsed = this.#parse(caller, address, body)
    if (isReply(parsed)) return parsed
    const authorized = this.#authorize(caller, address)
    if (authorized instanceof Promise) return authorized.then((bound) => this.#accept(bound, address, parsed))
    return this.#accept(authorized, address, parsed)
  }

  #accept(authorized: Step<Caller>, address: string, parsed: Parsed): Reply {
    if (isReply(authorized)) return authorized
    const at = this.#apply(authorized, address, parsed)
    return this.#respond(authorized, parsed, at)
  }

  /** @param body the bytes of a JSON text; can be empty. Other parameters as in `announce`. */
  leave(authorization: string | undefined, address: string, body: Buffer): Reply | Promise<Reply> {
    const caller = this.#identify(authorization, address, 'announce')
    if (caller instanceof Promise) return caller.then((found) => this.#leaveBy(found, address, body))
    return this.#leaveBy(caller, address, body)
  }

  #leaveBy(caller: Step<Caller>, address: string, body: Buffer): Reply | Promise<Reply> {
    if (isReply(caller)) return caller
    const limited = this.#limit(caller, address)
    if (limited !== undefined) return limited
    const goodbye = parseGoodbye(body)
    if (goodbye === undefined) return this.#rejections.reject('BODY_NOT_JSON', caller, address)
    if ('errors' in goodbye) return this.#rejections.reject('BODY_INVALID', caller, address, 0, goodbye.errors)
    const { server, credential } = caller
    const canDecideLocally = banCodeOf(server) !== undefined || credential.boundAddress !== undefined || !server.online
    if (canDecideLocally) return this.#takeOffline(caller, address, goodbye)
    // Another node may have bound the credential.
    return this.#reload(server.publicId, credential.key, address).then((current) => this.#takeOffline(current, address, goodbye))
  }

  /** Rejects an announce whose body could not be read. The owner sees this attempt. */
  reject(authorization: string | undefined, address: string, code: RejectionCode): Reply | Promise<Reply> {
    const reject = (caller: Step<Caller>) =>
      isReply(caller) ? caller : (this.#limit(caller, address) ?? this.#rejections.reject(code, caller, address))
    const caller = this.#identify(authorization, address, 'announce')
    return caller instanceof Promise ? caller.then(reject) : reject(caller)
  }

  /**
   * Identifies the server for calls other than announces. They have their own limit, so that a busy server's calls never use up its
   * announces. Binds no address, and owners see no attempts for its rejections.
   */
  async identify(authorization: string | undefined, address: string): Promise<{ server: ServerRecord } | { rejection: Reply }> {
    const caller = await this.#identify(authorization, address, 'call')
    if (isReply(caller)) return { rejection: caller }
    const { server, credential } = caller
    const forbiddenCode = forbiddenCodeOf(caller, address)
    if (forbiddenCode !== undefined) return { rejection: rejectionReply(forbiddenCode, 0, banErrorsOf(forbiddenCode, server)) }
    const wait = this.#parts.env.RATE_LIMITS ? this.#calls.take(credential.id) : 0
    return wait > 0 ? { rejection: rejectionReply('CALLED_TOO_OFTEN', wait) } : { server }
  }

  /** @param kind a rejected `call` records no attempt for the owner. */
  #identify(authorization: string | undefined, address: string, kind: 'announce' | 'call'): Step<Caller> | Promise<Step<Caller>> {
    if (this.#isStopping) return rejectionReply('UNAVAILABLE', UNAVAILABLE_SECONDS)
    if (address === '') return rejectionReply('ADDRESS_UNKNOWN')
    const text = bearerOf(authorization)
    if (text === undefined) return this.#rejections.rejectUnauthenticated('CREDENTIAL_MISSING', undefined, address)
    if (text.length > MAX_CREDENTIAL_CHARACTERS) return this.#rejections.rejectUnauthenticated('CREDENTIAL_MALFORMED', undefined, address)
    const key = keyOfCredential(text)
    const caller = this.#byKey(key)
    if (caller !== undefined) {
      const { graceUntil } = caller.credential
      if (graceUntil === undefined || graceUntil > this.#parts.clock.now()) return caller
      return this.#rejections.rejectUnauthenticated('CREDENTIAL_REVOKED', publicIdForAttempt(caller.server.publicId, kind), address)
    }
    const invalid = this.#parts.credentials.findInvalid(text, key)
    if (invalid === 'malformed') return this.#rejections.rejectUnauthenticated('CREDENTIAL_MALFORMED', undefined, address)
    if (invalid !== undefined)
      return this.#rejections.rejectUnauthenticated(invalid.code, publicIdForAttempt(invalid.publicId, kind), address)
    return this.#rejections.rejectBlocked(address) ?? this.#lookUp(key, address, kind)
  }

  #byKey(key: string): Caller | undefined {
    const credential = this.#parts.credentials.live(key)
    return credential?.server === undefined ? undefined : { server: credential.server, credential }
  }

  async #lookUp(key: string, address: string, kind: 'announce' | 'call'): Promise<Step<Caller>> {
    const found = await this.#parts.credentials.lookUp(key).catch(() => undefined)
    if (found === undefined) return rejectionReply('UNAVAILABLE', UNAVAILABLE_SECONDS)
    if ('code' in found) return this.#rejections.rejectUnauthenticated(found.code, publicIdForAttempt(found.publicId, kind), address)
    return this.#reload(found.publicId, key, address)
  }

  /** If the credential was revoked after the lookup, owners see no attempt: the server may have a new owner. */
  async #reload(publicId: string, key: string, address: string): Promise<Step<Caller>> {
    try {
      await this.#parts.refresh(publicId)
    } catch {
      return rejectionReply('UNAVAILABLE', UNAVAILABLE_SECONDS)
    }
    return this.#byKey(key) ?? this.#rejections.rejectUnauthenticated('CREDENTIAL_REVOKED', undefined, address)
  }

  #limit(caller: Caller, address: string): Reply | undefined {
    const wait = this.#allowance.take(caller.credential, address)
    return wait === 0 ? undefined : this.#rejections.reject('TOO_OFTEN', caller, address, wait)
  }

  #parse(caller: Caller, address: string, body: Buffer): Step<Parsed> {
    const { server } = caller
    const fingerprint = fingerprintOf(body)
    const announce = findRepeated(server, fingerprint) ?? parseBody(body, server.announced, this.#parts.env.REACHABILITY_PRIVATE)
    if (announce === undefined) return this.#rejections.reject('BODY_NOT_JSON', caller, address)
    if ('errors' in announce) return this.#rejections.reject('BODY_INVALID', caller, address, 0, announce.errors)
    return { announce, fingerprint }
  }

  #authorize(caller: Caller, address: string): Step<Caller> | Promise<Step<Caller>> {
    const forbiddenCode = forbiddenCodeOf(caller, address)
    if (forbiddenCode !== undefined) return this.#rejections.reject(forbiddenCode, caller, address)
    return caller.credential.boundAddress === undefined ? this.#bind(caller, address) : caller
  }

  /** The database decides which address is bound. In the meantime the credential may be revoked, or another announce may win. */
  async #bind(caller: Caller, address: string): Promise<Step<Caller>> {
    const { credential, server } = caller
    const bound = await this.#parts.binder.bind(credential.id, address)
    if (bound === 'unavailable') return this.#rejections.reject('UNAVAILABLE', caller, address, UNAVAILABLE_SECONDS)
    const current = this.#byKey(credential.key)
    if (bound === 'invalid' || current === undefined) {
      const hasSameOwner = this.#parts.registry.get(server.publicId) === server
      return this.#rejections.rejectUnauthenticated('CREDENTIAL_REVOKED', hasSameOwner ? server.publicId : undefined, address)
    }
    current.credential.boundAddress ??= bound.address
    return this.#authorize(current, address)
  }

  #apply({ server, credential }: Caller, address: string, { announce, fingerprint }: Parsed): Moment {
    const { announced, announcedPlayers } = announce
    const { clock, registry, attempts } = this.#parts
    const at = readClocks(clock)
    const previousAddress = server.address
    const outcome = registry.announce(server, credential, announced, address, at)
    if (outcome !== 'superseded') {
      rememberBody(server, fingerprint, announce)
      if (previousAddress !== address) attempts.flush(server, previousAddress)
      if (announced.isFarAboveSlots) this.#rejections.observer.aboveSlots(server, announcedPlayers, at.now)
    }
    if (outcome === 'refreshed') this.#parts.heartbeat(server, at)
    if (outcome === 'refreshed' || outcome === 'changed') attempts.recordRepeat(server, at.now)
    else {
      const code = outcome === 'added' ? 'CAME_ONLINE' : 'ACCEPTED_OLD_CREDENTIAL'
      attempts.enqueue(server, { at: at.now, code, address, detail: '' })
      registry.onChange(server)
    }
    this.#accepted += 1
    return at
  }

  #respond({ server, credential }: Caller, { announce }: Parsed, { uptime }: Moment): Reply {
    return acceptedReply(server, credential, this.#spread.next(uptime, this.#parts.registry.onlineCount), announce.notices)
  }

  /** Takes a server offline and responds. Binds no address. */
  #takeOffline(caller: Step<Caller>, address: string, { port }: Goodbye): Reply {
    if (isReply(caller)) return caller
    const { server, credential } = caller
    const { clock, registry, attempts } = this.#parts
    const forbiddenCode = forbiddenCodeOf(caller, address)
    if (forbiddenCode !== undefined) return this.#rejections.reject(forbiddenCode, caller, address)
    const at = readClocks(clock)
    credential.lastUsedAt = at.now
    // The process that leaves was replaced by one with a new credential, or on another port. That one stays online.
    const hasOldCredential = credential.graceUntil !== undefined && server.credentialId !== credential.id
    const isReplaced = hasOldCredential || (port !== undefined && port !== server.announced?.port)
    if (!isReplaced && registry.takeOffline(server, 'LEFT', at)) attempts.enqueue(server, { at: at.now, code: 'LEFT', address, detail: '' })
    return NO_CONTENT
  }
}

/** Why the caller may not announce from this address. An unbound credential may announce from any address. */
function forbiddenCodeOf({ server, credential }: Caller, address: string): RejectionCode | undefined {
  return banCodeOf(server) ?? ((credential.boundAddress ?? address) === address ? undefined : 'ADDRESS_MISMATCH')
}

const publicIdForAttempt = (publicId: string | undefined, kind: 'announce' | 'call') => (kind === 'call' ? undefined : publicId)

function isReply(step: Step<object>): step is Reply {
  return 'status' in step
}
