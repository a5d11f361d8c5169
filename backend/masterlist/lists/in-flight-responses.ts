/** Limits large answers that are still being sent, because each keeps its body in memory. */
import type { ServerResponse } from 'node:http'
import { hasEnded, onceEnded } from '#backend/masterlist/wire/response-end.ts'
import { KeyedConcurrencyLimit } from '#backend/platform/concurrency/keyed-concurrency-limit.ts'

/** A smaller body mostly fits the system's own buffers. */
const LARGE_BYTES = 64 * 1024
/** One address may be a whole office. */
export const MAX_IN_FLIGHT_EACH = 30
/** For each answer, and more for a large one. */
const PATIENCE_MS = 60_000
const MIN_BYTES_PER_MS = 64
/** Of all different bodies; then readers of the oldest are disconnected. */
const MAX_BYTES = 256 * 1024 * 1024

export class InFlightResponses {
  readonly #each: KeyedConcurrencyLimit
  readonly #maxBytes: number
  /** The oldest body first. */
  readonly #readers = new Map<Buffer, Set<ServerResponse>>()
  #bytes = 0

  /** @param each per address. */
  constructor(each: number, maxBytes = MAX_BYTES) {
    this.#each = new KeyedConcurrencyLimit(each)
    this.#maxBytes = maxBytes
  }

  /** Sends the head with `begin`, then the body. Returns false and sends nothing where this address has too many in flight. */
  end(response: ServerResponse, address: string, body: Buffer, begin: () => void): boolean {
    // The reader left while the body was made.
    if (hasEnded(response)) return true
    if (body.length < LARGE_BYTES) {
      begin()
      response.end(body)
      return true
    }
    const over = this.#each.acquire(address)
    if (over === undefined) return false
    begin()
    response.end(body)
    // The system has taken all of it.
    if (response.writableLength === 0) over()
    else this.#hold(response, body, over)
    return true
  }

  #hold(response: ServerResponse, body: Buffer, over: () => void): void {
    const patience = setTimeout(() => response.req.socket.destroy(), PATIENCE_MS + body.length / MIN_BYTES_PER_MS).unref()
    const readers = this.#readers.get(body) ?? new Set<ServerResponse>()
    if (readers.size === 0) {
      this.#readers.set(body, readers)
      this.#bytes += body.length
    }
    readers.add(response)
    onceEnded(response, () => {
      clearTimeout(patience)
      over()
      readers.delete(response)
      if (readers.size === 0) this.#release(body, readers)
    })
    this.#makeRoom(body)
  }

  #makeRoom(newest: Buffer): void {
    for (const [body, readers] of this.#readers) {
      if (this.#bytes <= this.#maxBytes || body === newest) return
      this.#release(body, readers)
      for (const response of readers) response.req.socket.destroy()
    }
  }

  #release(body: Buffer, readers: ReadonlySet<ServerResponse>): void {
    if (this.#readers.get(body) !== readers) return
    this.#readers.delete(body)
    this.#bytes -= body.length
  }
}
