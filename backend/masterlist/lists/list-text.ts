/** The whole list as one JSON array of rows, written in slices so that announces are answered in between. */
import { hash } from 'node:crypto'
import { breathe } from '#backend/platform/node-internals/breathe.ts'
import { type ShownRow, rowJson } from '#backend/masterlist/registry/listed-row.ts'

/** Work per slice, about a millisecond: writing one row is as much as copying this many. */
const WORK_PER_SLICE = 4000
const WORK_PER_WRITTEN_ROW = 20
/** Average row size. It decides the room for a text and its compression level. */
export const BYTES_PER_ROW = 800
/** With pieces of 500 rows, brotli made 1.6 % more bytes. */
const ROWS_PER_PIECE = 2000
/** Of a row's SHA-256, as much as an ETag has of the list's. */
const HASH_BYTES = 16
/** UTF-8 never needs more for a unit of UTF-16. */
const MAX_BYTES_PER_UNIT = 3

const OPEN = 0x5b
const CLOSE = 0x5d
const COMMA = 0x2c

/** A buffer that grows as text is appended. */
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

/** Writes rows in pieces, so that a large list never exists as a whole. Each piece is valid until the next is asked for. */
export async function* rowPieces(rows: readonly ShownRow[]): AsyncGenerator<Buffer> {
  // One buffer for all pieces: a new one for each made the engine collect the whole heap several times per list.
  const piece = new TextBuffer(Buffer.allocUnsafe(Math.min(rows.length, ROWS_PER_PIECE) * BYTES_PER_ROW + 2))
  piece.byte(OPEN)
  for (const [place, row] of rows.entries()) {
    if (place > 0) piece.byte(COMMA)
    piece.text(rowJson(row))
    if (place % (WORK_PER_SLICE / WORK_PER_WRITTEN_ROW) === 0) await breathe()
    if (place % ROWS_PER_PIECE !== ROWS_PER_PIECE - 1) continue
    yield piece.written()
    piece.length = 0
  }
  piece.byte(CLOSE)
  yield piece.written()
}

/** One text of the list, and where each of its rows lies. */
interface WrittenList {
  rows: readonly ShownRow[]
  bytes: Buffer
  /** Where each row begins; one more byte follows each. The last entry is the end. */
  begins: Uint32Array
  hashes: Buffer
}

/**
 * The text of a list that is written again and again. Rows that were in the previous text are copied from it: 5 ms instead of 65 for 10,000
 * rows. Two sets of buffers take turns, because the engine counts new ones of this size and would collect far more often.
 */
export class ListText {
  #previous = emptyList(0)
  #spare = emptyList(0)

  /**
   * Only one call at a time may run. The answer is valid until the next call. After a failure the next call copies from the same text.
   * @returns the text, and the hashes of its rows: they are equal where texts are, and far less to hash.
   */
  async write(rows: readonly ShownRow[]): Promise<{ readonly bytes: Buffer; readonly hashes: Buffer }> {
    const next = this.#spare.begins.length > rows.length ? this.#spare : emptyList(rows.length)
    next.rows = rows
    const text = new TextBuffer(next.bytes)
    text.byte(OPEN)
    next.begins[0] = text.length
    let work = 0
    for (let place = 0; place < rows.length;) {
      const copied = copyRows(this.#previous, next, text, place, WORK_PER_SLICE - work)
      if (copied === 0) writeRow(next, text, place)
      place += Math.max(copied, 1)
      work += copied === 0 ? WORK_PER_WRITTEN_ROW : copied
      if (work < WORK_PER_SLICE) continue
      work = 0
      await breathe()
    }
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
  const room = Math.ceil(rows * 1.25) + 1
  return {
    rows: [],
    bytes: Buffer.allocUnsafe(rows * BYTES_PER_ROW + 2),
    begins: new Uint32Array(room),
    hashes: Buffer.allocUnsafe(room * HASH_BYTES),
  }
}

function writeRow(list: WrittenList, text: TextBuffer, place: number): void {
  const row = list.rows[place]
  if (row === undefined) return
  const json = rowJson(row)
  text.text(json)
  text.byte(COMMA)
  list.hashes.write(hash('sha256', json, 'binary'), place * HASH_BYTES, HASH_BYTES, 'latin1')
  row.place = place
  list.begins[place + 1] = text.length
}

/** Copies the next row and those that follow it in the previous text, too, up to `max`. Returns how many: none for a new row. */
function copyRows(previous: WrittenList, next: WrittenList, text: TextBuffer, to: number, max: number): number {
  const from = next.rows[to]?.place ?? -1
  const count = from < 0 ? 0 : equalRows(previous.rows, from, next.rows, to, max)
  if (count === 0) return 0
  const begin = previous.begins[from] ?? 0
  const moved = text.length - begin
  text.copy(previous.bytes, begin, (previous.begins[from + count] ?? 0) - 1)
  text.byte(COMMA)
  previous.hashes.copy(next.hashes, to * HASH_BYTES, from * HASH_BYTES, (from + count) * HASH_BYTES)
  for (let index = 0; index < count; index += 1) {
    const row = next.rows[to + index]
    if (row !== undefined) row.place = to + index
    next.begins[to + index + 1] = (previous.begins[from + index + 1] ?? 0) + moved
  }
  return count
}

/** How many rows are the same in both lists from these places on. Rows are immutable, so the same row is the same text. */
function equalRows(some: readonly ShownRow[], from: number, others: readonly ShownRow[], to: number, max: number): number {
  const end = Math.min(max, some.length - from, others.length - to)
  let count = 0
  while (count < end && some[from + count] === others[to + count]) count += 1
  return count
}
