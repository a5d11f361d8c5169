/**
 * The pictures of skins in base64, one buffer a file for however many skins and readers, and what is made of them, whole skins compressed:
 * those that are sent just now, and of the others as many as there is room for. What has no room beside those that are sent is not read at
 * all, so memory does not grow with readers.
 */
import { addAbortSignal } from 'node:stream'
import type { Storage } from '#backend/features/images/storage.ts'

const MOST_BYTES = 64 * 1024 * 1024
/** Far more than any storage that works takes for some megabytes. */
const READ_WITHIN_MS = 20_000

export interface PictureFile {
  readonly file: string
  /** Its size, before base64. */
  readonly bytes: number
}

export interface HeldPictures {
  /** In the order they were asked for: empty where none was, undefined where the storage has lost it. */
  readonly base64: readonly (Buffer | undefined)[]
  /** To be called once, when nobody sends them any more. */
  readonly release: () => void
}

export interface HeldMade {
  readonly made: Buffer
  /** To be called once, when nobody sends it any more. */
  readonly release: () => void
}

interface Kept {
  /** Of its bytes; 0 once it turned out that there is none. */
  size: number
  readonly reading: Promise<Buffer | undefined>
  /** How many read it or send it. */
  users: number
}

interface Wanted {
  /** At the most. */
  readonly size: number
  readonly read: () => Promise<Buffer | undefined>
}

const NOTHING = Buffer.alloc(0)

/** How long so many bytes are in base64. */
export const base64Length = (bytes: number) => Math.ceil(bytes / 3) * 4

export class SkinPictures {
  readonly #storage: Pick<Storage, 'open'>
  readonly #most: number
  /** Last asked for is last in the map's order, so the front goes first. */
  readonly #kept = new Map<string, Kept>()
  #bytes = 0
  #bytesInUse = 0
  #isMaking = false

  /** @param most bytes at any time. */
  constructor(storage: Pick<Storage, 'open'>, most = MOST_BYTES) {
    this.#storage = storage
    this.#most = most
  }

  /** Answers undefined where there is no room for them beside those that are sent. Throws where the storage can't be asked. */
  async hold(wanted: readonly (PictureFile | undefined)[]): Promise<HeldPictures | undefined> {
    const wantedOf = ({ file, bytes }: PictureFile): Wanted => ({ size: base64Length(bytes), read: () => this.#read(file, bytes) })
    const held = this.#take(new Map(wanted.flatMap((one) => (one === undefined ? [] : [[one.file, wantedOf(one)]]))))
    if (held === undefined) return undefined
    const release = () => {
      for (const kept of held.values()) this.#letGo(kept)
    }
    try {
      const base64 = await Promise.all(wanted.map(async (one) => (one === undefined ? NOTHING : held.get(one.file)?.reading)))
      return { base64, release }
    } catch (error) {
      release()
      throw error
    }
  }

  /**
   * Holds what is made of pictures, in the room that they share: made once for all who ask for it, and one at a time. Answers undefined
   * where another one is being made, where there is no room, and where `make` makes nothing. Throws where `make` does.
   * @param key no file's name.
   * @param most bytes that it can have.
   */
  async holdMade(key: string, most: number, make: () => Promise<Buffer | undefined>): Promise<HeldMade | undefined> {
    if (this.#isMaking && !this.#kept.has(key)) return undefined
    const kept = this.#take(new Map([[key, { size: most, read: () => this.#alone(make) }]]))?.get(key)
    if (kept === undefined) return undefined
    const release = () => this.#letGo(kept)
    let made: Buffer | undefined
    try {
      made = await kept.reading
    } finally {
      if (made === undefined) release()
    }
    return made === undefined ? undefined : { made, release }
  }

  async #alone(make: () => Promise<Buffer | undefined>): Promise<Buffer | undefined> {
    this.#isMaking = true
    try {
      return await make()
    } finally {
      this.#isMaking = false
    }
  }

  /** All of them or none. */
  #take(wanted: ReadonlyMap<string, Wanted>): ReadonlyMap<string, Kept> | undefined {
    const held = new Map<string, Kept>()
    let missing = 0
    for (const [key, { size }] of wanted) {
      const known = this.#kept.get(key)
      if (known === undefined) missing += size
      else held.set(key, this.#use(known))
    }
    if (!this.#makeRoom(missing)) {
      for (const kept of held.values()) this.#letGo(kept)
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
    if (this.#bytesInUse + size > this.#most) return false
    for (const [key, kept] of this.#kept) {
      if (this.#bytes + size <= this.#most) break
      if (kept.users > 0) continue
      this.#kept.delete(key)
      this.#bytes -= kept.size
    }
    return true
  }

  /** Its two users are whoever asks for it and the reading itself, which may outlast him. */
  #begin(key: string, { size, read }: Wanted): Kept {
    const reading = read()
    const kept = this.#use(this.#use({ size, reading, users: 0 }))
    this.#bytes += size
    const settle = (bytes: Buffer | undefined) => {
      const less = kept.size - (bytes?.length ?? 0)
      this.#bytes -= less
      this.#bytesInUse -= less
      kept.size -= less
      // The next one looks again.
      if (bytes === undefined) this.#kept.delete(key)
      this.#letGo(kept)
    }
    reading.then(settle, () => settle(undefined))
    return kept
  }

  #use(kept: Kept): Kept {
    if (kept.users === 0) this.#bytesInUse += kept.size
    kept.users += 1
    return kept
  }

  #letGo(kept: Kept): void {
    kept.users -= 1
    if (kept.users === 0) this.#bytesInUse -= kept.size
  }

  /** Undefined also for one of another size than it should have: it is not what was uploaded. */
  async #read(file: string, bytes: number): Promise<Buffer | undefined> {
    const stored = await this.#storage.open(file)
    if (stored === undefined) return undefined
    const base64 = Buffer.allocUnsafeSlow(base64Length(bytes))
    let [read, written] = [0, 0]
    let rest: Buffer = NOTHING
    const body: AsyncIterable<Buffer> = addAbortSignal(AbortSignal.timeout(READ_WITHIN_MS), stored.body)
    for await (const part of body) {
      read += part.length
      // To leave the loop is to end the reading.
      if (read > bytes) return undefined
      const chunk = rest.length === 0 ? part : Buffer.concat([rest, part])
      const whole = chunk.length - (chunk.length % 3)
      written += base64.write(chunk.toString('base64', 0, whole), written, 'latin1')
      rest = chunk.subarray(whole)
    }
    base64.write(rest.toString('base64'), written, 'latin1')
    return read === bytes ? base64 : undefined
  }
}
