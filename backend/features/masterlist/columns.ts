/** `?format=columns`: the same rows as one array a field. A field's values beside each other compress better than rows do. */
import { ListedServer } from '#contract/masterlist.ts'
import { breathe } from '#backend/breathe.ts'
import { LISTED, type ShownRow } from './listed-row.ts'

const FIELDS = Object.keys(ListedServer.shape) as (keyof ListedServer)[]
/** What is done between two breaths of the event loop: about a millisecond. A value costs at least so many characters. */
const ROWS_IN_A_SLICE = 5000
const CHARACTERS_IN_A_SLICE = 150_000
const WORK_OF_A_VALUE = 8
/** Of a group. */
const WORK_OF_AN_OBJECT = 200
const BYTES_IN_A_SLICE = 2 * 1024 * 1024

/** Writes the columns in slices, so that announces are answered in between. */
export async function writeColumns(rows: readonly ShownRow[]): Promise<Buffer> {
  const parts: Buffer[] = []
  for (const name of FIELDS) {
    const valueOf: (row: ShownRow) => unknown = LISTED[name]
    parts.push(Buffer.from(`${parts.length === 0 ? '{' : ','}"${name}":[`))
    for (let first = 0; first < rows.length; first += ROWS_IN_A_SLICE) {
      const values = rows.slice(first, first + ROWS_IN_A_SLICE).map((row) => valueOf(row))
      for (let from = 0; from < values.length;) {
        const to = endOfSlice(values, from)
        parts.push(Buffer.from(`${first + from === 0 ? '' : ','}${JSON.stringify(values.slice(from, to)).slice(1, -1)}`))
        from = to
        await breathe()
      }
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
