/**
 * Rows written as one JSON array, a slice at a time, so that announces are answered in between. While a list is read again and again its
 * last text is kept: rows that stand in both are copied from one to the next, at a twentieth of what writing one takes.
 */
import { breathe } from '#backend/breathe.ts'
import { type ShownRow, rowJson } from './listed-row.ts'

/** Work between two breaths of the event loop, about a millisecond: writing one row is as much as copying so many. */
const WORK_IN_A_SLICE = 2000
const WORK_OF_WRITING = 10
/** About what a row has, where room is made before it is written. */
const BYTES_OF_A_ROW = 800
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

  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafe(size)
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

  #makeRoom(bytes: number): void {
    if (this.at + bytes <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.ceil((this.at + bytes) * 1.25))
    this.#bytes.copy(larger, 0, 0, this.at)
    this.#bytes = larger
  }
}

/** The text of a whole list, and where in it each row stands. */
export class ListText {
  readonly bytes: Buffer
  readonly #places: ReadonlyMap<ShownRow, number>
  /** Where each begins and ends. */
  readonly #bounds: Uint32Array

  private constructor(bytes: Buffer, places: ReadonlyMap<ShownRow, number>, bounds: Uint32Array) {
    this.bytes = bytes
    this.#places = places
    this.#bounds = bounds
  }

  /** Writes what is not in the text before. */
  static async of(rows: readonly ShownRow[], before: ListText | undefined): Promise<ListText> {
    const writing = new Writing(Math.ceil((before?.bytes.length ?? 0) * 1.05) || rows.length * BYTES_OF_A_ROW + 2)
    const places = new Map<ShownRow, number>()
    const bounds = new Uint32Array(2 * rows.length)
    let work = 0
    writing.byte(OPEN)
    for (const [place, row] of rows.entries()) {
      if (place > 0) writing.byte(COMMA)
      bounds[2 * place] = writing.at
      const isCopied = before?.copy(row, writing) === true
      if (!isCopied) writing.text(rowJson(row))
      bounds[2 * place + 1] = writing.at
      places.set(row, place)
      work += isCopied ? 1 : WORK_OF_WRITING
      if (work < WORK_IN_A_SLICE) continue
      work = 0
      await breathe()
    }
    writing.byte(CLOSE)
    return new ListText(writing.written(), places, bounds)
  }

  /** False where it is not in it. */
  copy(row: ShownRow, to: Writing): boolean {
    const place = this.#places.get(row)
    if (place === undefined) return false
    to.copy(this.bytes, this.#bounds[2 * place] ?? 0, this.#bounds[2 * place + 1] ?? 0)
    return true
  }
}

/** The same text in pieces. */
export async function* piecesOf(rows: readonly ShownRow[]): AsyncGenerator<Buffer> {
  for (let from = 0; from < Math.max(rows.length, 1); from += ROWS_IN_A_PIECE) {
    const piece = rows.slice(from, from + ROWS_IN_A_PIECE)
    const writing = new Writing(piece.length * BYTES_OF_A_ROW + 2)
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
