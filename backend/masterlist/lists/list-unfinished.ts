/**
 * Large answers that their readers have not taken yet. Each holds its body in memory, also where a newer one has long taken its place, so
 * there are only so many of an address, for so long, and so many bytes of them in all.
 */
import type { ServerResponse } from 'node:http'
import { isOver, whenOver } from '#backend/masterlist/wire/answer-over.ts'
import { AtOnce } from '#backend/platform/http/at-once.ts'

/** What is smaller mostly fits the system's own buffers. */
const LARGE_BYTES = 64 * 1024
/** A household or an office is one address. */
export const MOST_UNFINISHED_EACH = 30
/** Whoever reads more slowly than this, after a time for everybody, is cut off. */
const PATIENCE_MS = 60_000
const SLOWEST_BYTES_A_MS = 64
/** Of all different bodies together; past it those who read the oldest are cut off. */
const MOST_BYTES = 256 * 1024 * 1024

export class Unfinished {
  readonly #each: AtOnce
  readonly #mostBytes: number
  /** The oldest body first. */
  readonly #readers = new Map<Buffer, Set<ServerResponse>>()
  #bytes = 0

  /** @param each of one address. */
  constructor(each: number, mostBytes = MOST_BYTES) {
    this.#each = new AtOnce(each)
    this.#mostBytes = mostBytes
  }

  /** Ends the answer with the body, whose head is written by `begin`. False, and nothing sent, where this address has too many under way. */
  end(response: ServerResponse, address: string, body: Buffer, begin: () => void): boolean {
    // He left while it was made.
    if (isOver(response)) return true
    if (body.length < LARGE_BYTES) {
      begin()
      response.end(body)
      return true
    }
    const over = this.#each.begin(address)
    if (over === undefined) return false
    begin()
    response.end(body)
    // What the system has taken is held no more.
    if (response.writableLength === 0) over()
    else this.#hold(response, body, over)
    return true
  }

  #hold(response: ServerResponse, body: Buffer, over: () => void): void {
    const patience = setTimeout(() => response.req.socket.destroy(), PATIENCE_MS + body.length / SLOWEST_BYTES_A_MS).unref()
    const readers = this.#readersOf(body)
    readers.add(response)
    whenOver(response, () => {
      clearTimeout(patience)
      over()
      readers.delete(response)
      if (readers.size === 0) this.#letGo(body, readers)
    })
    this.#makeRoom(body)
  }

  #readersOf(body: Buffer): Set<ServerResponse> {
    const known = this.#readers.get(body)
    if (known !== undefined) return known
    const readers = new Set<ServerResponse>()
    this.#readers.set(body, readers)
    this.#bytes += body.length
    return readers
  }

  #makeRoom(newest: Buffer): void {
    for (const [body, readers] of this.#readers) {
      if (this.#bytes <= this.#mostBytes || body === newest) return
      this.#letGo(body, readers)
      for (const response of readers) response.req.socket.destroy()
    }
  }

  #letGo(body: Buffer, readers: ReadonlySet<ServerResponse>): void {
    if (this.#readers.get(body) !== readers) return
    this.#readers.delete(body)
    this.#bytes -= body.length
  }
}
