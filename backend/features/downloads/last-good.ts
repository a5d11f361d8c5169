/** The last manifest that was right, in the data folder: a restart while the newest can't be read shows what was there before. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'

const Kept = z.strictObject({
  /** Of which source it is: with another one configured it is nobody's. */
  source: z.string(),
  read_at: z.iso.datetime(),
  text: z.string(),
})
type Kept = z.output<typeof Kept>

export class LastGood {
  readonly #path: string

  constructor(dataDir: string) {
    this.#path = join(dataDir, 'downloads.last-good.json')
  }

  /** What was kept of this source; undefined where there is nothing, or nothing that can be read. */
  async load(source: string): Promise<Kept | undefined> {
    try {
      const kept = Kept.parse(JSON.parse(await readFile(this.#path, 'utf8')))
      return kept.source === source ? kept : undefined
    } catch {
      return undefined
    }
  }

  /** Replaces what was kept, whole or not at all. */
  async keep(kept: Kept): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true })
    await writeFile(`${this.#path}.new`, JSON.stringify(kept), { mode: 0o600, flush: true })
    await rename(`${this.#path}.new`, this.#path)
  }
}
