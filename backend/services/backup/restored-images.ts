/** The images of a backup while it is restored. */
import type { Db } from '#backend/platform/database/open.ts'
import { MISSING_IMAGES, imageOf } from './archive.ts'
import type { Part } from './archive-reader.ts'
import type { RestoreOptions } from './restore-backup.ts'

/** Stores the images that the database names. */
export class RestoredImages {
  readonly #trx: Db
  readonly #options: RestoreOptions
  readonly stored = new Set<string>()
  readonly missing = new Set<string>()
  #expected: ReadonlySet<string> | undefined

  constructor(trx: Db, options: RestoreOptions) {
    this.#trx = trx
    this.#options = options
  }

  /** False if the part is not about images. Call it after all rows. */
  async take(part: Part): Promise<boolean> {
    if (part.name === MISSING_IMAGES) {
      for (const [file] of part.bytes.toString().matchAll(/.+/g)) this.missing.add(file)
      return true
    }
    const file = imageOf(part.name)
    if (file === undefined || !(await this.#files()).has(file)) return false
    this.#options.onProgress(`image ${this.stored.size + 1}`)
    await this.#options.storeImage(file, part.bytes)
    this.stored.add(file)
    return true
  }

  async compare(): Promise<void> {
    for (const file of await this.#files())
      if (!this.stored.has(file) && !this.missing.has(file))
        throw new Error(`${this.#options.file} is damaged: the image ${file} is missing.`)
  }

  async #files(): Promise<ReadonlySet<string>> {
    if (this.#expected === undefined) {
      const rows = await this.#trx.selectFrom('images').select('file').distinct().execute()
      this.#expected = new Set(rows.map(({ file }) => file))
    }
    return this.#expected
  }
}
