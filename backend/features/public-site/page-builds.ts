/** Builds of public pages: queued for all visitors together, and shared by concurrent requests. */
import { EncodedBody, etagOf } from '#backend/masterlist/lists/encoded-body.ts'

/** Runs a build, now or later. Throws if too many wait. */
export type Queued = <T>(build: () => Promise<T>) => Promise<T>

/** Concurrent builds with the same key run once. */
export class SharedBuilds<T> {
  readonly #running = new Map<string, Promise<T>>()

  run(key: string, build: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key)
    if (running !== undefined) return running
    const started = build().finally(() => this.#running.delete(key))
    this.#running.set(key, started)
    // Also if nobody waits for it.
    started.catch(() => undefined)
    return started
  }
}

export function encodedBody(identity: Buffer): EncodedBody {
  return new EncodedBody(etagOf(identity), identity.length, () => [identity])
}
