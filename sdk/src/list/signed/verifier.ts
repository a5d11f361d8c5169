/** Verifies a signed list from its public key down: root key, online keys, head, chunks. Remembers what it has seen, and never goes back. */
import type { ListedServer, SignedState } from '../types.ts'
import { Keys, type PublicKey, hexOf, isSignedBy, parseNotes, sha256 } from './note.ts'

/** How wrong this machine's clock, or the list's, may be. */
const MAX_CLOCK_ERROR_MS = 600_000
/** The list's heads expire after a day. */
const MAX_LIFETIME_MS = 7 * 86_400_000
/** How far a mirror or another node of the list may be behind. */
const MAX_LAG_MS = 60_000
/** Limits of a list: about 300,000 servers. */
const MAX_CHUNKS = 10_000
const MAX_CHUNK_BYTES = 4 * 1024 * 1024
const MAX_LIST_BYTES = 256 * 1024 * 1024

interface OnlineKey {
  readonly key: PublicKey
  readonly from: number
  readonly until: number
}

interface TrustedKeys {
  readonly root: string
  readonly version: number
  readonly keys: readonly OnlineKey[]
}

export interface ChunkEntry {
  readonly sha256: string
  readonly bytes: number
}

export interface Head {
  /** Milliseconds since 1970, always rising. */
  readonly version: number
  readonly time: string
  readonly expires: string
  readonly chunks: readonly ChunkEntry[]
  readonly mirrors: readonly string[]
}

/** A head that is right, but may be older than one that was seen. */
export interface VerifiedHead {
  readonly head: Head
  readonly signer: string
  readonly trusted: TrustedKeys
}

type Fields = Readonly<Record<string, unknown>>

export class Verifier {
  readonly #keys = new Keys()
  readonly #publicKey: string
  #state: SignedState | undefined

  /** @param state of an earlier run; of another public key, it does not count. */
  constructor(publicKey: string, state?: SignedState) {
    if (typeof publicKey !== 'string' || publicKey === '') throw new TypeError('publicKey is missing.')
    this.#publicKey = publicKey.trim()
    this.#state = state?.publicKey === this.#publicKey ? state : undefined
  }

  get state(): SignedState | undefined {
    return this.#state
  }

  /** Rejects with a clause about the source, such as "its head has expired". */
  async verify(keyNotes: string, headNote: string, now: number): Promise<VerifiedHead> {
    const trusted = await about('key notes', this.#verifyKeys(keyNotes))
    if (trusted.version < (this.#state?.keys ?? 0)) throw new Error('its key notes are older than ones seen before')
    const verified = await about('head', this.#verifyHead(headNote, trusted, now))
    if (verified.head.version < this.#minVersion(trusted)) throw new Error('its head is older than one seen before')
    return verified
  }

  /** Call it once the whole list of the head is verified. */
  remember({ head, signer, trusted }: VerifiedHead): void {
    const { root, version: keys } = trusted
    const highest =
      this.#state !== undefined && this.#minVersion(trusted) > 0 && head.version < this.#state.version ? this.#state : undefined
    const { version, signer: of } = highest ?? { version: head.version, signer }
    this.#state = { publicKey: this.#publicKey, root, keys, version, signer: of, mirrors: head.mirrors }
  }

  /** A stolen key could sign a version that no later one reaches. So versions of a key that was revoked don't count. */
  #minVersion({ keys }: TrustedKeys): number {
    const { version, signer } = this.#state ?? { version: 0, signer: '' }
    return keys.some(({ key }) => key.text === signer) ? version - MAX_LAG_MS : 0
  }

  /** Follows the notes from the root key that is known to the current one. */
  async #verifyKeys(text: string): Promise<TrustedKeys> {
    let root = await this.#keys.import(this.#state?.root ?? this.#publicKey)
    let trusted: TrustedKeys | undefined
    for (const note of parseNotes(text)) {
      const { version, root: named, keys } = fieldsOf(note.text)
      if (!(await isSignedBy(note, root))) {
        // It is of a root key before the known one.
        if (trusted === undefined) continue
        throw new Error('the root key has not signed them')
      }
      if (!isVersion(version) || typeof named !== 'string' || !Array.isArray(keys)) throw new Error('they are malformed')
      if (trusted !== undefined && version <= trusted.version) throw new Error('they are not in order')
      root = await this.#keys.import(named)
      if (!(await isSignedBy(note, root))) throw new Error('the root key has not signed them')
      trusted = { root: named, version, keys: await Promise.all(keys.map((key) => this.#onlineKey(key))) }
    }
    if (trusted === undefined) throw new Error('they are not of this public key')
    return trusted
  }

  async #onlineKey(row: unknown): Promise<OnlineKey> {
    const { key, from, until } = Object(row) as Fields
    const times = [from, until].map(timeOf)
    return { key: await this.#keys.import(String(key)), from: times[0] ?? NaN, until: times[1] ?? NaN }
  }

  async #verifyHead(text: string, trusted: TrustedKeys, now: number): Promise<VerifiedHead> {
    const [note, ...more] = parseNotes(text)
    if (note === undefined || more.length > 0) throw new Error('it is not one note')
    const signed = await Promise.all(trusted.keys.map(({ key }) => isSignedBy(note, key)))
    const signer = trusted.keys[signed.indexOf(true)]
    if (signer === undefined) throw new Error('no valid key has signed it')
    const head = headOf(fieldsOf(note.text))
    const [time, expires] = [timeOf(head.time), timeOf(head.expires)]
    if (!(time >= signer.from && time <= signer.until)) throw new Error('its key was not valid at that time')
    if (time > now + MAX_CLOCK_ERROR_MS) throw new Error('it is from the future. Is the clock of this machine right?')
    if (expires < now - MAX_CLOCK_ERROR_MS) throw new Error(`it expired at ${head.expires}. Is the clock of this machine right?`)
    if (!(expires > time && expires <= time + MAX_LIFETIME_MS)) throw new Error('it expires too late')
    return { head, signer: signer.key.text, trusted }
  }
}

/** Rejects unless the bytes are the chunk. Returns its servers. */
export async function verifyChunk(bytes: Uint8Array, entry: ChunkEntry): Promise<readonly ListedServer[]> {
  if (bytes.length !== entry.bytes || hexOf(await sha256(bytes)) !== entry.sha256)
    throw new Error('a chunk is not the one that its head names')
  const rows = jsonOf(new TextDecoder().decode(bytes))
  if (!Array.isArray(rows)) throw new Error('a chunk is not a list')
  return rows as readonly ListedServer[]
}

async function about<T>(what: string, verified: Promise<T>): Promise<T> {
  try {
    return await verified
  } catch (error) {
    throw new Error(`its ${what} cannot be trusted: ${(error as Error).message}`)
  }
}

function headOf({ version, time, expires, chunks, mirrors }: Fields): Head {
  const entries = (Array.isArray(chunks) ? chunks : []).map((row) => Object(row) as ChunkEntry)
  const areChunks = entries.every(({ sha256: hash, bytes }) => /^[0-9a-f]{64}$/.test(hash) && isVersion(bytes) && bytes <= MAX_CHUNK_BYTES)
  const areTexts = Array.isArray(mirrors) && mirrors.every((url) => typeof url === 'string')
  if (!Array.isArray(chunks) || !areChunks || !areTexts || !isVersion(version) || typeof time !== 'string' || typeof expires !== 'string')
    throw new Error('it is malformed')
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0)
  if (entries.length > MAX_CHUNKS || bytes > MAX_LIST_BYTES) throw new Error('its list is too large')
  return { version, time, expires, chunks: entries, mirrors }
}

const isVersion = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0

/** NaN for anything but a time, which then compares as wrong. */
const timeOf = (value: unknown): number => (typeof value === 'string' ? Date.parse(value) : NaN)

const fieldsOf = (text: string) => Object(jsonOf(text)) as Fields

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
