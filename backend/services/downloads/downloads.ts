/** The downloads of the newest valid manifest, and for administrators the problem of a newer invalid one. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Downloads, Product } from '#contract/public-site/downloads.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { ManifestProblem, readManifest } from './manifest.ts'
import { manifestSource, type ManifestSource, type ManifestRead } from './manifest-source.ts'
import { RECOVERED } from '#backend/platform/outage-log.ts'

const NOT_CONFIGURED: Downloads = { configured: false, products: [], read_at: null, problem: null }

const CachedManifest = z.strictObject({
  /** Fingerprint of its source; ignored if another source is configured. */
  source: z.string(),
  read_at: z.iso.datetime(),
  text: z.string(),
})
type CachedManifest = z.output<typeof CachedManifest>

/** Reloads the manifest in the background and caches its products, so that no call waits for the source. */
export class DownloadsManifest {
  readonly #deps: Deps
  readonly #source: ManifestSource | undefined
  /** File with the last valid manifest, for a restart while the source is unavailable. */
  readonly #cachePath: string
  readonly #closing = new AbortController()
  #products: Product[] | undefined
  #readAt: Date | undefined
  #lastRead: (ManifestRead & { readonly problem: string | null }) | undefined
  #problem: string | null = null
  #nextReloadAt = -Infinity
  #reloading: Promise<void> | undefined

  constructor(deps: Deps) {
    const { DOWNLOADS_MANIFEST: manifest, DATA_DIR } = deps.env
    this.#deps = deps
    this.#source = manifest === undefined ? undefined : manifestSource(manifest)
    this.#cachePath = join(DATA_DIR, 'downloads.last-good.json')
  }

  /** Loads the last valid manifest and starts reading the current one. Never rejects. */
  async start(): Promise<void> {
    if (this.#source === undefined) return
    const cached = await loadCached(this.#cachePath, this.#source.fingerprint)
    try {
      if (cached !== undefined) this.#publish(readManifest(cached.text), new Date(cached.read_at))
    } catch {
      // A version of the program with other rules saved it.
    }
    void this.reloadIfDue()
  }

  /** Never rejects: problems are part of the reply. */
  reloadIfDue(): Promise<void> {
    const { clock } = this.#deps
    if (this.#reloading !== undefined) return this.#reloading
    if (this.#source === undefined || clock.uptime() < this.#nextReloadAt) return Promise.resolve()
    this.#nextReloadAt = clock.uptime() + this.#source.intervalMs
    this.#reloading = this.#reload(this.#source).finally(() => {
      this.#reloading = undefined
    })
    return this.#reloading
  }

  /** False during the first read. */
  get hasProducts(): boolean {
    return this.#products !== undefined && this.#products.length > 0
  }

  /** Waits for the first read: seconds at most. */
  async viewFor({ isAdmin }: { readonly isAdmin: boolean }): Promise<Downloads> {
    if (this.#source === undefined) return NOT_CONFIGURED
    if (this.#products === undefined) await this.#reloading
    return {
      configured: true,
      products: this.#products ?? [],
      read_at: this.#readAt?.toISOString() ?? null,
      problem: isAdmin ? this.#problem : null,
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#nextReloadAt = Infinity
    await this.#reloading
  }

  async #reload(source: ManifestSource): Promise<void> {
    try {
      const read = await source.read(this.#lastRead?.stamp, this.#closing.signal)
      const readAt = new Date(this.#deps.clock.now())
      if (read !== undefined) await this.#apply(read, readAt, source)
      this.#setProblem(this.#lastRead?.problem ?? null)
      if (this.#problem === null) this.#readAt = readAt
    } catch (error) {
      if (this.#closing.signal.aborted) return
      if (error instanceof ManifestProblem) this.#setProblem(error.message)
      else this.#setProblem('It cannot be read.', error)
    }
  }

  async #apply({ text, stamp }: ManifestRead, readAt: Date, source: ManifestSource): Promise<void> {
    if (text === this.#lastRead?.text) {
      this.#lastRead = { ...this.#lastRead, stamp }
      return
    }
    try {
      const products = readManifest(text)
      this.#lastRead = { text, stamp, problem: null }
      this.#publish(products, readAt)
      const cached = { source: source.fingerprint, read_at: readAt.toISOString(), text }
      await saveCached(this.#cachePath, cached).catch((error: unknown) => {
        this.#deps.log.warn({ err: error }, 'could not cache downloads manifest')
      })
    } catch (error) {
      if (!(error instanceof ManifestProblem)) throw error
      this.#lastRead = { text, stamp, problem: error.message }
    }
  }

  #publish(products: Product[], readAt: Date): void {
    this.#products = products
    this.#readAt = readAt
  }

  #setProblem(problem: string | null, error?: unknown): void {
    if (problem === this.#problem) return
    const { log } = this.#deps
    if (problem === null) log.warn(RECOVERED, 'downloads manifest is valid again')
    else log.warn({ problem, ...(error !== undefined && { err: error }) }, 'downloads manifest is invalid, keeping the last valid one')
    this.#problem = problem
  }
}

/** Undefined if the file is missing, unreadable or of another source. */
async function loadCached(path: string, source: string): Promise<CachedManifest | undefined> {
  try {
    const saved = CachedManifest.parse(JSON.parse(await readFile(path, 'utf8')))
    return saved.source === source ? saved : undefined
  } catch {
    return undefined
  }
}

async function saveCached(path: string, cached: CachedManifest): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(`${path}.new`, JSON.stringify(cached), { mode: 0o600, flush: true })
  await rename(`${path}.new`, path)
}
