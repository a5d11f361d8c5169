/** Selects the rows of a query. */
import { breathe } from '#backend/platform/node-internals/breathe.ts'
import type { ShownRow } from '#backend/masterlist/registry/listed-row.ts'
import { type Filters, type Place, fold, isBehind } from './list-query.ts'

/** About a millisecond, in characters; a row and a text cost at least this many. */
const WORK_PER_SLICE = 150_000
const WORK_PER_ROW = 20
const WORK_PER_TEXT = 20

/** @param all in the order of the list. @returns `next`, after which the next page begins; undefined where no row follows. */
export async function select(
  all: readonly ShownRow[],
  filters: Filters,
  after: Place | undefined,
  limit: number,
): Promise<{ readonly rows: readonly ShownRow[]; readonly next: Place | undefined }> {
  const work = { done: 0 }
  const matches = matcherOf(filters, work)
  const rows: ShownRow[] = []
  for (let index = after === undefined ? 0 : firstBehind(all, after); index < all.length; index += 1) {
    if (work.done >= WORK_PER_SLICE) {
      await breathe()
      work.done = 0
    }
    const row = all[index]
    if (row === undefined || !matches(row)) continue
    const last = rows.at(-1)
    if (rows.length === limit && last !== undefined) return { rows, next: placeOfRow(last) }
    rows.push(row)
  }
  return { rows, next: undefined }
}

function placeOfRow({ step, fields: { name, publicId } }: ShownRow): Place {
  return { step, name, publicId }
}

function firstBehind(all: readonly ShownRow[], place: Place): number {
  let [low, high] = [0, all.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const row = all[middle]
    if (row === undefined || isBehind(place, placeOfRow(row))) high = middle
    else low = middle + 1
  }
  return low
}

/** The cheapest comparison first: texts are folded only where everything else matches. */
function matcherOf({ branch, language, tag, q }: Filters, work: { done: number }): (row: ShownRow) => boolean {
  const folded = (text: string) => {
    work.done += WORK_PER_TEXT + text.length
    return fold(text)
  }
  const has = (text: string) => folded(text).includes(q ?? '')
  return ({ fields, announced }) => {
    work.done += WORK_PER_ROW
    if (branch !== undefined && announced.setup.branch !== branch) return false
    if (language !== undefined && folded(fields.language) !== language) return false
    if (tag !== undefined && !fields.tags.some((one) => folded(one) === tag)) return false
    if (q === undefined) return true
    // The list shows the owner's game mode before the announced one.
    const gameMode = fields.gameMode === '' ? announced.setup.gameMode : fields.gameMode
    return has(fields.name) || has(fields.vanityUrl) || has(gameMode) || fields.tags.some(has)
  }
}
