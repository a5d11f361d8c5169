/** The JSON text of the list, with rows copied from the previous text. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PublishedRow, listedServer } from '#backend/masterlist/registry/listed-row.ts'
import { announced, fieldsOf } from '#backend/masterlist/registry/test-registry.ts'
import { ListText } from './list-text.ts'
import { compressRows } from './snapshot.ts'

const row = (name: string, playersCount: number) =>
  new PublishedRow(
    { fields: fieldsOf('Ab3dE6g', { name }), announced, address: '1.2.3.4', online: true, changedAt: 1_800_000_000_000 },
    { ...announced, playersCount },
  )

const expectedJson = (rows: readonly PublishedRow[]) => JSON.stringify(rows.map((each) => listedServer(each)))

test('a text with rows copied from the previous text equals byte for byte a newly written one', async () => {
  const rows = fc.array(
    fc.tuple(fc.oneof(fc.string({ unit: 'binary', maxLength: 2000 }), fc.constantFrom('', 'ä😀'.repeat(400))), fc.nat(4096)),
    { maxLength: 12 },
  )
  const step = fc.record({ added: rows, keep: fc.nat(3) })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
      let published: PublishedRow[] = []
      const text = new ListText()
      for (const { added, keep } of steps) {
        // Some rows are removed, the others are reordered, and new ones are inserted.
        published = [
          ...published.filter((_, index) => index % 4 <= keep),
          ...added.map(([name, players]) => row(name, players)),
        ].toReversed()
        const copied = await text.write(published)
        expect(copied.bytes.toString()).toBe(expectedJson(published))
        expect(copied.hashes).toEqual((await new ListText().write(published)).hashes)
      }
    }),
  )
})

test('runs of rows and single rows are copied to their positions', async () => {
  const rows = Array.from({ length: 9000 }, (_, index) => row(`ä${index}`, index % 100))
  const text = new ListText()
  await text.write(rows)
  const added = row('new', 1)
  const moved = [...rows.slice(5000), added, ...rows.slice(10, 4990), ...rows.slice(0, 10).toReversed()]
  for (const published of [moved, [...moved, row('last', 0)], rows.slice(1), [], [added], rows]) {
    const { bytes, hashes } = await text.write(published)
    expect(bytes.equals(Buffer.from(expectedJson(published)))).toBe(true)
    expect(hashes).toEqual((await new ListText().write(published)).hashes)
  }
})

test('lists that differ in a row, order or length have different hashes', async () => {
  const [a, b, c] = [row('a', 1), row('b', 1), row('b', 2)]
  const lists = [[], [a], [a, a], [a, b], [b, a], [a, c]]
  const hashes = await Promise.all(lists.map(async (rows) => (await new ListText().write(rows)).hashes.toString('hex')))
  expect(new Set(hashes).size).toBe(lists.length)
})

test('a row of the previous list is copied, not serialized again', async () => {
  const text = new ListText()
  const rows = Array.from({ length: 300 }, (_, index) => row(`ä${index}`, index))
  await text.write(rows)
  for (const each of rows) Object.defineProperty(each, 'fields', { get: () => expect.unreachable('The row is serialized again.') })
  const added = row('new', 1)
  const { bytes } = await text.write([added, ...rows.toReversed()])
  const names = (JSON.parse(bytes.toString()) as { name: string }[]).map(({ name }) => name)
  expect(names).toEqual(['new', ...rows.map((_, index) => `ä${index}`).toReversed()])
})

test.each([0, 1, 1999, 2000, 2001, 4000])(
  'a list of %i rows that is compressed while it is written is the same in each encoding, after a longer list',
  async (count) => {
    const rows = Array.from({ length: count }, (_, index) => row(`ä${index}`, index % 100))
    const longer = Array.from({ length: 2100 }, (_, index) => row('x'.repeat(900) + String(index), 1))
    const etags = new Set<string>()
    for (const encodings of [['gzip'], ['br'], ['gzip', 'br']] as const) {
      await compressRows(longer.slice(encodings.length), encodings)
      const body = await compressRows(rows, encodings)
      expect(gunzipSync(await body.body('gzip')).toString()).toBe(expectedJson(rows))
      expect(brotliDecompressSync(await body.body('br')).toString()).toBe(expectedJson(rows))
      expect((await body.body('identity')).toString()).toBe(expectedJson(rows))
      etags.add(body.etag)
    }
    expect(etags.size).toBe(1)
  },
)
