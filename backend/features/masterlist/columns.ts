/** `?format=columns`: the same rows as one array a field. A field's values beside each other compress better than rows do. */
import { ListedServer } from '#contract/masterlist.ts'
import { type ShownRow, listedServer } from './listed-row.ts'
import { breathe } from './snapshot.ts'

const FIELDS = Object.keys(ListedServer.shape) as (keyof ListedServer)[]
/** Rows taken, and values written, between two breaths of the event loop: about a millisecond. */
const ROWS_IN_A_SLICE = 1000
const VALUES_IN_A_SLICE = 30_000

/** Writes the columns in slices, so that announces are answered in between. */
export async function writeColumns(rows: readonly ShownRow[]): Promise<Buffer> {
  const columns = FIELDS.map((name) => ({ name, values: [] as unknown[] }))
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_IN_A_SLICE === ROWS_IN_A_SLICE - 1) await breathe()
    const listed = listedServer(row)
    for (const { name, values } of columns) values.push(listed[name])
  }
  const parts: Buffer[] = []
  let since = 0
  for (const { name, values } of columns) {
    parts.push(Buffer.from(`${parts.length === 0 ? '{' : ','}"${name}":[`))
    for (let from = 0; from < values.length; from += VALUES_IN_A_SLICE) {
      const slice = values.slice(from, from + VALUES_IN_A_SLICE)
      parts.push(Buffer.from(`${from === 0 ? '' : ','}${JSON.stringify(slice).slice(1, -1)}`))
      since += slice.length
      if (since < VALUES_IN_A_SLICE) continue
      since = 0
      await breathe()
    }
    parts.push(Buffer.from(']'))
  }
  parts.push(Buffer.from('}'))
  return Buffer.concat(parts)
}
