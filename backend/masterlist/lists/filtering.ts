/** Which rows a filter lets through, and which of them a page has. */
import { type Place, isBehind } from './list-cursor.ts'
import { type Filters, fold } from './list-query.ts'
import { breathe } from '#backend/platform/node-internals/breathe.ts'
import type { ShownRow } from '#backend/masterlist/registry/listed-row.ts'

export interface Selection {
  readonly rows: readonly ShownRow[]
  /** What the next page begins behind; undefined where nothing follows. */
  readonly next: Place | undefined
}

/** What is done between two breaths of the event loop: about a millisecond. It is counted in characters; a row and a text cost at least so many. */
const WORK_IN_A_SLICE = 150_000
const WORK_OF_A_ROW = 20
const WORK_OF_A_TEXT = 20

/** How much has been done since the last breath. */
interface Work {
  done: number
}

/** @param all in the order of the list. @param limit how many at most. */
export async function select(all: readonly ShownRow[], filters: Filters, after: Place | undefined, limit: number): Promise<Selection> {
  const work: Work = { done: 0 }
  const fits = filterOf(filters, work)
  const rows: ShownRow[] = []
  const first = after === undefined ? 0 : firstBehind(all, after)
  for (let index = first; index < all.length; index += 1) {
    if (work.done >= WORK_IN_A_SLICE) {
      await breathe()
      work.done = 0
    }
    const row = all[index]
    if (row === undefined || !fits(row)) continue
    const last = rows.at(-1)
    if (rows.length === limit && last !== undefined) return { rows, next: placeOfRow(last) }
    rows.push(row)
  }
  return { rows, next: undefined }
}

function placeOfRow(row: ShownRow): Place {
  return { step: row.step, name: row.fields.name, publicId: row.fields.publicId }
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
function filterOf({ branch, language, tag, q }: Filters, work: Work): (row: ShownRow) => boolean {
  const folded = (text: string) => {
    work.done += WORK_OF_A_TEXT + text.length
    return fold(text)
  }
  const has = (text: string) => folded(text).includes(q ?? '')
  return ({ fields, announced }) => {
    work.done += WORK_OF_A_ROW
    if (branch !== undefined && announced.setup.branch !== branch) return false
    if (language !== undefined && folded(fields.language) !== language) return false
    if (tag !== undefined && !fields.tags.some((one) => folded(one) === tag)) return false
    if (q === undefined) return true
    // The owner's game mode is the one that is shown.
    const gameMode = fields.gameMode === '' ? announced.setup.gameMode : fields.gameMode
    return has(fields.name) || has(fields.vanityUrl) || has(gameMode) || fields.tags.some(has)
  }
}
