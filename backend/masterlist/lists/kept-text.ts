/** What texts of a whole list have in common that are written again and again: the last one is kept, and the next one copies from it. */
import type { ShownRow } from '#backend/masterlist/registry/listed-row.ts'

/** The text of a whole list. */
export interface WholeText {
  readonly bytes: Buffer
  /** Of each row, in their order: equal where the texts are. */
  readonly hashes: Buffer
}

/** A text of these rows, in a buffer of its own. */
export abstract class KeptText {
  protected rows: readonly ShownRow[]

  constructor(rows: readonly ShownRow[]) {
    this.rows = rows
  }

  /** Writes all of it. @param before what stands in it is copied. */
  abstract write(before: this): Promise<WholeText>

  /** How many rows, `most` at the most, follow each other here from `place` on and in the text before from `from` on: none where that is -1. */
  protected alike(place: number, before: KeptText, from: number, most: number): number {
    if (from < 0) return 0
    const [rows, others] = [this.rows, before.rows]
    const end = Math.min(most, rows.length - place, others.length - from)
    let length = 0
    while (length < end && others[from + length] === rows[place + length]) length += 1
    return length
  }

  /** To be written over: nothing keeps rows that are shown no more. */
  spent(): this {
    this.rows = []
    return this
  }
}

/**
 * Two texts take turns, and with them their buffers: a new one of some megabytes each second would make the engine sweep up ten times as
 * often as all else.
 */
export class TextsInTurn<Text extends KeptText> {
  readonly #begin: (rows: readonly ShownRow[], spare?: Text) => Text
  #written: Text
  #spare: Text | undefined

  /** @param begin makes the next text, which is not written yet; in the spare one's buffers, where there is room enough in them. */
  constructor(begin: (rows: readonly ShownRow[], spare?: Text) => Text) {
    this.#begin = begin
    this.#written = begin([])
  }

  /**
   * Writes what was not in the last text, and copies the rest. Not before the last one is done; what it answers holds until it is called
   * again. Where it fails, the next one copies from the one before.
   */
  async write(rows: readonly ShownRow[]): Promise<WholeText> {
    const next = this.#begin(rows, this.#spare)
    const made = await next.write(this.#written)
    this.#spare = this.#written.spent()
    this.#written = next
    return made
  }
}
