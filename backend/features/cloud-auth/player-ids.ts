/** A player's pseudonym for each server owner: stable, and not linkable across owners. Derived from one secret that never changes. */
import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { Db } from '#backend/platform/database/open.ts'
import { findSecret, keepSecret } from './cloud-auth.queries.ts'

/** 128 bits: 22 characters. */
const ID_BYTES = 16

export class PlayerIds {
  readonly #player: Buffer
  readonly #owner: Buffer
  /** What player tokens are encrypted with. */
  readonly tokenKey: Uint8Array

  /** @param secret each use has a key of its own that is made from it. */
  constructor(secret: Buffer) {
    const keyFor = (use: string) => Buffer.from(hkdfSync('sha256', secret, '', `muster cloud auth ${use}`, 32))
    this.#player = keyFor('player')
    this.#owner = keyFor('owner')
    this.tokenKey = keyFor('player token')
  }

  /** @param ownerId whose server asks. */
  playerOn(ownerId: string, discordId: string): string {
    return shortened(this.#player, ownerId, discordId)
  }

  /** Says whose a server was, without saying who that is: servers of one owner can't be told by it. */
  ownerOf(publicId: string, ownerId: string): string {
    return shortened(this.#owner, publicId, ownerId)
  }
}

/** The ids of this database's secret, which the first to come makes. */
export async function readPlayerIds(db: Db): Promise<PlayerIds> {
  const secret = (await findSecret(db))?.secret ?? (await keepSecret(db, randomBytes(32)))
  return new PlayerIds(secret)
}

/** The parts hold no NUL, so no two pairs are the same text. */
function shortened(key: Buffer, ...parts: readonly string[]): string {
  return createHmac('sha256', key).update(parts.join('\0')).digest().subarray(0, ID_BYTES).toString('base64url')
}
