/** Which rows a filter lets through, and which of them a page has. */
import { type Place, isBehind } from './list-cursor.ts'
import { type Filters, fold } from './list-query.ts'
import type { ShownRow } from './listed-row.ts'
import { stepOf } from './publisher.ts'
import { breathe } from './snapshot.ts'

export interface Selection {
  readonly rows: readonly ShownRow[]
  /** What the next page begins behind; undefined where nothing follows. */
  readonly next: Place | undefined
}

/** Rows looked at between two breaths of the event loop: about a millisecond. */
const ROWS_IN_A_SLICE = 2000

/** @param all in the order of the list. @param limit how many at most. */
export async function select(all: readonly ShownRow[], filters: Filters, after: Place | undefined, limit: number): Promise<Selection> {
  const fits = filterOf(filters)
  const rows: ShownRow[] = []
  const first = after === undefined ? 0 : firstBehind(all, after)
  for (let index = first; index < all.length; index += 1) {
    if ((index - first) % ROWS_IN_A_SLICE === ROWS_IN_A_SLICE - 1) await breathe()
    const row = all[index]
    if (row === undefined || !fits(row)) continue
    const last = rows.at(-1)
    if (rows.length === limit && last !== undefined) return { rows, next: placeOfRow(last) }
    rows.push(row)
  }
  return { rows, next: undefined }
}

function placeOfRow(row: ShownRow): Place {
  return { step: stepOf(row), name: row.fields.name, publicId: row.fields.publicId }
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

/** The cheapest question first; texts are folded only where all else fits. */
function filterOf({ branch, language, tag, q }: Filters): (row: ShownRow) => boolean {
  return ({ fields, announced }) => {
    if (branch !== undefined && announced.branch !== branch) return false
    if (language !== undefined && fold(fields.language) !== language) return false
    if (tag !== undefined && !fields.tags.some((one) => fold(one) === tag)) return false
    if (q === undefined) return true
    const has = (text: string) => fold(text).includes(q)
    // The owner's game mode is the one that is shown.
    const gameMode = fields.gameMode === '' ? announced.gameMode : fields.gameMode
    return has(fields.name) || has(fields.vanityUrl) || has(gameMode) || fields.tags.some(has)
  }
}
