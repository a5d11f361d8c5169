/** A player's pseudonym for each server owner: stable, unlinkable across owners, derived from one permanent secret. */
import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { Db } from '#backend/platform/database/open.ts'
import { ensureSecret } from './cloud-auth.queries.ts'

/** 128 bits: 22 characters. */
const ID_BYTES = 16

export class PlayerIds {
  readonly #player: Buffer
  readonly #owner: Buffer
  readonly tokenKey: Uint8Array

  constructor(secret: Buffer) {
    const keyFor = (use: string) => Buffer.from(hkdfSync('sha256', secret, '', `muster cloud auth ${use}`, 32))
    this.#player = keyFor('player')
    this.#owner = keyFor('owner')
    this.tokenKey = keyFor('player token')
  }

  playerOn(ownerId: string, discordId: string): string {
    return pseudonym(this.#player, ownerId, discordId)
  }

  /** Identifies a server's owner without linking the owner's servers to each other. */
  ownerOf(publicId: string, ownerId: string): string {
    return pseudonym(this.#owner, publicId, ownerId)
  }
}

/** Reads the secret once, or creates it. After a failure the next caller retries. */
export function playerIdsIn(db: Db): () => Promise<PlayerIds> {
  let ids: Promise<PlayerIds> | undefined
  const read = async () => new PlayerIds(await ensureSecret(db, randomBytes(32)))
  return () => {
    ids ??= read().catch((error: unknown) => {
      ids = undefined
      throw error
    })
    return ids
  }
}

/** The parts contain no NUL, so joining them is unambiguous. */
function pseudonym(key: Buffer, ...parts: readonly string[]): string {
  return createHmac('sha256', key).update(parts.join('\0')).digest().subarray(0, ID_BYTES).toString('base64url')
}
