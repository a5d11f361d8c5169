/** The body of the whole list, made again and again while it is read. */
import type { ShownRow } from '#backend/masterlist/registry/listed-row.ts'
import { ListText, rowPieces } from './list-text.ts'
import type { Compressed } from './packing.ts'
import { type Body, compressed, etagOf, packed } from './snapshot.ts'

/** Up to this many servers the list is at most a second behind, and its text is kept while it is read (docs/decisions/0024). */
export const PROMPT_SERVERS = 10_000

export const isPrompt = (servers: number): boolean => servers <= PROMPT_SERVERS

export class WholeRows {
  #text: ListText | undefined
  #previous: Promise<unknown> = Promise.resolve()

  /** One at a time, because they share the text's buffers. @param encodings are made at once, any other when it is asked for. */
  make(rows: readonly ShownRow[], encodings: readonly Compressed[]): Promise<Body> {
    const made = this.#previous.then(() => (isPrompt(rows.length) ? this.#copied(rows, encodings) : this.#written(rows, encodings)))
    this.#previous = made.catch(() => undefined)
    return made
  }

  /** Nobody reads it any more: the next one is written without a previous text. */
  forget(): void {
    this.#text = undefined
  }

  async #copied(rows: readonly ShownRow[], encodings: readonly Compressed[]): Promise<Body> {
    this.#text ??= new ListText()
    const { bytes, hashes } = await this.#text.write(rows)
    return compressed(bytes, etagOf(hashes), encodings, () => rowPieces(rows))
  }

  #written(rows: readonly ShownRow[], encodings: readonly Compressed[]): Promise<Body> {
    this.#text = undefined
    return packed(rows, encodings)
  }
}
