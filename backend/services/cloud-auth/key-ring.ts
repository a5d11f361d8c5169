/** The keys that sign tickets, cached in memory. A key is published, used after an hour, replaced after 30 days, and deleted a day later. */
import { LRUCache } from 'lru-cache'
import { lockCloudAuthKeys } from '#backend/platform/database/lock-order.ts'
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from 'jose'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { cacheTime } from '#backend/platform/clock.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { deleteKeys, insertKey, listKeys } from './cloud-auth.queries.ts'

/** Age at which keys are refreshed in the background. Far below `ACTIVATION_SECONDS`, so that no node signs with a key unknown to another. */
const STALE_MS = 300_000
/** Age at which callers wait for the refresh. */
const EXPIRED_MS = 1_800_000
/** Unknown key ids cause at most one query in this time. */
const RETRY_MS = 5000

/** Age at which a key is replaced. */
const ROTATION_SECONDS = 30 * 86_400
/** How long a key is only published, so that every client has fetched it before it signs. */
const ACTIVATION_SECONDS = 3600
/** How long a replaced key stays published. */
const RETIREMENT_SECONDS = 86_400

interface Ring {
  readonly keys: readonly Awaited<ReturnType<typeof keyOf>>[]
  /** Uptime in milliseconds. */
  readonly readAt: number
}

const RING = 'ring'

export class KeyRing {
  readonly #deps: Pick<Deps, 'db' | 'clock'>
  readonly #rings: LRUCache<typeof RING, Ring>
  /** Uptime of the last attempt to read the keys. */
  #triedAt = -Infinity

  constructor(deps: Pick<Deps, 'db' | 'clock'>) {
    this.#deps = deps
    this.#rings = new LRUCache({
      max: 1,
      ttl: STALE_MS,
      ...cacheTime(deps.clock),
      ignoreFetchAbort: true,
      // Without the database, the last keys stay.
      noDeleteOnFetchRejection: true,
      allowStaleOnFetchRejection: true,
      fetchMethod: (_key, previous) => this.#read(previous === undefined),
    })
  }

  /** The public keys as JWKs. Throws if the database is unavailable and no keys are cached. */
  async published(): Promise<Record<string, unknown>[]> {
    return (await this.#current()).keys.map(({ publicJwk }) => publicJwk)
  }

  async signer(): Promise<{ readonly kid: string; readonly privateKey: CryptoKey }> {
    const ring = await this.#current()
    const secondsSinceRead = this.#ageOf(ring) / 1000
    // The newest key that every node has had time to read; if there is none yet, the oldest.
    const key = ring.keys.find(({ age }) => age + secondsSinceRead >= ACTIVATION_SECONDS) ?? ring.keys.at(-1)
    if (key === undefined) throw new Error('There is no key to sign tickets with.')
    return key
  }

  async find(kid: string): Promise<CryptoKey | undefined> {
    const ring = await this.#current()
    const cached = keyIn(ring, kid)
    if (cached !== undefined || this.#deps.clock.uptime() - this.#triedAt < RETRY_MS) return cached
    return keyIn(await this.#rings.forceFetch(RING, { forceRefresh: true }), kid)
  }

  #current(): Promise<Ring> {
    const cached = this.#rings.peek(RING, { allowStale: true })
    return this.#rings.forceFetch(RING, { allowStale: cached !== undefined && this.#ageOf(cached) < EXPIRED_MS })
  }

  #ageOf({ readAt }: Ring): number {
    return this.#deps.clock.uptime() - readAt
  }

  async #read(isFirst: boolean): Promise<Ring> {
    const { db, clock } = this.#deps
    this.#triedAt = clock.uptime()
    // Creates the first key now instead of waiting for the hourly job.
    if (isFirst) await rotateKeys({ db })
    return { keys: await Promise.all((await listKeys(db)).map(keyOf)), readAt: clock.uptime() }
  }
}

/** `age` is in seconds at the time of the read. */
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

/** Creates the next key if due and deletes expired ones. Safe to call on several nodes at once. */
export async function rotateKeys({ db }: { readonly db: Db }): Promise<void> {
  // Outside the transaction, to keep the lock short.
  const next = await newKey()
  await transaction(db, async (trx) => {
    await lockCloudAuthKeys(trx)
    const keys = await listKeys(trx)
    const newest = keys[0]
    // A key signs until the next one is activated.
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
  const jwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(jwk)
  return { kid, publicJwk: { ...jwk, kid, alg: 'ES256', use: 'sig' }, privateJwk: await exportJWK(privateKey) }
}
