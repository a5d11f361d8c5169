/** Skins as they are sent, pictures and all: some megabytes each, made once for however many ask, and kept while there is room. */

const MOST_BYTES = 64 * 1024 * 1024

export interface SkinBody {
  readonly json: Buffer
  /** False where a picture that should be in it was not to be found: it is made anew for the next one. */
  readonly isWhole: boolean
}

export class SkinBodies {
  readonly #most: number
  /** Last asked for is last in the map's order, so the front goes first. */
  readonly #kept = new Map<string, SkinBody>()
  readonly #making = new Map<string, Promise<SkinBody>>()
  #bytes = 0

  /** @param most bytes that are kept. */
  constructor(most = MOST_BYTES) {
    this.#most = most
  }

  /** @param etag names the body: equal tags, equal bytes. What `make` throws is thrown to all who wait, and the next one tries again. */
  get(etag: string, make: () => Promise<SkinBody>): Promise<SkinBody> {
    const kept = this.#kept.get(etag)
    if (kept !== undefined) {
      this.#kept.delete(etag)
      this.#kept.set(etag, kept)
      return Promise.resolve(kept)
    }
    const known = this.#making.get(etag)
    if (known !== undefined) return known
    const making = make()
      .then((body) => {
        this.#keep(etag, body)
        return body
      })
      .finally(() => this.#making.delete(etag))
    this.#making.set(etag, making)
    return making
  }

  #keep(etag: string, body: SkinBody): void {
    if (!body.isWhole || body.json.length > this.#most) return
    this.#kept.set(etag, body)
    this.#bytes += body.json.length
    for (const [oldest, { json }] of this.#kept) {
      if (this.#bytes <= this.#most) return
      this.#kept.delete(oldest)
      this.#bytes -= json.length
    }
  }
}
