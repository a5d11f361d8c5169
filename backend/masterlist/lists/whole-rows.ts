/** The whole list's own body: an array of rows, made again and again while it is read. */
import type { ShownRow } from '#backend/masterlist/registry/listed-row.ts'
import { ListText, Pieces } from './list-text.ts'
import { OneByOne } from './one-by-one.ts'
import type { Compressed } from './packing.ts'
import { isPrompt } from './prompt.ts'
import { type Body, compressed, etagOf, packed, rowsAnew } from './snapshot.ts'

export class WholeRows {
  /** Of a prompt list. */
  #text: ListText | undefined
  /** Of another one. */
  #pieces: Pieces | undefined
  /** They share the text, or the pieces. */
  readonly #inOrder = new OneByOne()

  /** @param encodings lie ready then; any other is made when it is asked for. */
  make(rows: readonly ShownRow[], encodings: readonly Compressed[]): Promise<Body> {
    return this.#inOrder.run(() => (isPrompt(rows.length) ? this.#prompt(rows, encodings) : this.#large(rows, encodings)))
  }

  /** It is not read any more: the next one is written without what the last one left. */
  forget(): void {
    this.#text = this.#pieces = undefined
  }

  async #prompt(rows: readonly ShownRow[], encodings: readonly Compressed[]): Promise<Body> {
    this.#text ??= new ListText()
    const { bytes, hashes } = await this.#text.write(rows)
    return compressed(bytes, etagOf(hashes), encodings, rowsAnew(rows))
  }

  #large(rows: readonly ShownRow[], encodings: readonly Compressed[]): Promise<Body> {
    this.#text = undefined
    this.#pieces ??= new Pieces()
    return packed(rows, encodings, this.#pieces)
  }
}
