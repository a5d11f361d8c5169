/**
 * Divides the list into chunks by ranges of public IDs. The IDs are random, so halves of a range have about as many servers. A range that is
 * too large is halved, so a server that joins, leaves or changes concerns one chunk. All nodes make the same chunks.
 */
import type { PublishedRow } from '#backend/masterlist/registry/listed-row.ts'
import { BASE62 } from '#backend/platform/random-id.ts'

/** About as many bytes: most characters of a row take one, and counting bytes takes ten times as long. Compressed, it is about 20 KiB. */
export const MAX_CHUNK_CHARACTERS = 256 * 1024
/** All public IDs: seven characters in base 62, whose order is that of the texts. */
const IDS = BASE62.length ** 7
const DIGITS = Uint8Array.from({ length: 128 }, (_, code) => Math.max(0, BASE62.indexOf(String.fromCharCode(code))))

/** @param rows in any order. Returns the rows of each chunk, by public ID. */
export function partition(rows: readonly PublishedRow[]): readonly (readonly PublishedRow[])[] {
  // Numbers are sorted ten times as fast as rows.
  const numbers = Float64Array.from(rows, ({ fields }) => numberOf(fields.publicId))
  const byNumber = new Map(rows.map((row, index) => [numbers[index] ?? 0, row]))
  numbers.sort()
  const sorted = Array.from(numbers, (number) => byNumber.get(number)).filter((row) => row !== undefined)
  /** The characters of all rows before one, with their commas. */
  const charactersBefore = new Float64Array(sorted.length + 1)
  for (const [index, row] of sorted.entries()) charactersBefore[index + 1] = (charactersBefore[index] ?? 0) + row.json.length + 1
  const chunks: (readonly PublishedRow[])[] = []
  const divide = (from: number, to: number, start: number, size: number): void => {
    if (from === to) return
    const characters = (charactersBefore[to] ?? 0) - (charactersBefore[from] ?? 0) + 1
    if (characters <= MAX_CHUNK_CHARACTERS || to - from === 1) return void chunks.push(sorted.slice(from, to))
    const middle = start + size / 2
    const index = firstAtLeast(numbers, middle, from, to)
    divide(from, index, start, size / 2)
    divide(index, to, middle, size / 2)
  }
  divide(0, sorted.length, 0, IDS)
  return chunks
}

function numberOf(publicId: string): number {
  let number = 0
  for (let at = 0; at < publicId.length; at += 1) number = number * BASE62.length + (DIGITS[publicId.charCodeAt(at)] ?? 0)
  return number
}

function firstAtLeast(numbers: Float64Array, value: number, from: number, to: number): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}
