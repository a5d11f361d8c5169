/** Tickets are signed JWTs for one server, without the Discord id. Player tokens are encrypted JWTs that only this list can read. */
import { randomUUID } from 'node:crypto'
import { EncryptJWT, SignJWT, errors, jwtDecrypt, jwtVerify } from 'jose'
import type { OwnerFields } from '#backend/masterlist/registry/server-record.ts'
import type { Clock } from '#backend/platform/clock.ts'
import type { KeyRing } from './key-ring.ts'
import type { PlayerIds } from './player-ids.ts'

const TICKET_SECONDS = 300
const TOKEN_SECONDS = 12 * 3600
/** Type and audience differ, so that a player token never passes as a ticket. */
const TICKET_TYPE = 'muster-ticket+jwt'
const TOKEN_AUDIENCE = 'muster-player'

type ServerOfTicket = Pick<OwnerFields, 'publicId' | 'ownerId'>

export class Tickets {
  readonly #clock: Clock
  readonly #ring: KeyRing
  readonly #idsOf: () => Promise<PlayerIds>

  constructor(clock: Clock, ring: KeyRing, idsOf: () => Promise<PlayerIds>) {
    this.#clock = clock
    this.#ring = ring
    this.#idsOf = idsOf
  }

  /** @param issuer the list's base URL. */
  async issue(issuer: string, server: ServerOfTicket, discordId: string): Promise<{ ticket: string; expiresAt: string }> {
    const ids = await this.#idsOf()
    const { kid, privateKey } = await this.#ring.signer()
    const now = this.#seconds()
    const ticket = await new SignJWT({ own: ids.ownerOf(server.publicId, server.ownerId) })
      .setProtectedHeader({ alg: 'ES256', kid, typ: TICKET_TYPE })
      .setIssuer(issuer)
      .setAudience(server.publicId)
      .setSubject(ids.playerOn(server.ownerId, discordId))
      .setIssuedAt(now)
      .setExpirationTime(now + TICKET_SECONDS)
      .setJti(randomUUID())
      .sign(privateKey)
    return { ticket, expiresAt: new Date((now + TICKET_SECONDS) * 1000).toISOString() }
  }

  /** The player's id; undefined if the ticket is not valid for this server and its owner. Ignores the issuer: a list may have several names. */
  async check(ticket: string, server: ServerOfTicket): Promise<string | undefined> {
    const ids = await this.#idsOf()
    return undefinedIfInvalid(async () => {
      const { payload } = await jwtVerify(ticket, ({ kid }) => this.#keyOf(kid), {
        algorithms: ['ES256'],
        audience: server.publicId,
        typ: TICKET_TYPE,
        requiredClaims: ['exp', 'iat', 'sub', 'jti'],
        currentDate: this.#now(),
      })
      return payload['own'] === ids.ownerOf(server.publicId, server.ownerId) ? payload.sub : undefined
    })
  }

  async playerToken(discordId: string): Promise<string> {
    const { tokenKey } = await this.#idsOf()
    const now = this.#seconds()
    return new EncryptJWT()
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setAudience(TOKEN_AUDIENCE)
      .setSubject(discordId)
      .setIssuedAt(now)
      .setExpirationTime(now + TOKEN_SECONDS)
      .encrypt(tokenKey)
  }

  /** The Discord id of a player token; undefined if it is foreign or expired. */
  async playerOf(token: string): Promise<string | undefined> {
    const { tokenKey } = await this.#idsOf()
    return undefinedIfInvalid(async () => {
      const { payload } = await jwtDecrypt(token, tokenKey, {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
        audience: TOKEN_AUDIENCE,
        requiredClaims: ['exp', 'sub'],
        currentDate: this.#now(),
      })
      return payload.sub
    })
  }

  async #keyOf(kid = '') {
    const key = await this.#ring.find(kid)
    if (key === undefined) throw new errors.JWKSNoMatchingKey()
    return key
  }

  #now(): Date {
    return new Date(this.#clock.now())
  }

  #seconds(): number {
    return Math.floor(this.#clock.now() / 1000)
  }
}

/** Undefined for an invalid token. Other failures, such as of the database, are thrown. */
async function undefinedIfInvalid<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}
