/** A hash of each row of a list, in their order: equal where the lists are, and far less to hash than their text. */
import { hash } from 'node:crypto'

/** Of a row's SHA-256: about as much as an ETag has of the list's. */
const HASH_BYTES = 16

export class RowHashes {
  readonly #bytes: Buffer

  /** @param room for so many rows. */
  constructor(room: number) {
    this.#bytes = Buffer.allocUnsafe(room * HASH_BYTES)
  }

  /** @param json the whole row. */
  put(place: number, json: string): void {
    this.#bytes.write(hash('sha256', json, 'binary'), place * HASH_BYTES, HASH_BYTES, 'latin1')
  }

  /** Those of rows that follow each other among the others, too. */
  copy(place: number, others: RowHashes, from: number, length: number): void {
    others.#bytes.copy(this.#bytes, place * HASH_BYTES, from * HASH_BYTES, (from + length) * HASH_BYTES)
  }

  /** Of the first rows. */
  of(count: number): Buffer {
    return this.#bytes.subarray(0, count * HASH_BYTES)
  }
}
