/** Runs one load per key at a time. Calls during a load share the next one, because the current one may have missed their change. */
export class CoalescingLoader {
  readonly #load: (key: string) => Promise<void>
  readonly #running = new Map<string, Promise<void>>()
  readonly #next = new Map<string, Promise<void>>()

  constructor(load: (key: string) => Promise<void>) {
    this.#load = load
  }

  /** Resolves after a load that started no earlier than this call. */
  load(key: string): Promise<void> {
    const running = this.#running.get(key)
    if (running === undefined) return this.#start(key)
    const next = this.#next.get(key) ?? this.#startAfter(key, running)
    this.#next.set(key, next)
    return next
  }

  async #startAfter(key: string, running: Promise<void>): Promise<void> {
    await running.catch(() => undefined)
    this.#next.delete(key)
    return this.#start(key)
  }

  #start(key: string): Promise<void> {
    const loading = this.#load(key).finally(() => {
      if (this.#running.get(key) === loading) this.#running.delete(key)
    })
    this.#running.set(key, loading)
    return loading
  }
}
