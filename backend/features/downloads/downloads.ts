/** What can be downloaded: the newest valid manifest, and for administrators what is wrong with a newer one. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Downloads, Product } from '#contract/downloads.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { ManifestProblem, readManifest } from './manifest.ts'
import { manifestSource, type ManifestSource, type Read } from './manifest-source.ts'

const NOT_CONFIGURED: Downloads = { configured: false, products: [], read_at: null, problem: null }

const LastGood = z.strictObject({
  /** The fingerprint of its source: with another one configured it counts for nothing. */
  source: z.string(),
  read_at: z.iso.datetime(),
  text: z.string(),
})
type LastGood = z.output<typeof LastGood>

/** Rereads the manifest and keeps its validated contents, so that no call waits for the source. */
export class DownloadsManifest {
  readonly #deps: Deps
  readonly #source: ManifestSource | undefined
  /** The last valid manifest, for a restart while the newest can't be read. */
  readonly #lastGoodPath: string
  readonly #closing = new AbortController()
  #products: Product[] | undefined
  #readAt: Date | undefined
  #read: (Read & { readonly problem: string | null }) | undefined
  #problem: string | null = null
  #nextLookAt = -Infinity
  #looking: Promise<void> | undefined

  constructor(deps: Deps) {
    const { DOWNLOADS_MANIFEST: manifest, DATA_DIR } = deps.env
    this.#deps = deps
    this.#source = manifest === undefined ? undefined : manifestSource(manifest)
    this.#lastGoodPath = join(DATA_DIR, 'downloads.last-good.json')
  }

  /** Shows the last good manifest and begins to read the current one. Never fails. */
  async start(): Promise<void> {
    if (this.#source === undefined) return
    const kept = await loadLastGood(this.#lastGoodPath, this.#source.fingerprint)
    try {
      if (kept !== undefined) this.#show(readManifest(kept.text), new Date(kept.read_at))
    } catch {
      // Another version of the program, with other rules, saved it.
    }
    void this.look()
  }

  /** Rereads the manifest when it is time to. Never fails: problems are part of the reply. */
  look(): Promise<void> {
    const { clock } = this.#deps
    if (this.#source === undefined || clock.uptime() < this.#nextLookAt) return this.#looking ?? Promise.resolve()
    this.#nextLookAt = clock.uptime() + this.#source.everyMs
    this.#looking ??= this.#lookAt(this.#source).finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  /** Before anything is shown, it waits for the first look: seconds at most. */
  async shownTo({ isAdmin }: { readonly isAdmin: boolean }): Promise<Downloads> {
    if (this.#source === undefined) return NOT_CONFIGURED
    if (this.#products === undefined) await this.#looking
    return {
      configured: true,
      products: this.#products ?? [],
      read_at: this.#readAt?.toISOString() ?? null,
      problem: isAdmin ? this.#problem : null,
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#nextLookAt = Infinity
    await this.#looking
  }

  async #lookAt(source: ManifestSource): Promise<void> {
    try {
      const read = await source.read(this.#read?.stamp, this.#closing.signal)
      const readAt = new Date(this.#deps.clock.now())
      if (read !== undefined) await this.#take(read, readAt, source)
      this.#say(this.#read?.problem ?? null)
      if (this.#problem === null) this.#readAt = readAt
    } catch (error) {
      if (this.#closing.signal.aborted) return
      if (error instanceof ManifestProblem) this.#say(error.message)
      else this.#say('It can not be read.', error)
    }
  }

  async #take({ text, stamp }: Read, readAt: Date, source: ManifestSource): Promise<void> {
    if (text === this.#read?.text) {
      this.#read = { ...this.#read, stamp }
      return
    }
    try {
      const products = readManifest(text)
      this.#read = { text, stamp, problem: null }
      this.#show(products, readAt)
      const lastGood = { source: source.fingerprint, read_at: readAt.toISOString(), text }
      await saveLastGood(this.#lastGoodPath, lastGood).catch((error: unknown) => {
        this.#deps.log.warn({ err: error }, 'The downloads manifest could not be kept for the next start.')
      })
    } catch (error) {
      if (!(error instanceof ManifestProblem)) throw error
      this.#read = { text, stamp, problem: error.message }
    }
  }

  #show(products: Product[], readAt: Date): void {
    this.#products = products
    this.#readAt = readAt
  }

  #say(problem: string | null, error?: unknown): void {
    if (problem === this.#problem) return
    const { log } = this.#deps
    if (problem === null) log.info('The downloads manifest is right again.')
    else
      log.warn({ problem, ...(error !== undefined && { err: error }) }, 'The downloads manifest can not be used; the last good one stays.')
    this.#problem = problem
  }
}

/** Undefined where nothing was saved of this source, or nothing readable. */
async function loadLastGood(path: string, source: string): Promise<LastGood | undefined> {
  try {
    const saved = LastGood.parse(JSON.parse(await readFile(path, 'utf8')))
    return saved.source === source ? saved : undefined
  } catch {
    return undefined
  }
}

async function saveLastGood(path: string, lastGood: LastGood): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(`${path}.new`, JSON.stringify(lastGood), { mode: 0o600, flush: true })
  await rename(`${path}.new`, path)
}
