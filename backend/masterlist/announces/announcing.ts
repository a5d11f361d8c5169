/**
 * The way of an announce: credential, rate, body, bans, address, live state. All of it in memory and in one go, but for the first
 * announce under a credential (the database binds it) and for credentials this process has never seen (the database may know them).
 */
import type { Clock } from '#backend/platform/clock.ts'
import type { Bus } from '#backend/platform/cluster/bus.ts'
import type { Env } from '#backend/platform/env.ts'
import { banSentences } from '#backend/masterlist/ban-sentences.ts'
import { REFUSALS, type RefusalCode } from '#backend/masterlist/reasons.ts'
import { type CredentialIndex, bearerOf, keyOfCredential } from '#backend/masterlist/registry/credential-index.ts'
import type { Moment, Registry } from '#backend/masterlist/registry/registry.ts'
import type { LiveCredential, ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import type { Attempts } from '#backend/masterlist/saving/attempts.ts'
import type { Binder } from '#backend/masterlist/saving/binding.ts'
import { type Answer, UNAVAILABLE_SECONDS, refusalAnswer } from '#backend/masterlist/wire/answer.ts'
import { limitKey } from '#backend/platform/http/client-address.ts'
import { TokenBuckets } from '#backend/platform/http/rate-limit.ts'
import { AnnounceAllowance } from './announce-allowance.ts'
import { acceptedAnswer } from './accepted-answer.ts'
import { type Read, readBody } from './announce-body.ts'
import { noticesOf } from './announce-notices.ts'
import { AnnounceSpread } from './announce-spread.ts'
import { keepPrint, printOf, repeated } from './repeated-body.ts'
import { NOBODY, type Watch } from './watch.ts'

/** How often an address may try credentials that do not work. Past it not even the database is asked. */
const STRANGERS = { burst: 100, perSecond: 1 }
/** Calls of one credential beside its announces, such as a ticket of each player who joins after a restart. */
const CALLS = { burst: 200, perSecond: 20 }
const MOST_BLOCKED = 100_000
/** Enough for a sentence or three; a body with every field wrong says the rest in its reply. */
const MOST_DETAIL_CHARACTERS = 300
/** A credential is 48 characters long; what is far longer is not worth hashing. */
const MOST_CREDENTIAL_CHARACTERS = 200

interface Parts {
  readonly env: Pick<Env, 'ANNOUNCE_TTL_SECONDS' | 'RATE_LIMITS' | 'REACHABILITY_PRIVATE'>
  readonly clock: Clock
  readonly bus: Bus
  readonly registry: Registry
  readonly credentials: CredentialIndex
  readonly binder: Binder
  readonly attempts: Attempts
  /** Reads a server anew from the database. */
  readonly refresh: (publicId: string) => Promise<void>
  /** Is told of each announce that changed nothing. */
  readonly heard: (server: ServerRecord, at: Moment) => void
}

interface Known {
  readonly server: ServerRecord
  readonly credential: LiveCredential
}

/** Stands for no refusal; nobody sends it. */
const IDENTIFIED: Answer = { status: 204, body: '', retryAfter: 0, isAscii: true }

type Act = (known: Known) => Answer | Promise<Answer>

export class Announcing {
  readonly #parts: Parts
  readonly #strangers: TokenBuckets
  readonly #calls: TokenBuckets
  readonly #allowance: AnnounceAllowance
  readonly #spread: AnnounceSpread
  /** Until which uptime an address that tried too many is not listened to when it comes with another unknown one. */
  readonly #blockedUntil = new Map<string, number>()
  /** Since the start, by code. */
  readonly #refused = new Map<string, number>()
  #accepted = 0
  watch: Watch = NOBODY
  #isStopping = false

  constructor(parts: Parts) {
    this.#parts = parts
    const { clock, bus } = parts
    this.#strangers = new TokenBuckets({ ...STRANGERS, clock, shared: { bus, name: 'strangers' } })
    this.#calls = new TokenBuckets({ ...CALLS, clock, shared: { bus, name: 'calls of servers' } })
    this.#allowance = new AnnounceAllowance(parts)
    this.#spread = new AnnounceSpread(parts.env.ANNOUNCE_TTL_SECONDS)
  }

  /** Accepted and refused ones since the start, by code. */
  get counts(): ReadonlyMap<string, number> {
    return new Map([['ACCEPTED', this.#accepted], ...this.#refused])
  }

  /** From now on everything is refused with 503: what came in before is being saved for the last time. */
  stop(): void {
    this.#isStopping = true
  }

  /**
   * @param authorization the header. @param address the sender's, normalised. @param body the bytes of a JSON text.
   * Answers at once, but for a first announce and an unknown credential. Never throws.
   */
  announce(authorization: string | undefined, address: string, body: Buffer): Answer | Promise<Answer> {
    return this.#identify(authorization, address, (known) => this.#announceAs(known, address, body))
  }

  /** Going offline on purpose. */
  leave(authorization: string | undefined, address: string): Answer | Promise<Answer> {
    return this.#identify(authorization, address, (known) => this.#leaveAs(known, address))
  }

  /** Refuses an announce whose body could not even be read, so that its owner sees that too. */
  refuse(authorization: string | undefined, address: string, code: RefusalCode): Answer | Promise<Answer> {
    return this.#identify(authorization, address, (known) => this.#refuse(code, known, address))
  }

  /**
   * Whose credential this is, for calls beside the announce: checked as an announce's is (bans and bound address too), but counted by a
   * limit of its own, so that a busy server's calls never use up its announces. Nothing is bound, and what is refused is no attempt
   * to announce.
   */
  async identify(authorization: string | undefined, address: string): Promise<{ server: ServerRecord } | { refusal: Answer }> {
    const { env } = this.#parts
    let server: ServerRecord | undefined
    const refusal = await this.#identify(
      authorization,
      address,
      (known) => {
        const { boundAddress, id } = known.credential
        const unfit = banOf(known.server) ?? ((boundAddress ?? address) === address ? undefined : 'ADDRESS_MISMATCH')
        if (unfit !== undefined) return refusalAnswer(unfit, 0, sentencesOf(unfit, known.server))
        const wait = env.RATE_LIMITS ? this.#calls.take(id) : 0
        if (wait > 0) return refusalAnswer('CALLED_TOO_OFTEN', wait)
        server = known.server
        return IDENTIFIED
      },
      true,
    )
    return server === undefined ? { refusal } : { server }
  }

  #identify(authorization: string | undefined, address: string, act: Act, isCall = false): Answer | Promise<Answer> {
    if (this.#isStopping) return refusalAnswer('UNAVAILABLE', UNAVAILABLE_SECONDS)
    if (address === '') return refusalAnswer('ADDRESS_UNKNOWN')
    const text = bearerOf(authorization)
    if (text === undefined) return this.#refuseStranger('CREDENTIAL_MISSING', undefined, address)
    if (text.length > MOST_CREDENTIAL_CHARACTERS) return this.#refuseStranger('CREDENTIAL_MALFORMED', undefined, address)
    const key = keyOfCredential(text)
    const known = this.#byKey(key)
    if (known !== undefined) {
      if (known.credential.graceUntil !== undefined && known.credential.graceUntil <= this.#parts.clock.now()) {
        return this.#refuseStranger('CREDENTIAL_REVOKED', isCall ? undefined : known.server.publicId, address)
      }
      const wait = isCall ? 0 : this.#allowance.take(known.credential, address)
      return wait === 0 ? act(known) : this.#refuse('TOO_OFTEN', known, address, wait)
    }
    const dead = this.#parts.credentials.known(text, key)
    if (dead === 'malformed') return this.#refuseStranger('CREDENTIAL_MALFORMED', undefined, address)
    if (dead !== undefined) return this.#refuseStranger(dead.code, isCall ? undefined : dead.publicId, address)
    return this.#lookUp(key, address, act, isCall)
  }

  #byKey(key: string): Known | undefined {
    const credential = this.#parts.credentials.live(key)
    return credential?.server === undefined ? undefined : { server: credential.server, credential }
  }

  async #lookUp(key: string, address: string, act: Act, isCall: boolean): Promise<Answer> {
    const blockedFor = (this.#blockedUntil.get(limitKey(address)) ?? 0) - this.#parts.clock.uptime()
    if (blockedFor > 0) return refusalAnswer('TOO_MANY_REQUESTS', Math.ceil(blockedFor / 1000))
    try {
      const found = await this.#parts.credentials.lookUp(key)
      if ('code' in found) return this.#refuseStranger(found.code, isCall ? undefined : found.publicId, address)
      await this.#parts.refresh(found.publicId)
    } catch {
      return refusalAnswer('UNAVAILABLE', UNAVAILABLE_SECONDS)
    }
    const known = this.#byKey(key)
    return known === undefined ? this.#refuseStranger('CREDENTIAL_REVOKED', undefined, address) : act(known)
  }

  #announceAs(known: Known, address: string, body: Buffer): Answer | Promise<Answer> {
    const { server, credential } = known
    const print = printOf(body)
    const reading = repeated(server, print) ?? readBody(body, server.announced, this.#parts.env.REACHABILITY_PRIVATE)
    if (reading === undefined) return this.#refuse('BODY_NOT_JSON', known, address)
    if ('errors' in reading) return this.#refuse('BODY_INVALID', known, address, 0, reading.errors)
    const ban = banOf(server)
    if (ban !== undefined) return this.#refuse(ban, known, address)
    if (credential.boundAddress === undefined) {
      return this.#bind(known, address, (bound) => this.#accept(bound, reading, print, address))
    }
    if (credential.boundAddress !== address) return this.#refuse('ADDRESS_MISMATCH', known, address)
    return this.#accept(known, reading, print, address)
  }

  #leaveAs(known: Known, address: string, isRead = false): Answer | Promise<Answer> {
    const { server, credential } = known
    const { clock, registry, attempts } = this.#parts
    const ban = banOf(server)
    if (ban !== undefined) return this.#refuse(ban, known, address)
    // It may have announced to another node only, which bound its credential there.
    if (credential.boundAddress === undefined && server.online && !isRead)
      return this.#readThen(known, address, (now) => this.#leaveAs(now, address, true))
    // Who never announced has nothing to leave, and nothing is bound for it.
    if (credential.boundAddress !== undefined && credential.boundAddress !== address)
      return this.#refuse('ADDRESS_MISMATCH', known, address)
    const at = { uptime: clock.uptime(), now: clock.now() }
    credential.lastUsedAt = at.now
    // The process that still has the old credential goes; the one with the new credential stays.
    const isShadow = credential.graceUntil !== undefined && server.credentialId !== credential.id
    if (!isShadow && registry.end(server, 'LEFT', at)) attempts.note(server, { at: at.now, code: 'LEFT', address, detail: '' })
    return { status: 204, body: '', retryAfter: 0, isAscii: true }
  }

  async #readThen(known: Known, address: string, act: Act): Promise<Answer> {
    try {
      await this.#parts.refresh(known.server.publicId)
    } catch {
      return refusalAnswer('UNAVAILABLE', UNAVAILABLE_SECONDS)
    }
    const now = this.#byKey(known.credential.key)
    return now === undefined ? this.#refuseStranger('CREDENTIAL_REVOKED', undefined, address) : act(now)
  }

  /** The database decides which address stands; meanwhile the credential may have died or another announce come first. */
  async #bind(known: Known, address: string, act: Act): Promise<Answer> {
    const { credential, server } = known
    const bound = await this.#parts.binder.bind(credential.id, address)
    if (bound === 'unavailable') return this.#refuse('UNAVAILABLE', known, address, UNAVAILABLE_SECONDS)
    const now = this.#byKey(credential.key)
    if (bound === 'gone' || now === undefined) {
      const isStillHis = this.#parts.registry.get(server.publicId) === server
      return this.#refuseStranger('CREDENTIAL_REVOKED', isStillHis ? server.publicId : undefined, address)
    }
    now.credential.boundAddress ??= bound.address
    if (now.credential.boundAddress !== address) return this.#refuse('ADDRESS_MISMATCH', now, address)
    const ban = banOf(now.server)
    return ban === undefined ? act(now) : this.#refuse(ban, now, address)
  }

  /** @param print of the body that was read. */
  #accept({ server, credential }: Known, read: Read, print: number, address: string): Answer {
    const { announced, notices, players } = read
    const { clock, registry, attempts } = this.#parts
    const at = { uptime: clock.uptime(), now: clock.now() }
    const before = server.address
    const wasAboveSlots = server.announced?.isAboveSlots === true
    const outcome = registry.announce(server, credential, announced, address, at)
    if (outcome !== 'shadowed') keepPrint(server, print, read)
    if (outcome !== 'shadowed' && before !== address) attempts.spill(server, before)
    if (outcome === 'refreshed') this.#parts.heard(server, at)
    if (outcome === 'refreshed' || outcome === 'changed') attempts.repeat(server, at.now)
    else {
      attempts.note(server, {
        at: at.now,
        code: outcome === 'added' ? 'CAME_ONLINE' : 'ACCEPTED_OLD_CREDENTIAL',
        address,
        detail: '',
      })
      registry.onStir(server)
    }
    if (announced.isAboveSlots && outcome !== 'shadowed') this.watch.aboveSlots(server, players, at.now, wasAboveSlots)
    this.#accepted += 1
    return acceptedAnswer(server, this.#spread.next(at.uptime, registry.online), noticesOf(server, credential, notices))
  }

  /** @param publicId the server whose owner is to see it, where that is known. */
  #refuseStranger(code: RefusalCode, publicId: string | undefined, address: string): Answer {
    const wait = this.#parts.env.RATE_LIMITS ? this.#strangers.take(limitKey(address)) : 0
    if (wait > 0) {
      this.#count('TOO_MANY_REQUESTS')
      if (this.#blockedUntil.size >= MOST_BLOCKED) this.#blockedUntil.clear()
      this.#blockedUntil.set(limitKey(address), this.#parts.clock.uptime() + wait * 1000)
      return refusalAnswer('TOO_MANY_REQUESTS', wait)
    }
    const server = publicId === undefined ? undefined : this.#parts.registry.get(publicId)
    if (server !== undefined) return this.#refuse(code, { server }, address)
    this.#count(code)
    return refusalAnswer(code)
  }

  #refuse(
    code: RefusalCode,
    { server, credential }: Pick<Known, 'server'> & Partial<Known>,
    address: string,
    retryAfter = 0,
    errors?: readonly string[],
  ): Answer {
    const { attempts, clock, registry } = this.#parts
    this.#count(code)
    const refusal = { at: clock.now(), code, address, detail: (errors ?? []).join(' ').slice(0, MOST_DETAIL_CHARACTERS) }
    server.refusal = refusal
    if (attempts.note(server, refusal)) registry.onStir(server)
    this.watch.refused(server, code, address, refusal.at, credential)
    return refusalAnswer(code, retryAfter, errors ?? sentencesOf(code, server))
  }

  #count(code: string): void {
    this.#refused.set(code, (this.#refused.get(code) ?? 0) + 1)
  }
}

/** A ban's own sentences, for whoever holds a credential that works; undefined for any other refusal. */
function sentencesOf(code: RefusalCode, { fields }: ServerRecord): string[] | undefined {
  const ban = code === 'SERVER_BANNED' ? fields.ban : code === 'OWNER_BANNED' ? fields.ownerBan : undefined
  return ban === undefined ? undefined : [REFUSALS[code].message, ...banSentences(ban)]
}

function banOf({ fields }: ServerRecord): 'SERVER_BANNED' | 'OWNER_BANNED' | undefined {
  if (fields.ban !== undefined) return 'SERVER_BANNED'
  return fields.ownerBan === undefined ? undefined : 'OWNER_BANNED'
}
