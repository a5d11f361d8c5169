/**
 * The pictures of skins in base64, one buffer a file for however many skins and readers: those that are sent just now, and of the others
 * as many as there is room for. What has no room beside those that are sent is not read at all, so memory does not grow with readers.
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

interface Picture {
  /** Of its base64; 0 once it turned out that there is none. */
  size: number
  readonly reading: Promise<Buffer | undefined>
  /** How many read it or send it. */
  users: number
}

const NOTHING = Buffer.alloc(0)

/** How long so many bytes are in base64. */
export const base64Length = (bytes: number) => Math.ceil(bytes / 3) * 4

export class SkinPictures {
  readonly #storage: Pick<Storage, 'open'>
  readonly #most: number
  /** Last asked for is last in the map's order, so the front goes first. */
  readonly #pictures = new Map<string, Picture>()
  #bytes = 0
  #bytesInUse = 0

  /** @param most bytes of base64 at any time. */
  constructor(storage: Pick<Storage, 'open'>, most = MOST_BYTES) {
    this.#storage = storage
    this.#most = most
  }

  /** Answers undefined where there is no room for them beside those that are sent. Throws where the storage can't be asked. */
  async hold(wanted: readonly (PictureFile | undefined)[]): Promise<HeldPictures | undefined> {
    const held = this.#take(new Map(wanted.flatMap((one) => (one === undefined ? [] : [[one.file, one.bytes]]))))
    if (held === undefined) return undefined
    const release = () => {
      for (const picture of held.values()) this.#letGo(picture)
    }
    try {
      const base64 = await Promise.all(wanted.map(async (one) => (one === undefined ? NOTHING : held.get(one.file)?.reading)))
      return { base64, release }
    } catch (error) {
      release()
      throw error
    }
  }

  /** All of them or none. */
  #take(files: ReadonlyMap<string, number>): ReadonlyMap<string, Picture> | undefined {
    const held = new Map<string, Picture>()
    let missing = 0
    for (const [file, bytes] of files) {
      const known = this.#pictures.get(file)
      if (known === undefined) missing += base64Length(bytes)
      else held.set(file, this.#use(known))
    }
    if (!this.#makeRoom(missing)) {
      for (const picture of held.values()) this.#letGo(picture)
      return undefined
    }
    for (const [file, bytes] of files) {
      const picture = held.get(file) ?? this.#begin(file, bytes)
      this.#pictures.delete(file)
      this.#pictures.set(file, picture)
      held.set(file, picture)
    }
    return held
  }

  #makeRoom(size: number): boolean {
    if (this.#bytesInUse + size > this.#most) return false
    for (const [file, picture] of this.#pictures) {
      if (this.#bytes + size <= this.#most) break
      if (picture.users === 0) this.#drop(file, picture)
    }
    return true
  }

  /** Its two users are whoever asks for it and the reading itself, which may outlast him. */
  #begin(file: string, bytes: number): Picture {
    const reading = this.#read(file, bytes)
    const picture = this.#use(this.#use({ size: base64Length(bytes), reading, users: 0 }))
    this.#bytes += picture.size
    const settle = (base64: Buffer | undefined) => {
      if (base64 === undefined) {
        // The next one looks again.
        this.#drop(file, picture)
        this.#bytesInUse -= picture.size
        picture.size = 0
      }
      this.#letGo(picture)
    }
    reading.then(settle, () => settle(undefined))
    return picture
  }

  #use(picture: Picture): Picture {
    if (picture.users === 0) this.#bytesInUse += picture.size
    picture.users += 1
    return picture
  }

  #letGo(picture: Picture): void {
    picture.users -= 1
    if (picture.users === 0) this.#bytesInUse -= picture.size
  }

  #drop(file: string, picture: Picture): void {
    this.#pictures.delete(file)
    this.#bytes -= picture.size
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
