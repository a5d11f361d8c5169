/** `?format=columns`: the same rows as one array a field. A field's values beside each other compress better than rows do. */
import { ListedServer } from '#contract/masterlist.ts'
import { breathe } from '#backend/breathe.ts'
import { LISTED, type ShownRow } from './listed-row.ts'

const FIELDS = Object.keys(ListedServer.shape) as (keyof ListedServer)[]
/**
 * Rows whose columns are written one after the other while they lie in the processor's cache: column by column over all rows takes several
 * times as long. About a millisecond.
 */
const ROWS_IN_A_SLICE = 200
const CHARACTERS_IN_A_SLICE = 1_000_000
const BYTES_IN_A_SLICE = 2 * 1024 * 1024

/** Writes the columns in slices, so that announces are answered in between. */
export async function writeColumns(rows: readonly ShownRow[]): Promise<Buffer> {
  const columns = FIELDS.map((name) => ({ name, valueOf: LISTED[name] as (row: ShownRow) => unknown, texts: [] as string[] }))
  for (let from = 0; from < rows.length; from += ROWS_IN_A_SLICE) {
    const slice = rows.slice(from, from + ROWS_IN_A_SLICE)
    for (const { valueOf, texts } of columns) texts.push(JSON.stringify(slice.map((row) => valueOf(row))).slice(1, -1))
    await breathe()
  }
  const parts: Buffer[] = []
  for (const { name, texts } of columns) {
    parts.push(Buffer.from(`${parts.length === 0 ? '{' : ','}"${name}":[`))
    for await (const piece of inPieces(texts)) parts.push(Buffer.from(piece))
    parts.push(Buffer.from(']'))
  }
  parts.push(Buffer.from('}'))
  return joined(parts)
}

/** The texts with commas between them, so many at once as are written in a millisecond. */
async function* inPieces(texts: readonly string[]): AsyncGenerator<string> {
  let piece = ''
  for (const [index, text] of texts.entries()) {
    piece += index === 0 ? text : `,${text}`
    if (piece.length < CHARACTERS_IN_A_SLICE) continue
    yield piece
    piece = ''
    await breathe()
  }
  yield piece
}

/** What `Buffer.concat` does: tens of megabytes are a pause. */
async function joined(parts: readonly Buffer[]): Promise<Buffer> {
  const whole = Buffer.allocUnsafe(parts.reduce((sum, { length }) => sum + length, 0))
  let [at, copied] = [0, 0]
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
    if (at - copied < BYTES_IN_A_SLICE) continue
    copied = at
    await breathe()
  }
  return whole
}
