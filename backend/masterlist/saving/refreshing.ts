/** Reads of one server follow each other and never overtake; callers that come while one waits share it. */

export class Refreshing {
  readonly #read: (publicId: string) => Promise<void>
  readonly #running = new Map<string, Promise<void>>()
  readonly #next = new Map<string, Promise<void>>()

  constructor(read: (publicId: string) => Promise<void>) {
    this.#read = read
  }

  /** Resolves once a read that began after this call is done. */
  refresh(publicId: string): Promise<void> {
    const running = this.#running.get(publicId)
    if (running === undefined) return this.#begin(publicId)
    const next = this.#next.get(publicId) ?? this.#after(publicId, running)
    this.#next.set(publicId, next)
    return next
  }

  async #after(publicId: string, running: Promise<void>): Promise<void> {
    await running.catch(() => undefined)
    this.#next.delete(publicId)
    return this.#begin(publicId)
  }

  #begin(publicId: string): Promise<void> {
    const reading = this.#read(publicId).finally(() => {
      if (this.#running.get(publicId) === reading) this.#running.delete(publicId)
    })
    this.#running.set(publicId, reading)
    return reading
  }
}
