/**
 * Divides the list into chunks by ranges of public IDs. The IDs are random, so halves of a range have about as many servers. A range that is
 * too large is halved, so a server that joins, leaves or changes concerns one chunk. All nodes make the same chunks.
 */
import type { PublishedRow } from '#backend/masterlist/registry/listed-row.ts'
import { BASE62 } from '#backend/platform/random-id.ts'

/** Compressed, such a chunk has about 20 KiB. */
export const MAX_CHUNK_BYTES = 256 * 1024
/** Ranges are not halved further than this. */
const MAX_DEPTH = 40

/** @param rows in any order. Returns the rows of each chunk, by public ID. */
export function partition(rows: readonly PublishedRow[]): readonly (readonly PublishedRow[])[] {
  const sorted = rows.toSorted((a, b) => (a.fields.publicId < b.fields.publicId ? -1 : 1))
  const positions = Float64Array.from(sorted, ({ fields }) => positionOf(fields.publicId))
  /** The bytes of all rows before one, with their commas. */
  const bytesBefore = new Float64Array(sorted.length + 1)
  for (const [index, row] of sorted.entries()) bytesBefore[index + 1] = (bytesBefore[index] ?? 0) + Buffer.byteLength(row.json) + 1
  const chunks: (readonly PublishedRow[])[] = []
  const divide = (from: number, to: number, start: number, size: number, depth: number): void => {
    if (from === to) return
    const bytes = (bytesBefore[to] ?? 0) - (bytesBefore[from] ?? 0) + 1
    if (bytes <= MAX_CHUNK_BYTES || to - from === 1 || depth === MAX_DEPTH) return void chunks.push(sorted.slice(from, to))
    const middle = start + size / 2
    const index = firstAtLeast(positions, middle, from, to)
    divide(from, index, start, size / 2, depth + 1)
    divide(index, to, middle, size / 2, depth + 1)
  }
  divide(0, sorted.length, 0, 1, 0)
  return chunks
}

/** Where an ID is between the first and the last possible one, from 0 to 1. */
function positionOf(publicId: string): number {
  let [position, size] = [0, 1]
  for (const character of publicId) {
    size /= BASE62.length
    position += BASE62.indexOf(character) * size
  }
  return position
}

function firstAtLeast(positions: Float64Array, value: number, from: number, to: number): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((positions[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}
