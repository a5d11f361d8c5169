/** The operator's logo, in memory. One of a URL is loaded while the program runs, and the last good one is kept. */
import { type Logo, MAX_LOGO_BYTES, checkLogo } from '#backend/platform/branding/logo.ts'
import type { Branding } from '#backend/platform/branding/brand.ts'

const TIMEOUT_MS = 5000

export class LogoLoader {
  readonly #url: string | undefined
  #logo: Logo | undefined

  constructor({ BRAND_LOGO: logo }: Pick<Branding, 'BRAND_LOGO'>) {
    if (logo !== undefined && 'url' in logo) this.#url = logo.url
    else this.#logo = logo
  }

  /** Undefined while it could not be loaded yet. */
  get logo(): Logo | undefined {
    return this.#logo
  }

  /** Does nothing without a URL. Throws if the logo can't be loaded or is wrong. Then the last good one stays. */
  async load(stopping: AbortSignal): Promise<void> {
    if (this.#url === undefined) return
    const response = await fetch(this.#url, { signal: AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]) })
    if (!response.ok) throw new Error(`BRAND_LOGO answers with status ${response.status}.`)
    try {
      this.#logo = checkLogo(await readStart(response))
    } catch (error) {
      throw new Error(`BRAND_LOGO ${(error as Error).message}.`, { cause: error })
    }
  }
}

/** At most one chunk more than a logo may have. */
async function readStart(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk)
    size += chunk.length
    if (size > MAX_LOGO_BYTES) break
  }
  return Buffer.concat(chunks)
}
