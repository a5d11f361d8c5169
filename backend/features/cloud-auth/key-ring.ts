/** The keys that sign tickets: published, used an hour later, replaced after 30 days, and gone a day after that. Cached in memory. */
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from 'jose'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { deleteKeys, insertKey, listKeys, lockKeys } from './cloud-auth.queries.ts'

/** From this age the keys are refreshed in the background. Far below `UNUSED_FOR`: no node signs with a key that another has never seen. */
const STALE_MS = 300_000
/** From this age callers wait for the refresh. */
const EXPIRED_MS = 1_800_000
/** Unknown key ids and failures cause at most one query in this time. */
const RETRY_MS = 5000

/** Seconds after which a key is followed by a new one. */
const ROTATION_SECONDS = 30 * 86_400
/** Seconds for which a key is only published, so that every reader of the public keys knows it. */
const ACTIVATION_SECONDS = 3600
/** Seconds for which a replaced key is still published. */
const RETIREMENT_SECONDS = 86_400

interface Ring {
  readonly keys: readonly Awaited<ReturnType<typeof keyOf>>[]
  /** Uptime. */
  readonly readAt: number
}

export class KeyRing {
  readonly #deps: Pick<Deps, 'db' | 'clock'>
  #ring: Ring | undefined
  #refreshing: Promise<Ring> | undefined
  #triedAt = -Infinity

  constructor(deps: Pick<Deps, 'db' | 'clock'>) {
    this.#deps = deps
  }

  /** The public keys, as JWKs. Throws where the database can't be asked and never could. */
  async published(): Promise<Record<string, unknown>[]> {
    return (await this.#current()).keys.map(({ publicJwk }) => publicJwk)
  }

  async signer(): Promise<{ readonly kid: string; readonly privateKey: CryptoKey }> {
    const ring = await this.#current()
    const since = this.#ageOf(ring) / 1000
    // The newest that every node has had time to read; before there is one, the oldest.
    const key = ring.keys.find(({ age }) => age + since >= ACTIVATION_SECONDS) ?? ring.keys.at(-1)
    if (key === undefined) throw new Error('There is no key to sign tickets with.')
    return key
  }

  async find(kid: string): Promise<CryptoKey | undefined> {
    const ring = await this.#current()
    const known = keyIn(ring, kid)
    if (known !== undefined || this.#deps.clock.uptime() - this.#triedAt < RETRY_MS) return known
    return keyIn(await this.#refreshOr(ring), kid)
  }

  async #current(): Promise<Ring> {
    const ring = this.#ring
    if (ring === undefined) return this.#refresh()
    const age = this.#ageOf(ring)
    if (age < STALE_MS) return ring
    if (age >= EXPIRED_MS) return this.#refreshOr(ring)
    if (this.#deps.clock.uptime() - this.#triedAt >= RETRY_MS) void this.#refreshOr(ring)
    return ring
  }

  #ageOf({ readAt }: Ring): number {
    return this.#deps.clock.uptime() - readAt
  }

  /** The current keys, or these where the database can't be asked. */
  #refreshOr(ring: Ring): Promise<Ring> {
    return this.#refresh().catch(() => ring)
  }

  #refresh(): Promise<Ring> {
    if (this.#refreshing !== undefined) return this.#refreshing
    this.#triedAt = this.#deps.clock.uptime()
    this.#refreshing = this.#read().finally(() => {
      this.#refreshing = undefined
    })
    return this.#refreshing
  }

  async #read(): Promise<Ring> {
    const { db, clock } = this.#deps
    // Makes the first key now instead of waiting for the hourly job.
    if (this.#ring === undefined) await rotateKeys({ db })
    const keys = await Promise.all((await listKeys(db)).map(keyOf))
    this.#ring = { keys, readAt: clock.uptime() }
    return this.#ring
  }
}

/** `age` is in seconds, as of when it was read. */
async function keyOf({ kid, age, public_jwk: publicJwk, private_jwk: privateJwk }: Awaited<ReturnType<typeof listKeys>>[number]) {
  const [publicKey, privateKey] = await Promise.all([importKey(publicJwk), importKey(privateJwk)])
  return { kid, age, publicJwk, publicKey, privateKey }
}

async function importKey(jwk: Record<string, unknown>): Promise<CryptoKey> {
  return (await importJWK({ ...jwk, kty: 'EC' }, 'ES256')) as CryptoKey
}

function keyIn({ keys }: Ring, kid: string): CryptoKey | undefined {
  return keys.find((key) => key.kid === kid)?.publicKey
}

/** Makes the next key where it is due and deletes expired ones. Several nodes may call it at once. */
export async function rotateKeys({ db }: { readonly db: Db }): Promise<void> {
  // Outside of the transaction, so that the lock is short.
  const next = await newKey()
  await transaction(db, async (trx) => {
    await lockKeys(trx)
    const keys = await listKeys(trx)
    const newest = keys[0]
    // A key signs until the next one may.
    const expired = keys.filter((_key, index) => (keys[index - 1]?.age ?? 0) > ACTIVATION_SECONDS + RETIREMENT_SECONDS)
    await deleteKeys(
      trx,
      expired.map(({ kid }) => kid),
    )
    if (newest === undefined || newest.age >= ROTATION_SECONDS) await insertKey(trx, next)
  })
}

async function newKey() {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const shared = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(shared)
  return { kid, publicJwk: { ...shared, kid, alg: 'ES256', use: 'sig' }, privateJwk: await exportJWK(privateKey) }
}
