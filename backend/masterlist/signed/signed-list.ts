/** The signed list: a head that names chunks by their hash, signed by the online key. Built when someone reads it, and then shared. */
import { hash } from 'node:crypto'
import { serializeRows } from '#backend/masterlist/lists/list-bodies.ts'
import type { Snapshots } from '#backend/masterlist/lists/snapshot.ts'
import type { PublishedRow } from '#backend/masterlist/registry/listed-row.ts'
import type { Clock } from '#backend/platform/clock.ts'
import { type KeyNotes, endOfKey } from '#backend/platform/signing/key-notes.ts'
import { type PrivateKey, signNote } from '#backend/platform/signing/signed-note.ts'
import { FormerChunks } from './former-chunks.ts'
import { partition } from './partition.ts'
import type { PublishedNotes } from './publisher.ts'
import { Chunk, type SignedFile, textFile } from './signed-file.ts'

/** A head is shared for this time, up to 10,000 servers. Beyond that, the time grows with the number of servers. */
const HEAD_MS = 1000
const SERVERS_PER_HEAD_MS = 10_000
/** Readers reject a head after this time, so that nobody can show them an old list forever. */
const LIFETIME_MS = 24 * 3_600_000

/** What a head says. */
export interface HeadText {
  /** Milliseconds since 1970 when it was signed. Always higher than before, even if the clock was set back. */
  readonly version: number
  readonly time: string
  readonly expires: string
  readonly chunks: readonly { readonly sha256: string; readonly bytes: number }[]
  readonly mirrors: readonly string[]
  /** Reserved for the head of a hash chain of the audit log. */
  readonly audit: null
}

export interface SignedHead {
  readonly version: number
  /** The signed note. */
  readonly note: string
  readonly file: SignedFile
  readonly chunks: readonly Chunk[]
}

interface Options {
  readonly key: PrivateKey
  readonly keys: KeyNotes
  readonly mirrors: readonly string[]
  readonly snapshots: Pick<Snapshots, 'current'>
  readonly clock: Clock
}

/** The online key's validity has ended, so readers would reject what it signs. */
export class KeyEnded extends Error {
  override readonly name = 'KeyEnded'
  constructor(end: Date) {
    super(`the signing key expired at ${end.toISOString()}, set a new SIGNING_KEY`)
  }
}

export class SignedList {
  readonly keys: KeyNotes
  readonly keysFile: SignedFile
  readonly #options: Options
  readonly #endsAt: Date
  #head: SignedHead | undefined
  #signedAt = 0
  #sharedForMs = 0
  #building: Promise<SignedHead> | undefined
  /** The rows of each chunk of the head. */
  #rows = new Map<Chunk, readonly PublishedRow[]>()
  readonly #former: FormerChunks
  /** How long the last build took, without the time in which others ran, and the signature in it. */
  lastBuildMs = 0
  lastSignMs = 0

  constructor(options: Options) {
    this.#options = options
    this.keys = options.keys
    this.keysFile = textFile('keys', options.keys.text)
    this.#endsAt = endOfKey(options.keys, options.key.publicKey) ?? new Date(0)
    this.#former = new FormerChunks(options.clock)
  }

  /** Seconds since the last head was signed; undefined before the first. */
  get ageSeconds(): number | undefined {
    return this.#head === undefined ? undefined : (this.#options.clock.uptime() - this.#signedAt) / 1000
  }

  /** The current head. Concurrent readers share a build. Rejects with `KeyEnded`. */
  async head(): Promise<SignedHead> {
    if (this.#head !== undefined && this.#options.clock.uptime() - this.#signedAt < this.#sharedForMs) return this.#head
    this.#building ??= this.#build().finally(() => {
      this.#building = undefined
    })
    return this.#building
  }

  /** What to publish. */
  async notes(): Promise<PublishedNotes> {
    const { version, note, chunks } = await this.head()
    return { version, note, chunks, keyNotes: this.keys.text }
  }

  /** A chunk of the head or of a former one. */
  chunk(sha256: string): Chunk | undefined {
    return this.#head?.chunks.find((chunk) => chunk.sha256 === sha256) ?? this.#former.get(sha256)
  }

  async #build(): Promise<SignedHead> {
    const { clock, key, mirrors, snapshots } = this.#options
    const signedAt = clock.uptime()
    const now = Math.floor(clock.now())
    if (now > this.#endsAt.getTime()) throw new KeyEnded(this.#endsAt)
    const { rows } = snapshots.current()
    const chunks = await this.#chunksOf(rows)
    const version = Math.max(now, (this.#head?.version ?? 0) + 1)
    const text: HeadText = {
      version,
      time: new Date(now).toISOString(),
      expires: new Date(now + LIFETIME_MS).toISOString(),
      chunks: chunks.map(({ sha256, bytes }) => ({ sha256, bytes })),
      mirrors,
      audit: null,
    }
    const began = performance.now()
    const note = signNote(JSON.stringify(text), [key])
    this.lastSignMs = performance.now() - began
    this.#former.retire(this.#head?.chunks ?? [], chunks)
    this.#head = { version, note, file: textFile('head', note), chunks }
    this.#signedAt = signedAt
    this.#sharedForMs = HEAD_MS * Math.max(1, rows.length / SERVERS_PER_HEAD_MS)
    return this.#head
  }

  /** Chunks whose rows are the same stay the same. */
  async #chunksOf(rows: readonly PublishedRow[]): Promise<readonly Chunk[]> {
    await serializeRows(rows)
    const previous = new Map([...this.#rows].map(([chunk, own]) => [own[0], { chunk, own }]))
    const began = performance.now()
    const groups = partition(rows)
    let busyMs = performance.now() - began
    const chunks: Chunk[] = []
    for (const own of groups) {
      const known = previous.get(own[0])
      if (known?.own.length === own.length && known.own.every((row, index) => row === own[index])) {
        chunks.push(known.chunk)
        continue
      }
      const chunkBegan = performance.now()
      const raw = bytesOf(own)
      const sha256 = hash('sha256', raw)
      busyMs += performance.now() - chunkBegan
      // Others run meanwhile.
      chunks.push(await Chunk.compress(sha256, raw))
    }
    this.#rows = new Map(chunks.map((chunk, index) => [chunk, groups[index] ?? []]))
    this.lastBuildMs = busyMs
    return chunks
  }
}

/** A JSON array. */
function bytesOf(rows: readonly PublishedRow[]): Buffer {
  return Buffer.from(`[${rows.map((row) => row.json).join(',')}]`)
}
