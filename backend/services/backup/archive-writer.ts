/** Writes a backup's archive. The file has its name only once it is complete and on the disk. */
import { hash, randomBytes } from 'node:crypto'
import { createWriteStream, existsSync, rmSync } from 'node:fs'
import { link, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import { type Pack, pack } from 'tar-stream'
import { CHECKSUMS } from './archive.ts'

/** Zstandard's default: higher levels save little and take much longer. */
const COMPRESSION_LEVEL = 3

export class ArchiveWriter {
  readonly #file: string
  readonly #partial: string
  readonly #created: Date
  readonly #tar: Pack = pack()
  readonly #sums: string[] = []
  readonly #written: Promise<void>

  /** Throws a sentence if the file exists. */
  constructor(file: string, created: Date) {
    if (existsSync(file)) throw existing(file)
    this.#file = file
    this.#partial = `${file}.${randomBytes(6).toString('hex')}.part`
    process.once('exit', this.#removePartial)
    this.#created = created
    this.#written = pipeline(
      this.#tar,
      createZstdCompress({
        params: { [constants.ZSTD_c_compressionLevel]: COMPRESSION_LEVEL, [constants.ZSTD_c_checksumFlag]: 1 },
      }),
      // It contains secrets.
      createWriteStream(this.#partial, { flags: 'wx', mode: 0o600, flush: true }),
    ).catch((error: unknown) => {
      throw new Error(`${file} can't be written.`, { cause: error })
    })
    // Reported by the call that waits for it.
    this.#written.catch(() => undefined)
  }

  /** A signal ends the program without an error. */
  readonly #removePartial = () => rmSync(this.#partial, { force: true })

  /** Resolves when the archive can take another part. Rejects if the file can't be written. */
  async add(name: string, bytes: Buffer): Promise<void> {
    this.#sums.push(`${hash('sha256', bytes)}  ${name}\n`)
    await this.#append(name, bytes)
  }

  /** Resolves when the file is complete, on the disk, and has its name. */
  async finish(): Promise<void> {
    await this.#append(CHECKSUMS, Buffer.from(this.#sums.join('')))
    this.#tar.finalize()
    await this.#written
    await moveWithoutReplacing(this.#partial, this.#file)
    process.off('exit', this.#removePartial)
  }

  /** Deletes what is written so far. */
  async discard(): Promise<void> {
    this.#tar.destroy()
    await this.#written.catch(() => undefined)
    await rm(this.#partial, { force: true })
    process.off('exit', this.#removePartial)
  }

  async #append(name: string, bytes: Buffer): Promise<void> {
    const { promise: isTaken, resolve } = Promise.withResolvers<void>()
    try {
      this.#tar.entry({ name, size: bytes.length, mode: 0o600, mtime: this.#created }, bytes, () => resolve())
    } catch (error) {
      // Something else has ended the archive before, which is the reason.
      await this.#written
      throw error
    }
    // If the disk is full, the pipeline rejects, and the entry never ends.
    await Promise.race([isTaken, this.#written])
  }
}

const existing = (file: string) => new Error(`${file} already exists. Choose another name: a backup never replaces a file.`)

async function moveWithoutReplacing(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
    await rm(from)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw existing(to)
    // Some file systems have no links, such as exFAT.
    await rename(from, to)
  }
}
