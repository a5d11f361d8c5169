/** One load per key at a time: calls during a load share the next one, as the current one may have begun before their change. */
export class CoalescingLoader {
  readonly #load: (key: string) => Promise<void>
  readonly #running = new Map<string, Promise<void>>()
  readonly #next = new Map<string, Promise<void>>()

  constructor(load: (key: string) => Promise<void>) {
    this.#load = load
  }

  /** Resolves once a load that began after this call is done. */
  load(key: string): Promise<void> {
    const running = this.#running.get(key)
    if (running === undefined) return this.#begin(key)
    const next = this.#next.get(key) ?? this.#after(key, running)
    this.#next.set(key, next)
    return next
  }

  async #after(key: string, running: Promise<void>): Promise<void> {
    await running.catch(() => undefined)
    this.#next.delete(key)
    return this.#begin(key)
  }

  #begin(key: string): Promise<void> {
    const loading = this.#load(key).finally(() => {
      if (this.#running.get(key) === loading) this.#running.delete(key)
    })
    this.#running.set(key, loading)
    return loading
  }
}
