/**
 * Rows written as one JSON array, a slice at a time, so that announces are answered in between. While a list is read again and again its
 * last text is kept: rows that stand in both are copied from one to the next, those that follow each other in one go.
 */
import { breathe } from '#backend/platform/node-internals/breathe.ts'
import { type ShownRow, rowJson } from '#backend/masterlist/registry/listed-row.ts'
import { KeptText, TextsInTurn, type WholeText } from './kept-text.ts'
import { RowHashes } from './row-hashes.ts'
import { COMMA, Writing } from './writing.ts'

/** Work between two breaths of the event loop, about a millisecond: writing one row is as much as copying so many. */
const WORK_IN_A_SLICE = 4000
const WORK_OF_WRITING = 20
/** About what a row has, where something is chosen before it is written: room for it, a level of compression. */
export const BYTES_OF_A_ROW = 800
/** A text that is not kept is handed on in pieces of so many rows, so that a large one never exists as a whole. Of 500, brotli made 1.6 % more bytes. */
const ROWS_IN_A_PIECE = 2000

const OPEN = 0x5b
const CLOSE = 0x5d

/** Rows that are written after each other, and where each lies. */
class WrittenRows extends KeptText {
  readonly #writing: Writing
  /** Where each begins; behind it lies one more byte, then begins the next. The last of them is the end. */
  readonly #begins: Uint32Array
  readonly #hashes: RowHashes
  #count = 0

  /** @param spare is written over where there is room enough in it. */
  constructor(rows: readonly ShownRow[], spare?: WrittenRows) {
    super(rows)
    const room = Math.ceil(rows.length * 1.25) + 1
    const isEnough = spare !== undefined && spare.#begins.length > rows.length
    this.#writing = new Writing(isEnough ? spare.#writing.buffer : Buffer.allocUnsafe(rows.length * BYTES_OF_A_ROW + 2))
    this.#begins = isEnough ? spare.#begins : new Uint32Array(room)
    this.#hashes = isEnough ? spare.#hashes : new RowHashes(room)
    this.#writing.byte(OPEN)
    this.#begins[0] = this.#writing.at
  }

  override async write(before: WrittenRows): Promise<WholeText> {
    let work = 0
    while (this.#count < this.rows.length) {
      const copied = this.#copy(before, WORK_IN_A_SLICE - work)
      if (copied === 0) this.#writeNext()
      work += copied === 0 ? WORK_OF_WRITING : copied
      if (work < WORK_IN_A_SLICE) continue
      work = 0
      await breathe()
    }
    return this.#whole()
  }

  #writeNext(): void {
    const row = this.rows[this.#count]
    if (row === undefined) return
    const json = rowJson(row)
    this.#writing.text(json)
    this.#writing.byte(COMMA)
    this.#hashes.put(this.#count, json)
    row.place = this.#count
    this.#count += 1
    this.#begins[this.#count] = this.#writing.at
  }

  /** Copies the next row and those that follow it among the others, too, but no more than that. Answers how many: none where it is not there. */
  #copy(others: WrittenRows, most: number): number {
    const [to, from] = [this.#count, this.rows[this.#count]?.place ?? -1]
    const length = this.alike(to, others, from, most)
    if (length === 0) return 0
    const begin = others.#begins[from] ?? 0
    const moved = this.#writing.at - begin
    this.#writing.copy(others.#writing.buffer, begin, (others.#begins[from + length] ?? 0) - 1)
    this.#writing.byte(COMMA)
    this.#hashes.copy(to, others.#hashes, from, length)
    for (let index = 0; index < length; index += 1) {
      const row = this.rows[to + index]
      if (row !== undefined) row.place = to + index
      this.#begins[to + index + 1] = (others.#begins[from + index + 1] ?? 0) + moved
    }
    this.#count += length
    return length
  }

  #whole(): WholeText {
    if (this.#count > 0) this.#writing.at -= 1
    this.#writing.byte(CLOSE)
    return { bytes: this.#writing.written(), hashes: this.#hashes.of(this.#count) }
  }
}

/** The text of a whole list, written again and again. */
export class ListText {
  readonly #texts = new TextsInTurn<WrittenRows>((rows, spare) => new WrittenRows(rows, spare))

  /** Not before the last one is done. What it answers holds until it is called again. */
  write(rows: readonly ShownRow[]): Promise<WholeText> {
    return this.#texts.write(rows)
  }
}

/**
 * A text that is not kept, in pieces. They lie in one buffer, one after the other: a new one of more than a megabyte for each would make
 * the engine sweep the whole heap several times a list.
 */
export class Pieces {
  #buffer: Buffer = Buffer.alloc(0)

  /** Each piece holds until the next is asked for. */
  async *of(rows: readonly ShownRow[]): AsyncGenerator<Buffer> {
    for (let from = 0; from < Math.max(rows.length, 1); from += ROWS_IN_A_PIECE) {
      const piece = rows.slice(from, from + ROWS_IN_A_PIECE)
      const room = piece.length * BYTES_OF_A_ROW + 2
      const writing = new Writing(this.#buffer.length >= room ? this.#buffer : Buffer.allocUnsafe(room))
      writing.byte(from === 0 ? OPEN : COMMA)
      for (const [place, row] of piece.entries()) {
        if (place > 0) writing.byte(COMMA)
        writing.text(rowJson(row))
        if (place % (WORK_IN_A_SLICE / WORK_OF_WRITING) === 0) await breathe()
      }
      if (from + ROWS_IN_A_PIECE >= rows.length) writing.byte(CLOSE)
      this.#buffer = writing.buffer
      yield writing.written()
    }
  }
}
