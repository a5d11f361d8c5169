/** `?format=columns`: the same rows as one array a field. A field's values beside each other compress better than rows do. */
import { ListedServer } from '#contract/masterlist.ts'
import { type ShownRow, listedServer } from './listed-row.ts'
import { breathe } from './snapshot.ts'

const FIELDS = Object.keys(ListedServer.shape) as (keyof ListedServer)[]
/** What is done between two breaths of the event loop: about a millisecond. A value costs at least so many characters. */
const ROWS_IN_A_SLICE = 500
const CHARACTERS_IN_A_SLICE = 150_000
const WORK_OF_A_VALUE = 8
/** Of a group. */
const WORK_OF_AN_OBJECT = 200
const BYTES_IN_A_SLICE = 2 * 1024 * 1024

/** Writes the columns in slices, so that announces are answered in between. */
export async function writeColumns(rows: readonly ShownRow[]): Promise<Buffer> {
  const columns = FIELDS.map((name) => ({ name, values: [] as unknown[] }))
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_IN_A_SLICE === ROWS_IN_A_SLICE - 1) await breathe()
    const listed = listedServer(row)
    for (const { name, values } of columns) values.push(listed[name])
  }
  const parts: Buffer[] = []
  for (const { name, values } of columns) {
    parts.push(Buffer.from(`${parts.length === 0 ? '{' : ','}"${name}":[`))
    for (let from = 0; from < values.length;) {
      const to = endOfSlice(values, from)
      parts.push(Buffer.from(`${from === 0 ? '' : ','}${JSON.stringify(values.slice(from, to)).slice(1, -1)}`))
      from = to
      await breathe()
    }
    parts.push(Buffer.from(']'))
  }
  parts.push(Buffer.from('}'))
  return joined(parts)
}

function endOfSlice(values: readonly unknown[], from: number): number {
  let to = from
  for (let work = 0; to < values.length && work < CHARACTERS_IN_A_SLICE; to += 1) work += WORK_OF_A_VALUE + lengthOf(values[to])
  return to
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + WORK_OF_A_VALUE + lengthOf(one), 0)
  return typeof value === 'object' && value !== null ? WORK_OF_AN_OBJECT : 0
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
