/** How the list is divided into chunks. */
import { describe, expect, test } from 'vitest'
import type { PublishedRow } from '#backend/masterlist/registry/listed-row.ts'
import { randomBase62 } from '#backend/platform/random-id.ts'
import { MAX_CHUNK_CHARACTERS, partition } from './partition.ts'

const rowOf = (publicId: string, bytes = 800) => ({ fields: { publicId }, json: 'x'.repeat(bytes) }) as unknown as PublishedRow
const idsOf = (rows: readonly PublishedRow[]) => rows.map(({ fields }) => fields.publicId)
const bytesOf = (rows: readonly PublishedRow[]) => rows.reduce((sum, { json }) => sum + Buffer.byteLength(json) + 1, 1)
const rows = Array.from({ length: 10_000 }, () => rowOf(randomBase62(7)))

describe('partition', () => {
  test('each server is in one chunk, ascending by ID, and no chunk is too large or tiny', () => {
    const chunks = partition(rows)
    expect(chunks.flatMap(idsOf)).toEqual(idsOf(rows).toSorted())
    const sizes = chunks.map(bytesOf)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_CHUNK_CHARACTERS)
    expect(chunks.length).toBeLessThan(100)
  })

  test('the order of the list does not matter, and a server that joins concerns one chunk', () => {
    const before = partition(rows).map((chunk) => idsOf(chunk).join())
    expect(partition(rows.toReversed()).map((chunk) => idsOf(chunk).join())).toEqual(before)
    const after = partition([...rows, rowOf('ZZZZZZZ')]).map((chunk) => idsOf(chunk).join())
    const isSplit = after.length > before.length
    expect(after.filter((ids) => !before.includes(ids))).toHaveLength(isSplit ? 2 : 1)
  })

  test('an empty list has no chunks, and a row that is larger than a chunk is one of its own', () => {
    expect(partition([])).toEqual([])
    const huge = rowOf('0aaaaaa', MAX_CHUNK_CHARACTERS)
    expect(partition([rowOf('0aaaaab'), huge]).map(idsOf)).toEqual([['0aaaaaa'], ['0aaaaab']])
  })
})
