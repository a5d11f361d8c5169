/** The whole list as one JSON array of rows, written in slices of about a millisecond. */
import { hash } from 'node:crypto'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { type PublishedRow, rowJson } from '#backend/masterlist/registry/listed-row.ts'

/** Serializing one row takes as long as copying this many. */
const WORK_PER_WRITTEN_ROW = 20
const WORK_PER_SLICE = 4000
/** Average row size, for allocation and the compression level. */
export const BYTES_PER_ROW = 800
/** With pieces of 500 rows, brotli output was 1.6 % larger. */
const ROWS_PER_PIECE = 2000
/** The part of a row's SHA-256 that is used; as long as an ETag. */
const HASH_BYTES = 16
/** Maximum UTF-8 bytes per UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3

const OPEN = 0x5b
const CLOSE = 0x5d
const COMMA = 0x2c

class TextBuffer {
  bytes: Buffer
  length = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  byte(value: number): void {
    this.#reserve(1)
    this.bytes[this.length] = value
    this.length += 1
  }

  text(text: string): void {
    this.#reserve(text.length * MAX_BYTES_PER_UNIT)
    this.length += this.bytes.write(text, this.length)
  }

  copy(from: Buffer, begin: number, end: number): void {
    this.#reserve(end - begin)
    this.length += from.copy(this.bytes, this.length, begin, end)
  }

  written(): Buffer {
    return this.bytes.subarray(0, this.length)
  }

  #reserve(bytes: number): void {
    if (this.length + bytes <= this.bytes.length) return
    const larger = Buffer.allocUnsafe(Math.ceil((this.length + bytes) * 1.25))
    this.bytes.copy(larger, 0, 0, this.length)
    this.bytes = larger
  }
}

/** Writes rows in pieces, so that a large list never exists as a whole. Each piece is valid until the next one is requested. */
export async function* rowPieces(rows: readonly PublishedRow[], jsonOf: (row: PublishedRow) => string = rowJson): AsyncGenerator<Buffer> {
  // One buffer for all pieces: with a new one per piece, the engine collected the whole heap several times per list.
  const piece = new TextBuffer(Buffer.allocUnsafe(Math.min(rows.length, ROWS_PER_PIECE) * BYTES_PER_ROW + 2))
  piece.byte(OPEN)
  for (const [index, row] of rows.entries()) {
    if (index > 0) piece.byte(COMMA)
    piece.text(jsonOf(row))
    if (index % (WORK_PER_SLICE / WORK_PER_WRITTEN_ROW) === 0) await yieldToEventLoop()
    if (index % ROWS_PER_PIECE !== ROWS_PER_PIECE - 1) continue
    yield piece.written()
    piece.length = 0
  }
  piece.byte(CLOSE)
  yield piece.written()
}

/** One text of the list, with the position of each row. */
interface WrittenList {
  rows: readonly PublishedRow[]
  bytes: Buffer
  /** Start offsets of the rows, each followed by one separator byte. The last entry is the end. */
  offsets: Uint32Array
  hashes: Buffer
}

/** Copies unchanged rows from the previous text, at a tenth of the cost. Two sets of buffers alternate, because new ones would cause far more garbage collections. */
export class ListText {
  #previous = emptyList(0)
  #spare = emptyList(0)

  /** One call at a time; the result is valid until the next call. @returns hashes of the rows: as distinctive as the text, but far less to hash. */
  async write(rows: readonly PublishedRow[]): Promise<{ readonly bytes: Buffer; readonly hashes: Buffer }> {
    const next = this.#spare.offsets.length > rows.length ? this.#spare : emptyList(rows.length)
    next.rows = rows
    const text = new TextBuffer(next.bytes)
    text.byte(OPEN)
    let work = 0
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows[index]
      if (row === undefined) continue
      next.offsets[index] = text.length
      // Rows are immutable, so the same row has the same text.
      const isUnchanged = row.textIndex >= 0 && this.#previous.rows[row.textIndex] === row
      if (isUnchanged) copyRow(this.#previous, row.textIndex, text, next.hashes, index)
      else writeRow(row, text, next.hashes, index)
      text.byte(COMMA)
      row.textIndex = index
      work += isUnchanged ? 1 : WORK_PER_WRITTEN_ROW
      if (work < WORK_PER_SLICE) continue
      work = 0
      await yieldToEventLoop()
    }
    next.offsets[rows.length] = text.length
    if (rows.length > 0) text.length -= 1
    text.byte(CLOSE)
    next.bytes = text.bytes
    this.#spare = this.#previous
    this.#spare.rows = []
    this.#previous = next
    return { bytes: text.written(), hashes: next.hashes.subarray(0, rows.length * HASH_BYTES) }
  }
}

function emptyList(rows: number): WrittenList {
  const capacity = Math.ceil(rows * 1.25) + 1
  return {
    rows: [],
    bytes: Buffer.allocUnsafe(rows * BYTES_PER_ROW + 2),
    offsets: new Uint32Array(capacity),
    hashes: Buffer.allocUnsafe(capacity * HASH_BYTES),
  }
}

function writeRow(row: PublishedRow, text: TextBuffer, hashes: Buffer, index: number): void {
  const json = rowJson(row)
  text.text(json)
  hashes.write(hash('sha256', json, 'binary'), index * HASH_BYTES, HASH_BYTES, 'latin1')
}

function copyRow({ bytes, offsets, hashes: known }: WrittenList, from: number, text: TextBuffer, hashes: Buffer, index: number): void {
  text.copy(bytes, offsets[from] ?? 0, (offsets[from + 1] ?? 0) - 1)
  known.copy(hashes, index * HASH_BYTES, from * HASH_BYTES, (from + 1) * HASH_BYTES)
}
