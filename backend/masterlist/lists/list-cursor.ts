/** Where a page of the list ends, as its reader hands it back: the keys that the list is sorted by, of the page's last row. */

export interface Place {
  /** What the list is sorted by first (publisher.ts). */
  readonly step: number
  readonly name: string
  readonly publicId: string
}

/** Longer ones were never given. */
const MOST_NAME_CHARACTERS = 256

export function cursorOf({ step, name, publicId }: Place): string {
  return Buffer.from(JSON.stringify([step, name, publicId])).toString('base64url')
}

/** Undefined for what no list has given. */
export function placeOf(cursor: string): Place | undefined {
  if (!/^[\w-]+$/.test(cursor)) return undefined
  let read: unknown
  try {
    read = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
  if (!Array.isArray(read) || read.length !== 3) return undefined
  const [step, name, publicId] = read as unknown[]
  if (typeof step !== 'number' || !Number.isSafeInteger(step) || step < 0) return undefined
  if (typeof name !== 'string' || name.length > MOST_NAME_CHARACTERS) return undefined
  return typeof publicId === 'string' && /^[0-9A-Za-z]{7}$/.test(publicId) ? { step, name, publicId } : undefined
}

/** Whether a row stands behind the place. */
export function isBehind(place: Place, row: Place): boolean {
  if (row.step !== place.step) return row.step > place.step
  if (row.name !== place.name) return row.name > place.name
  return row.publicId > place.publicId
}
