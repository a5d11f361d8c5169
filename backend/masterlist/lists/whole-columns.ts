/** The columns of the whole list, which many read again and again. */
import type { ShownRow } from '#backend/masterlist/registry/listed-row.ts'
import type { Encoding } from '#backend/masterlist/wire/negotiation.ts'
import { ColumnsText } from './columns-text.ts'
import { OneByOne } from './one-by-one.ts'
import { COMPRESSED, keptFor } from './packing.ts'
import { isPrompt } from './prompt.ts'
import { Body, type Variants, compressed, etagOf, packedColumns } from './snapshot.ts'

/** How long a prompt list's columns are kept as text, to copy the next ones from: some 11 MB at its largest. */
const TEXT_KEPT_MS = 10_000

export class WholeColumns {
  #text: ColumnsText | undefined
  #lettingGo: NodeJS.Timeout | undefined
  /** They share the text. */
  readonly #inOrder = new OneByOne()
  /** What the last ones were read in: it is made at once, because what they are made of is written over. */
  #read = new Set<Encoding>()

  of(rows: readonly ShownRow[], encoding: Encoding): Promise<Variants> {
    if (isPrompt(rows.length)) return this.#inOrder.run(() => this.#prompt(rows, encoding))
    return this.#large(rows, encoding)
  }

  async #large(rows: readonly ShownRow[], encoding: Encoding): Promise<Variants> {
    this.#text = undefined
    const body = await packedColumns(rows, [keptFor(encoding)])
    await body.body(encoding)
    return body
  }

  async #prompt(rows: readonly ShownRow[], encoding: Encoding): Promise<Variants> {
    clearTimeout(this.#lettingGo)
    try {
      const body = await this.#bodyOf(rows, encoding)
      const read = (this.#read = new Set([encoding]))
      const noting = (asked: Encoding) => {
        read.add(asked)
        return body.body(asked)
      }
      return { etag: body.etag, body: noting }
    } finally {
      this.#lettingGo = setTimeout(() => (this.#text = undefined), TEXT_KEPT_MS).unref()
    }
  }

  /** Nothing of it lies in the text any more. */
  async #bodyOf(rows: readonly ShownRow[], encoding: Encoding): Promise<Body> {
    this.#text ??= new ColumnsText()
    const { bytes, hashes } = await this.#text.write(rows)
    const etag = etagOf(Buffer.concat([COLUMNS, hashes]))
    if (encoding === 'identity') return new Body(etag, { identity: Buffer.from(bytes) })
    const encodings = COMPRESSED.filter((one) => one === encoding || this.#read.has(one))
    return compressed(bytes, etag, encodings)
  }
}

/** The same rows as an array are another body. */
const COLUMNS = Buffer.from('columns')
