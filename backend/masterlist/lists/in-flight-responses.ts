/** Limits large responses in flight, because each keeps its body in memory. */
import type { ServerResponse } from 'node:http'
import { hasEnded, onceEnded } from '#backend/masterlist/wire/response-end.ts'
import { KeyedConcurrencyLimit } from '#backend/platform/concurrency/keyed-concurrency-limit.ts'

/** Smaller bodies usually fit into the system's own buffers. */
const LARGE_BYTES = 64 * 1024
/** Time limit per response, which is longer for a large body. */
const TIMEOUT_MS = 60_000
const MIN_BYTES_PER_MS = 64
/** Total of all different bodies. With more, readers of the oldest body are disconnected. */
const MAX_BYTES = 256 * 1024 * 1024

export class InFlightResponses {
  readonly #perAddress: KeyedConcurrencyLimit
  readonly #maxBytes: number
  /** Oldest body first. */
  readonly #readers = new Map<Buffer, Set<ServerResponse>>()
  #bytes = 0

  /** @param maxPerAddress concurrent large responses per address. */
  constructor(maxPerAddress: number, maxBytes = MAX_BYTES) {
    this.#perAddress = new KeyedConcurrencyLimit(maxPerAddress)
    this.#maxBytes = maxBytes
  }

  /** Sends the head with `writeHead`, then the body. Returns false and sends nothing if this address has too many responses in flight. */
  end(response: ServerResponse, address: string, body: Buffer, writeHead: () => void): boolean {
    // The reader left while the body was built.
    if (hasEnded(response)) return true
    if (body.length < LARGE_BYTES) {
      writeHead()
      response.end(body)
      return true
    }
    const release = this.#perAddress.acquire(address)
    if (release === undefined) return false
    writeHead()
    response.end(body)
    // The system has buffered all of it.
    if (response.writableLength === 0) release()
    else this.#track(response, body, release)
    return true
  }

  #track(response: ServerResponse, body: Buffer, release: () => void): void {
    const timeout = setTimeout(() => response.req.socket.destroy(), TIMEOUT_MS + body.length / MIN_BYTES_PER_MS).unref()
    const readers = this.#readers.get(body) ?? new Set<ServerResponse>()
    if (readers.size === 0) {
      this.#readers.set(body, readers)
      this.#bytes += body.length
    }
    readers.add(response)
    onceEnded(response, () => {
      clearTimeout(timeout)
      release()
      readers.delete(response)
      if (readers.size === 0) this.#untrack(body, readers)
    })
    this.#evictOldest(body)
  }

  #evictOldest(newest: Buffer): void {
    for (const [body, readers] of this.#readers) {
      if (this.#bytes <= this.#maxBytes || body === newest) return
      this.#untrack(body, readers)
      for (const response of readers) response.req.socket.destroy()
    }
  }

  #untrack(body: Buffer, readers: ReadonlySet<ServerResponse>): void {
    if (this.#readers.get(body) !== readers) return
    this.#readers.delete(body)
    this.#bytes -= body.length
  }
}
