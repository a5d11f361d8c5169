/** A cache of pictures in base64 and of compressed skins with a hard memory limit. `lru-cache` can't pin what is being sent, nor reject. */
import { addAbortSignal } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { StringDecoder } from 'node:string_decoder'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import type { ImageStorage } from '#backend/features/images/storage.ts'
import type { Encoding } from '#backend/platform/http/negotiation.ts'

const MAX_BYTES = 64 * 1024 * 1024
/** Far more than a working storage takes for some megabytes. */
const READ_WITHIN_MS = 20_000
/** Larger skins are mostly pictures, in which a search for repetitions costs four times as much and finds none. */
const MOSTLY_PICTURES_BYTES = 64 * 1024
const CHUNK_BYTES = 64 * 1024

export interface ImageFile {
  readonly file: string
  readonly bytes: number
}

/** Stays in the cache until it is released. */
interface Held<T> {
  readonly value: T
  /** Call once, when it is sent. */
  readonly release: () => void
}

interface Kept {
  /** In bytes; 0 once it turns out to be missing. */
  size: number
  readonly reading: Promise<Buffer | undefined>
  /** How many read or send it; it is evicted only at 0. */
  users: number
}

interface Wanted {
  readonly size: number
  readonly read: () => Promise<Buffer | undefined>
}

export const EMPTY = Buffer.alloc(0)

export const base64Length = (bytes: number) => Math.ceil(bytes / 3) * 4

export class ThemeImageCache {
  readonly #storage: Pick<ImageStorage, 'open'>
  readonly #max: number
  /** The least recently used first. */
  readonly #kept = new Map<string, Kept>()
  #bytes = 0
  #bytesInUse = 0
  #isMaking = false

  constructor(storage: Pick<ImageStorage, 'open'>, max = MAX_BYTES) {
    this.#storage = storage
    this.#max = max
  }

  /** Pictures in order: empty for undefined, undefined for a lost one. Undefined as a whole without room. Throws where the storage fails. */
  acquire(wanted: readonly (ImageFile | undefined)[]): Promise<Held<readonly (Buffer | undefined)[]> | undefined> {
    const files = wanted.filter((one) => one !== undefined)
    return this.#holdAll(
      new Map(files.map(({ file, bytes }) => [file, { size: base64Length(bytes), read: () => this.#read(file, bytes) }])),
      (kept) => Promise.all(wanted.map(async (one) => (one === undefined ? EMPTY : kept.get(one.file)?.reading))),
    )
  }

  /**
   * What `make` makes, once for all who ask. Undefined without room, while another one is being made, and where `make` makes nothing.
   * @param key must not be a file's name. @param max its maximum size in bytes.
   */
  async acquireMade(key: string, max: number, make: () => Promise<Buffer | undefined>): Promise<Held<Buffer> | undefined> {
    if (this.#isMaking && !this.#kept.has(key)) return undefined
    const read = () => {
      this.#isMaking = true
      return make().finally(() => {
        this.#isMaking = false
      })
    }
    const held = await this.#holdAll(new Map([[key, { size: max, read }]]), async (kept) => kept.get(key)?.reading)
    if (held?.value !== undefined) return { value: held.value, release: held.release }
    held?.release()
    return undefined
  }

  async #holdAll<T>(
    wanted: ReadonlyMap<string, Wanted>,
    valueOf: (kept: ReadonlyMap<string, Kept>) => Promise<T>,
  ): Promise<Held<T> | undefined> {
    const kept = this.#take(wanted)
    if (kept === undefined) return undefined
    const release = () => {
      for (const one of kept.values()) this.#release(one)
    }
    try {
      return { value: await valueOf(kept), release }
    } catch (error) {
      release()
      throw error
    }
  }

  #take(wanted: ReadonlyMap<string, Wanted>): ReadonlyMap<string, Kept> | undefined {
    const held = new Map<string, Kept>()
    let missing = 0
    for (const [key, { size }] of wanted) {
      const known = this.#kept.get(key)
      if (known === undefined) missing += size
      else held.set(key, this.#use(known))
    }
    if (!this.#makeRoom(missing)) {
      for (const kept of held.values()) this.#release(kept)
      return undefined
    }
    for (const [key, one] of wanted) {
      const kept = held.get(key) ?? this.#begin(key, one)
      this.#kept.delete(key)
      this.#kept.set(key, kept)
      held.set(key, kept)
    }
    return held
  }

  #makeRoom(size: number): boolean {
    if (this.#bytesInUse + size > this.#max) return false
    for (const [key, kept] of this.#kept) {
      if (this.#bytes + size <= this.#max) break
      if (kept.users > 0) continue
      this.#kept.delete(key)
      this.#bytes -= kept.size
    }
    return true
  }

  /** It has two users: the caller, and the reading itself, which may take longer. */
  #begin(key: string, { size, read }: Wanted): Kept {
    const reading = read()
    const kept = this.#use(this.#use({ size, reading, users: 0 }))
    this.#bytes += size
    const settle = (bytes: Buffer | undefined) => {
      const less = kept.size - (bytes?.length ?? 0)
      this.#bytes -= less
      this.#bytesInUse -= less
      kept.size -= less
      // The next caller tries again.
      if (bytes === undefined) this.#kept.delete(key)
      this.#release(kept)
    }
    reading.then(settle, () => settle(undefined))
    return kept
  }

  #use(kept: Kept): Kept {
    if (kept.users === 0) this.#bytesInUse += kept.size
    kept.users += 1
    return kept
  }

  #release(kept: Kept): void {
    kept.users -= 1
    if (kept.users === 0) this.#bytesInUse -= kept.size
  }

  /** Undefined also for another size than was uploaded. */
  async #read(file: string, bytes: number): Promise<Buffer | undefined> {
    const stored = await this.#storage.open(file)
    if (stored === undefined) return undefined
    const base64 = Buffer.allocUnsafeSlow(base64Length(bytes))
    const decoder = new StringDecoder('base64')
    let [read, written] = [0, 0]
    const body: AsyncIterable<Buffer> = addAbortSignal(AbortSignal.timeout(READ_WITHIN_MS), stored.body)
    for await (const part of body) {
      read += part.length
      // Leaving the loop destroys the stream.
      if (read > bytes) return undefined
      written += base64.write(decoder.write(part), written, 'latin1')
    }
    base64.write(decoder.end(), written, 'latin1')
    return read === bytes ? base64 : undefined
  }
}

/** Compresses in the thread pool; on pictures it regains the quarter that base64 adds. @param bytes of all parts together. */
export function compressTheme(parts: readonly Buffer[], bytes: number, encoding: Exclude<Encoding, 'identity'>): Promise<Buffer> {
  const isPictures = bytes > MOSTLY_PICTURES_BYTES
  const packing =
    encoding === 'gzip'
      ? createGzip({ chunkSize: CHUNK_BYTES, strategy: isPictures ? constants.Z_HUFFMAN_ONLY : constants.Z_DEFAULT_STRATEGY })
      : createBrotliCompress({
          chunkSize: CHUNK_BYTES,
          params: { [constants.BROTLI_PARAM_QUALITY]: isPictures ? 1 : 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes },
        })
  return pipeline(parts, packing, buffer)
}
