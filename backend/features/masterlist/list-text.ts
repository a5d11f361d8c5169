/**
 * Rows written as one JSON array, a slice at a time, so that announces are answered in between. While a list is read again and again its
 * last text is kept: rows that stand in both are copied from one to the next, at a twentieth of what writing one takes.
 */
import { breathe } from '#backend/breathe.ts'
import { type ShownRow, rowJson } from './listed-row.ts'

/** Work between two breaths of the event loop, about a millisecond: writing one row is as much as copying so many. */
const WORK_IN_A_SLICE = 2000
const WORK_OF_WRITING = 10
/** About what a row has, where something is chosen before it is written: room for it, a level of compression. */
export const BYTES_OF_A_ROW = 800
/** UTF-8 takes no more for a unit of UTF-16. */
const MOST_BYTES_OF_A_UNIT = 3
/** A text that is not kept is handed on in pieces of so many rows, so that a large one never exists as a whole. */
const ROWS_IN_A_PIECE = 2000

const OPEN = 0x5b
const COMMA = 0x2c
const CLOSE = 0x5d

/** A text that grows. */
class Writing {
  #bytes: Buffer
  at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  byte(value: number): void {
    this.#makeRoom(1)
    this.#bytes[this.at] = value
    this.at += 1
  }

  text(text: string): void {
    this.#makeRoom(text.length * MOST_BYTES_OF_A_UNIT)
    this.at += this.#bytes.write(text, this.at)
  }

  copy(from: Buffer, begin: number, end: number): void {
    this.#makeRoom(end - begin)
    this.at += from.copy(this.#bytes, this.at, begin, end)
  }

  written(): Buffer {
    return this.#bytes.subarray(0, this.at)
  }

  /** The whole buffer, for the next text. */
  get buffer(): Buffer {
    return this.#bytes
  }

  #makeRoom(bytes: number): void {
    if (this.at + bytes <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.ceil((this.at + bytes) * 1.25))
    this.#bytes.copy(larger, 0, 0, this.at)
    this.#bytes = larger
  }
}

/** Where the rows of a text lie in it. */
interface Written {
  readonly buffer: Buffer
  readonly rows: readonly ShownRow[]
  /** Where each begins and ends. */
  readonly bounds: Uint32Array
}

const NOTHING: Written = { buffer: Buffer.alloc(0), rows: [], bounds: new Uint32Array(0) }

/**
 * The text of a whole list, written again and again. Two buffers take turns: a new one of some megabytes each second would make the engine
 * sweep up ten times as often as all else.
 */
export class ListText {
  #written = NOTHING
  #spare = NOTHING

  /** Writes what was not in the text before, and copies the rest. What it answers holds until it is asked again. */
  async write(rows: readonly ShownRow[]): Promise<Buffer> {
    const before = this.#written
    const { buffer, bounds: spare } = this.#spare
    const writing = new Writing(buffer.length > 0 ? buffer : Buffer.allocUnsafe(rows.length * BYTES_OF_A_ROW + 2))
    const bounds = spare.length >= 2 * rows.length ? spare : new Uint32Array(Math.ceil(2.5 * rows.length))
    let work = 0
    writing.byte(OPEN)
    for (const [place, row] of rows.entries()) {
      if (place > 0) writing.byte(COMMA)
      const begin = writing.at
      const isCopied = copyRow(before, row, writing)
      if (!isCopied) writing.text(rowJson(row))
      bounds[2 * place] = begin
      bounds[2 * place + 1] = writing.at
      row.place = place
      work += isCopied ? 1 : WORK_OF_WRITING
      if (work < WORK_IN_A_SLICE) continue
      work = 0
      await breathe()
    }
    writing.byte(CLOSE)
    this.#written = { buffer: writing.buffer, rows, bounds }
    this.#spare = { ...before, rows: [] }
    return writing.written()
  }
}

/** False where it was not in that text. */
function copyRow({ buffer, rows, bounds }: Written, row: ShownRow, to: Writing): boolean {
  const { place } = row
  if (rows[place] !== row) return false
  to.copy(buffer, bounds[2 * place] ?? 0, bounds[2 * place + 1] ?? 0)
  return true
}

/** The same text in pieces. */
export async function* piecesOf(rows: readonly ShownRow[]): AsyncGenerator<Buffer> {
  for (let from = 0; from < Math.max(rows.length, 1); from += ROWS_IN_A_PIECE) {
    const piece = rows.slice(from, from + ROWS_IN_A_PIECE)
    const writing = new Writing(Buffer.allocUnsafe(piece.length * BYTES_OF_A_ROW + 2))
    writing.byte(from === 0 ? OPEN : COMMA)
    for (const [place, row] of piece.entries()) {
      if (place > 0) writing.byte(COMMA)
      writing.text(rowJson(row))
      if (place % (WORK_IN_A_SLICE / WORK_OF_WRITING) === 0) await breathe()
    }
    if (from + ROWS_IN_A_PIECE >= rows.length) writing.byte(CLOSE)
    yield writing.written()
  }
}
