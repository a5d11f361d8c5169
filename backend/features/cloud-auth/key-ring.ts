/** The keys in memory: read from the database now and then, and anew where a ticket names one that is not there. */
import { type CryptoKey, importJWK } from 'jose'
import type { Deps } from '#backend/platform/deps.ts'
import { listKeys } from './cloud-auth.queries.ts'
import { rotateKeys, signerOf } from './rotation.ts'

/** Together far less than a new key goes unused: no node signs with one that another has never seen. */
const READ_AGAIN_MS = 300_000
/** Until this age the keys are used while newer ones are being read: a silent database keeps no player waiting. */
const TOO_OLD_MS = 1_800_000
/** Made-up key ids cost the database no more than one look each so often. */
const LOOK_AGAIN_MS = 5000

interface Key {
  readonly kid: string
  readonly publicJwk: Record<string, unknown>
  readonly publicKey: CryptoKey
  readonly privateKey: CryptoKey
  /** Seconds, when it was read. */
  readonly age: number
}

interface Ring {
  readonly keys: readonly Key[]
  /** Uptime. */
  readonly readAt: number
}

export class KeyRing {
  readonly #deps: Pick<Deps, 'db' | 'clock'>
  #ring: Ring | undefined
  #reading: Promise<Ring> | undefined
  /** Uptime of the last try to read. */
  #triedAt = -Infinity

  constructor(deps: Pick<Deps, 'db' | 'clock'>) {
    this.#deps = deps
  }

  /** The public keys, as JWKs. Throws where the database can't be asked and never could. */
  async published(): Promise<Record<string, unknown>[]> {
    return (await this.#current()).keys.map(({ publicJwk }) => publicJwk)
  }

  /** The key that signs now. */
  async signer(): Promise<{ readonly kid: string; readonly privateKey: CryptoKey }> {
    const ring = await this.#current()
    const since = this.#ageOf(ring) / 1000
    const key = signerOf(ring.keys.map((one) => ({ ...one, age: one.age + since })))
    if (key === undefined) throw new Error('There is no key to sign tickets with.')
    return key
  }

  /** The public key of this id; undefined where there is none. */
  async find(kid: string): Promise<CryptoKey | undefined> {
    const ring = await this.#current()
    const known = keyIn(ring, kid)
    if (known !== undefined || this.#deps.clock.uptime() - this.#triedAt < LOOK_AGAIN_MS) return known
    return keyIn(await this.#readOr(ring), kid)
  }

  async #current(): Promise<Ring> {
    const ring = this.#ring
    if (ring === undefined) return this.#readOnce()
    const age = this.#ageOf(ring)
    if (age < READ_AGAIN_MS) return ring
    if (age >= TOO_OLD_MS) return this.#readOr(ring)
    if (this.#deps.clock.uptime() - this.#triedAt >= LOOK_AGAIN_MS) void this.#readOr(ring)
    return ring
  }

  #ageOf({ readAt }: Ring): number {
    return this.#deps.clock.uptime() - readAt
  }

  /** The keys as the database has them now, or these where it can't be asked. */
  #readOr(ring: Ring): Promise<Ring> {
    return this.#readOnce().catch(() => ring)
  }

  /** Whoever asks while it is being read gets the same. */
  #readOnce(): Promise<Ring> {
    if (this.#reading !== undefined) return this.#reading
    this.#triedAt = this.#deps.clock.uptime()
    this.#reading = this.#read().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #read(): Promise<Ring> {
    const { db, clock } = this.#deps
    // The first one here makes what is due, so that nobody waits for the hour to be full.
    if (this.#ring === undefined) await rotateKeys({ db })
    const keys = await Promise.all((await listKeys(db)).map(keyOf))
    this.#ring = { keys, readAt: clock.uptime() }
    return this.#ring
  }
}

type Row = Awaited<ReturnType<typeof listKeys>>[number]

async function keyOf({ kid, age, public_jwk: publicJwk, private_jwk: privateJwk }: Row): Promise<Key> {
  const [publicKey, privateKey] = await Promise.all([imported(publicJwk), imported(privateJwk)])
  return { kid, age, publicJwk, publicKey, privateKey }
}

async function imported(jwk: Record<string, unknown>): Promise<CryptoKey> {
  return (await importJWK({ ...jwk, kty: 'EC' }, 'ES256')) as CryptoKey
}

function keyIn({ keys }: Ring, kid: string): CryptoKey | undefined {
  return keys.find((key) => key.kid === kid)?.publicKey
}
