/**
 * The columns of a whole list, written again and again: while they are read, the last ones' text is kept, and values of rows that stood
 * in it are copied, field by field, those of rows that follow each other in one go.
 */
import { breathe } from '#backend/platform/node-internals/breathe.ts'
import { type ShownRow, rowJson } from '#backend/masterlist/registry/listed-row.ts'
import { BYTES_IN_A_SLICE, BYTES_OF_A_ROWS_VALUES, FIELDS, ROWS_IN_A_SLICE, VALUES } from './columns.ts'
import { KeptText, TextsInTurn, type WholeText } from './kept-text.ts'
import { RowHashes } from './row-hashes.ts'
import { COMMA, Writing } from './writing.ts'

/** What is copied in one go, at the most: of long texts that is a millisecond, too. */
const ROWS_IN_A_RUN = 1000
/** A run is, besides, as much work as copying so many bytes more. */
const BYTES_OF_A_RUN = 400
/** Between two breaths. */
const ROWS_FOUND_IN_A_SLICE = 4000

/**
 * From here on a block is one of its own, which the system has back when it is let go of (MALLOC_MMAP_THRESHOLD_, 0024). Smaller ones of tens
 * of kilobytes leave gaps behind that nothing else fits into: 6 MB at 10,000 servers.
 */
const BLOCK_BYTES = 131_072

/** Where values lie in a text. */
interface Source {
  readonly buffer: Buffer
  /** Of each field, where each row's value begins; behind it lies one more byte, then begins the next. The last of them is the end. */
  readonly begins: readonly Uint32Array[]
}

/** Rows that follow each other in their source, too. */
interface Run {
  readonly source: Source
  readonly from: number
  length: number
}

/** Rows that did not stand in the columns before: each field of all of them at once, which takes far less than row by row. */
class NewRows implements Source {
  readonly begins = beginsFor(ROWS_IN_A_SLICE + 1)
  readonly #rows: ShownRow[] = []
  #buffer: Buffer = Buffer.alloc(0)

  get buffer(): Buffer {
    return this.#buffer
  }

  get length(): number {
    return this.#rows.length
  }

  add(row: ShownRow): void {
    this.#rows.push(row)
  }

  write(): void {
    const writing = new Writing(Buffer.allocUnsafe(Math.max(this.#rows.length * BYTES_OF_A_ROWS_VALUES, BLOCK_BYTES)))
    for (const [column, begins] of this.begins.entries()) {
      const valueOf = VALUES[column]
      if (valueOf === undefined) continue
      const values = this.#rows.map((row) => valueOf(row))
      const began = writing.at
      writing.text(JSON.stringify(values).slice(1, -1))
      putBegins(values, began, writing.at, begins)
      writing.byte(COMMA)
    }
    this.#buffer = writing.written()
  }
}

/** Columns in one text. */
class WrittenColumns extends KeptText implements Source {
  readonly begins: readonly Uint32Array[]
  readonly #writing: Writing
  readonly #hashes: RowHashes

  /** @param spare is written over where there is room enough in it. */
  constructor(rows: readonly ShownRow[], spare?: WrittenColumns) {
    super(rows)
    const room = Math.ceil(rows.length * 1.25) + 1
    const isEnough = spare !== undefined && spare.#room > rows.length
    this.#writing = new Writing(isEnough ? spare.buffer : Buffer.allocUnsafe(rows.length * BYTES_OF_A_ROWS_VALUES))
    this.begins = isEnough ? spare.begins : beginsFor(room)
    this.#hashes = isEnough ? spare.#hashes : new RowHashes(room)
  }

  get buffer(): Buffer {
    return this.#writing.buffer
  }

  get #room(): number {
    return this.begins[0]?.length ?? 0
  }

  override async write(before: WrittenColumns): Promise<WholeText> {
    const runs = await this.#runsIn(before)
    const writing = this.#writing
    let work = 0
    for (const [column, begins] of this.begins.entries()) {
      writing.text(`${column === 0 ? '{' : ','}"${FIELDS[column]}":[`)
      let place = 0
      for (const run of runs) {
        const began = writing.at
        this.#copy(column, run, begins, place)
        place += run.length
        work += writing.at - began + BYTES_OF_A_RUN
        if (work < BYTES_IN_A_SLICE) continue
        work = 0
        await breathe()
      }
      if (place > 0) writing.at -= 1
      writing.text(']')
    }
    writing.text('}')
    return { bytes: writing.written(), hashes: this.#hashes.of(this.rows.length) }
  }

  /** All rows, by where their values are copied from. */
  async #runsIn(before: WrittenColumns): Promise<Run[]> {
    const runs: Run[] = []
    let [added, found] = [new NewRows(), 0]
    for (let place = 0; place < this.rows.length;) {
      const from = this.rows[place]?.columnPlace ?? -1
      const length = this.alike(place, before, from, ROWS_IN_A_RUN)
      if (length > 0) {
        runs.push({ source: before, from, length })
        this.#hashes.copy(place, before.#hashes, from, length)
      } else this.#add(added, place, runs)
      for (const end = place + Math.max(length, 1); place < end; place += 1) {
        const row = this.rows[place]
        if (row !== undefined) row.columnPlace = place
      }
      found += length
      if (added.length < ROWS_IN_A_SLICE && found < ROWS_FOUND_IN_A_SLICE) continue
      if (added.length === ROWS_IN_A_SLICE) {
        added.write()
        added = new NewRows()
      }
      found = 0
      await breathe()
    }
    added.write()
    return runs
  }

  #add(added: NewRows, place: number, runs: Run[]): void {
    const [row, last] = [this.rows[place], runs.at(-1)]
    if (row === undefined) return
    if (last?.source === added) last.length += 1
    else runs.push({ source: added, from: added.length, length: 1 })
    added.add(row)
    this.#hashes.put(place, rowJson(row))
  }

  #copy(column: number, { source, from, length }: Run, begins: Uint32Array, place: number): void {
    const others = source.begins[column]
    if (others === undefined) return
    const begin = others[from] ?? 0
    const moved = this.#writing.at - begin
    this.#writing.copy(source.buffer, begin, (others[from + length] ?? 0) - 1)
    this.#writing.byte(COMMA)
    for (let index = 0; index <= length; index += 1) begins[place + index] = (others[from + index] ?? 0) + moved
  }
}

/** The columns of a whole list, written again and again. */
export class ColumnsText {
  readonly #texts = new TextsInTurn<WrittenColumns>((rows, spare) => new WrittenColumns(rows, spare))

  /** Not before the last one is done. What it answers holds until it is called again. */
  write(rows: readonly ShownRow[]): Promise<WholeText> {
    return this.#texts.write(rows)
  }
}

/** For each field one of so many places, all in one block. */
function beginsFor(room: number): Uint32Array[] {
  const block = new Uint32Array(FIELDS.length * room)
  return FIELDS.map((_, column) => block.subarray(column * room, (column + 1) * room))
}

/** Where each value begins that was written from `began` to `end`, with commas between them. */
function putBegins(values: readonly unknown[], began: number, end: number, begins: Uint32Array): void {
  begins[0] = began
  const fill = (lengthOfOne: (value: unknown) => number) => {
    let at = began
    for (let index = 0; index < values.length; index += 1) {
      at += lengthOfOne(values[index]) + 1
      begins[index + 1] = at
    }
    return at - 1
  }
  if (fill(leastLength) !== end) fill(lengthOf)
}

/** Found quickly, and right but for strings of which something is escaped or not ASCII: these take more, so it shows in the end. */
function leastLength(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  return typeof value === 'boolean' || Number.isInteger(value) ? String(value).length : lengthOf(value)
}

/** As it is written in an array. */
function lengthOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify([value])) - 2
}
