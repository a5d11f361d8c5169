/** `?format=columns`: the same rows as one array a field. A field's values beside each other compress better than rows do. */
import { ListedServer } from '#contract/masterlist.ts'
import { breathe } from '#backend/platform/node-internals/breathe.ts'
import { LISTED, type ShownRow } from '#backend/masterlist/registry/listed-row.ts'
import { letGo } from './let-go.ts'
import { BYTES_OF_A_ROW } from './list-text.ts'
import { COMMA, MOST_BYTES_OF_A_UNIT, Writing } from './writing.ts'

export const FIELDS = Object.keys(ListedServer.shape) as (keyof ListedServer)[]
/** What each of them says of a row. */
export const VALUES = FIELDS.map((name): ((row: ShownRow) => unknown) => LISTED[name])
/**
 * Rows whose columns are written one after the other while they lie in the processor's cache: column by column over all rows takes several
 * times as long. About a millisecond.
 */
export const ROWS_IN_A_SLICE = 200
export const BYTES_IN_A_SLICE = 2 * 1024 * 1024
/** A row without the names of its fields, about: room for it. */
export const BYTES_OF_A_ROWS_VALUES = BYTES_OF_A_ROW / 2
/**
 * So many are written in one walk over the rows. Each walk fetches the rows into the processor's cache anew, but fewer columns lie in
 * memory as text at a time: never the whole of a large list's.
 */
const COLUMNS_IN_A_WALK = 4
/** Of smaller ones brotli makes more bytes. */
const BYTES_IN_A_PIECE = 1024 * 1024
const BYTES_IN_A_BLOCK = 512 * 1024
/** A piece is handed on once it is full: room for the text that fills it. */
const BYTES_BEYOND_A_PIECE = 256 * 1024

/**
 * Writes columns that are not kept (columns-text.ts has those that are), in slices, so that announces are answered in between. Each piece
 * holds until the next is asked for.
 */
export async function* columnPieces(rows: readonly ShownRow[]): AsyncGenerator<Buffer> {
  const room = rows.length * BYTES_OF_A_ROW
  const blocks = new Blocks(Math.min(BYTES_IN_A_BLOCK, room))
  const piece = new Writing(Buffer.allocUnsafe(Math.min(BYTES_IN_A_PIECE + BYTES_BEYOND_A_PIECE, room)))
  try {
    for (let first = 0; first < FIELDS.length; first += COLUMNS_IN_A_WALK) {
      const columns = await walk(rows, first, blocks)
      for (const [index, texts] of columns.entries()) {
        piece.text(`${first + index === 0 ? '{' : ','}"${FIELDS[first + index]}":[`)
        for (const [place, text] of texts.entries()) {
          if (place > 0) piece.byte(COMMA)
          piece.copy(text, 0, text.length)
          if (piece.at < BYTES_IN_A_PIECE) continue
          yield piece.written()
          piece.at = 0
        }
        piece.text(']')
      }
    }
    piece.text('}')
    yield piece.written()
  } finally {
    blocks.letGo()
  }
}

/** Writes some columns, from the first of them on. Answers each as its texts of slices of rows, which hold until the next walk. */
async function walk(rows: readonly ShownRow[], first: number, blocks: Blocks): Promise<Buffer[][]> {
  const columns = VALUES.slice(first, first + COLUMNS_IN_A_WALK).map((valueOf) => ({ valueOf, texts: [] as Buffer[] }))
  blocks.rewind()
  for (let from = 0; from < rows.length; from += ROWS_IN_A_SLICE) {
    const slice = rows.slice(from, from + ROWS_IN_A_SLICE)
    for (const { valueOf, texts } of columns) texts.push(blocks.write(JSON.stringify(slice.map((row) => valueOf(row))).slice(1, -1)))
    await breathe()
  }
  return columns.map(({ texts }) => texts)
}

/** Memory for texts that is written over again and again: outside the heap, where the engine would carry them from young to old. */
class Blocks {
  readonly #size: number
  readonly #blocks: Buffer[] = []
  /** Which is being written, and where in it. */
  #block = 0
  #at = 0

  constructor(size: number) {
    this.#size = size
  }

  write(text: string): Buffer {
    const block = this.#withRoom(text.length * MOST_BYTES_OF_A_UNIT)
    const begin = this.#at
    this.#at += block.write(text, begin)
    return block.subarray(begin, this.#at)
  }

  /** What was written holds no longer. */
  rewind(): void {
    this.#block = 0
    this.#at = 0
  }

  letGo(): void {
    for (const block of this.#blocks.splice(0)) letGo(block)
  }

  #withRoom(bytes: number): Buffer {
    for (;;) {
      const block = (this.#blocks[this.#block] ??= Buffer.allocUnsafeSlow(Math.max(this.#size, bytes)))
      if (this.#at + bytes <= block.length) return block
      this.#block += 1
      this.#at = 0
    }
  }
}
