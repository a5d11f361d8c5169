/** A cache of base64 images and compressed themes with a hard memory limit. `lru-cache` can't pin entries in use, or reject. */
import { addAbortSignal } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { StringDecoder } from 'node:string_decoder'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import type { ImageStorage } from '#backend/core/images/storage.ts'
import type { Encoding } from '#backend/platform/http/negotiation.ts'

const MAX_BYTES = 64 * 1024 * 1024
/** Far more than a working storage needs for a few megabytes. */
const READ_TIMEOUT_MS = 20_000
/** Larger themes are mostly images, for which a search for repetitions takes four times as long and finds none. */
const MOSTLY_IMAGES_BYTES = 64 * 1024
const CHUNK_BYTES = 64 * 1024

export interface ImageFile {
  readonly file: string
  readonly bytes: number
}

/** Stays in the cache until it is released. */
interface Acquired<T> {
  readonly value: T
  /** Call once, after sending. */
  readonly release: () => void
}

interface Entry {
  /** Bytes; 0 once the file turns out to be missing. */
  size: number
  readonly reading: Promise<Buffer | undefined>
  /** Number of readers and senders. Evicted only at 0. */
  users: number
}

interface CacheRead {
  readonly size: number
  readonly read: () => Promise<Buffer | undefined>
}

export const EMPTY = Buffer.alloc(0)

export const base64Length = (bytes: number) => Math.ceil(bytes / 3) * 4

export class ThemeImageCache {
  readonly #storage: Pick<ImageStorage, 'open'>
  readonly #max: number
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry>()
  #bytes = 0
  #bytesInUse = 0
  #isBuilding = false

  constructor(storage: Pick<ImageStorage, 'open'>, max = MAX_BYTES) {
    this.#storage = storage
    this.#max = max
  }

  /**
   * Returns images in order: an empty buffer for undefined, and undefined for a lost file. Returns undefined if memory is short. Throws if
   * the storage fails.
   */
  acquire(images: readonly (ImageFile | undefined)[]): Promise<Acquired<readonly (Buffer | undefined)[]> | undefined> {
    const files = images.filter((image) => image !== undefined)
    return this.#acquireAll(
      new Map(files.map(({ file, bytes }) => [file, { size: base64Length(bytes), read: () => this.#read(file, bytes) }])),
      (entries) => Promise.all(images.map(async (image) => (image === undefined ? EMPTY : entries.get(image.file)?.reading))),
    )
  }

  /**
   * Returns the result of `build`, shared by concurrent callers. Undefined if memory is short, if another result is being built, or if `build`
   * returns undefined.
   * @param key must not be a file name. @param max the maximum size in bytes.
   */
  async acquireBuilt(key: string, max: number, build: () => Promise<Buffer | undefined>): Promise<Acquired<Buffer> | undefined> {
    if (this.#isBuilding && !this.#entries.has(key)) return undefined
    const read = () => {
      this.#isBuilding = true
      return build().finally(() => {
        this.#isBuilding = false
      })
    }
    const acquired = await this.#acquireAll(new Map([[key, { size: max, read }]]), async (entries) => entries.get(key)?.reading)
    if (acquired?.value !== undefined) return { value: acquired.value, release: acquired.release }
    acquired?.release()
    return undefined
  }

  async #acquireAll<T>(
    reads: ReadonlyMap<string, CacheRead>,
    valueOf: (entries: ReadonlyMap<string, Entry>) => Promise<T>,
  ): Promise<Acquired<T> | undefined> {
    const entries = this.#tryAcquire(reads)
    if (entries === undefined) return undefined
    const release = () => {
      for (const entry of entries.values()) this.#release(entry)
    }
    try {
      return { value: await valueOf(entries), release }
    } catch (error) {
      release()
      throw error
    }
  }

  #tryAcquire(reads: ReadonlyMap<string, CacheRead>): ReadonlyMap<string, Entry> | undefined {
    const acquired = new Map<string, Entry>()
    let missing = 0
    for (const [key, { size }] of reads) {
      const existing = this.#entries.get(key)
      if (existing === undefined) missing += size
      else acquired.set(key, this.#use(existing))
    }
    if (!this.#evictFor(missing)) {
      for (const entry of acquired.values()) this.#release(entry)
      return undefined
    }
    for (const [key, read] of reads) {
      const entry = acquired.get(key) ?? this.#startReading(key, read)
      this.#entries.delete(key)
      this.#entries.set(key, entry)
      acquired.set(key, entry)
    }
    return acquired
  }

  #evictFor(size: number): boolean {
    if (this.#bytesInUse + size > this.#max) return false
    for (const [key, entry] of this.#entries) {
      if (this.#bytes + size <= this.#max) break
      if (entry.users > 0) continue
      this.#entries.delete(key)
      this.#bytes -= entry.size
    }
    return true
  }

  /** The entry starts with two users: the caller, and the read itself, which may take longer. */
  #startReading(key: string, { size, read }: CacheRead): Entry {
    const reading = read()
    const entry = this.#use(this.#use({ size, reading, users: 0 }))
    this.#bytes += size
    const onRead = (bytes: Buffer | undefined) => {
      const freed = entry.size - (bytes?.length ?? 0)
      this.#bytes -= freed
      this.#bytesInUse -= freed
      entry.size -= freed
      // The next caller retries.
      if (bytes === undefined) this.#entries.delete(key)
      this.#release(entry)
    }
    reading.then(onRead, () => onRead(undefined))
    return entry
  }

  #use(entry: Entry): Entry {
    if (entry.users === 0) this.#bytesInUse += entry.size
    entry.users += 1
    return entry
  }

  #release(entry: Entry): void {
    entry.users -= 1
    if (entry.users === 0) this.#bytesInUse -= entry.size
  }

  /** Also undefined if the size differs from the uploaded file. */
  async #read(file: string, bytes: number): Promise<Buffer | undefined> {
    const stored = await this.#storage.open(file)
    if (stored === undefined) return undefined
    const base64 = Buffer.allocUnsafeSlow(base64Length(bytes))
    const decoder = new StringDecoder('base64')
    let [read, written] = [0, 0]
    const body: AsyncIterable<Buffer> = addAbortSignal(AbortSignal.timeout(READ_TIMEOUT_MS), stored.body)
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

/** Compresses in the thread pool. For images this recovers the quarter that base64 adds. @param bytes total of all parts. */
export function compressTheme(parts: readonly Buffer[], bytes: number, encoding: Exclude<Encoding, 'identity'>): Promise<Buffer> {
  const isMostlyImages = bytes > MOSTLY_IMAGES_BYTES
  const compressor =
    encoding === 'gzip'
      ? createGzip({ chunkSize: CHUNK_BYTES, strategy: isMostlyImages ? constants.Z_HUFFMAN_ONLY : constants.Z_DEFAULT_STRATEGY })
      : createBrotliCompress({
          chunkSize: CHUNK_BYTES,
          params: { [constants.BROTLI_PARAM_QUALITY]: isMostlyImages ? 1 : 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes },
        })
  return pipeline(parts, compressor, buffer)
}
