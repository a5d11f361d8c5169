import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ListedServer } from '#contract/masterlist.ts'
import { ShownRow } from '#backend/masterlist/registry/listed-row.ts'
import { announced, fieldsOf, listedServer } from '#backend/masterlist/registry/test-registry.ts'
import type { Encoding } from '#backend/masterlist/wire/negotiation.ts'
import { ColumnsText } from './columns-text.ts'
import { columnPieces } from './columns.ts'
import { ListBodies } from './list-bodies.ts'
import { ListText } from './list-text.ts'
import { askedBy } from './list-query.ts'
import type { Snapshot } from './snapshot.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('', '"', '\\', '\n\u0000\u001f', '\u2028', '\ud83d', '\udc00ä😀', '","', '],"name":["'),
)

const shown = fc
  .record({
    name: text,
    tags: fc.array(text, { maxLength: 3 }),
    iconUrl: fc.option(text),
    bannerUrl: text,
    group: fc.option(fc.record({ id: text, name: text })),
    useCdn: fc.boolean(),
    cdnUrl: text,
    address: fc.oneof(fc.ipV4(), fc.ipV6()),
    changedAt: fc.nat(4_000_000_000_000),
  })
  .map(({ name, tags, iconUrl, bannerUrl, group, useCdn, cdnUrl, address, changedAt }) => {
    const fields = fieldsOf('Ab3dE6g', { name, tags, looks: { iconUrl, bannerUrl, joinBackgroundUrl: name, group, hasSkin: useCdn } })
    const live = { ...announced, setup: { ...announced.setup, useCdn, cdnUrl, gameMode: name } }
    return new ShownRow({ fields, announced: live, address, online: true, changedAt }, live)
  })

function json(rows: readonly ShownRow[]): string {
  const listed = rows.map((row) => listedServer(row))
  const columns = Object.keys(ListedServer.shape).map((name) => [name, listed.map((row) => row[name as keyof ListedServer])])
  return JSON.stringify(Object.fromEntries(columns))
}

async function writtenAnew(rows: readonly ShownRow[]): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of columnPieces(rows)) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

test('columns are, byte for byte, the JSON of the rows’ fields, whatever these say', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(shown, { maxLength: 8 }), async (rows) => {
      expect((await writtenAnew(rows)).toString()).toBe(json(rows))
    }),
  )
})

test.each([0, 1, 199, 200, 201, 1000])('columns of %i rows have each of them once', async (count) => {
  const rows = Array.from({ length: count }, (_, index) => {
    const fields = fieldsOf(`s${index}`, { name: `"ä" ${index}`, tags: [`${index}`] })
    return new ShownRow({ fields, announced, address: '1.2.3.4', online: true, changedAt: index }, announced)
  })
  expect((await writtenAnew(rows)).toString()).toBe(json(rows))
})

describe('columns of which the last ones are kept', () => {
  const row = (index: number) => {
    const fields = fieldsOf(`s${index}`, { name: index % 3 === 0 ? `"ä" ${index}` : `plain ${index}`, tags: [`${index}`] })
    return new ShownRow({ fields, announced, address: '1.2.3.4', online: true, changedAt: index }, announced)
  }
  const rowsFrom = (first: number, count: number) => Array.from({ length: count }, (_, index) => row(first + index))
  const isSame = (bytes: Buffer, rows: readonly ShownRow[]) => bytes.equals(Buffer.from(json(rows)))

  test('are, byte for byte, those written anew, however rows change, move, come and go', async () => {
    const step = fc.record({ added: fc.array(shown, { maxLength: 8 }), keep: fc.nat(3) })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
        let rows: ShownRow[] = []
        const text = new ColumnsText()
        for (const { added, keep } of steps) {
          rows = [...rows.filter((_, index) => index % 4 <= keep), ...added].toReversed()
          const { bytes, hashes } = await text.write(rows)
          expect(bytes.toString()).toBe(json(rows))
          expect(hashes).toEqual((await new ListText().write(rows)).hashes)
        }
      }),
    )
  })

  test('are right at the edges of slices and runs, and where the list shrinks and grows', async () => {
    const rows = rowsFrom(0, 2500)
    const text = new ColumnsText()
    const lists = [
      rows,
      rows.slice(1),
      [...rows.slice(1200), row(9000), ...rows.slice(0, 1200).toReversed()],
      rows.map((one, index) => (index % 7 === 0 ? row(index) : one)),
      rowsFrom(0, 200),
      [],
      rows.slice(0, 1),
      [...rows.slice(0, 1), ...rowsFrom(1, 201)],
      [...rows, ...rowsFrom(2500, 2500)],
      rows,
    ]
    for (const list of lists) {
      const { bytes, hashes } = await text.write(list)
      expect(isSame(bytes, list)).toBe(true)
      expect(hashes).toEqual((await new ListText().write(list)).hashes)
    }
  })

  test('are copied, not written anew, where the row stood in the ones before', async () => {
    const text = new ColumnsText()
    const rows = rowsFrom(0, 300)
    await text.write(rows)
    for (const one of rows) Object.defineProperty(one, 'fields', { get: () => expect.unreachable('It is written again.') })
    const { name } = JSON.parse((await text.write([row(300), ...rows.toReversed()])).bytes.toString()) as { name: string[] }
    expect(name.map((one) => Number(one.split(' ')[1]))).toEqual(Array.from({ length: 301 }, (_, index) => 300 - index))
  })

  test('are right after ones that could not be written', async () => {
    const text = new ColumnsText()
    const rows = rowsFrom(0, 500)
    await text.write(rows)
    const bad = new ShownRow(
      { fields: fieldsOf('x', { tags: undefined as never }), announced, address: '', online: true, changedAt: 1 },
      announced,
    )
    await expect(text.write([...rows.toReversed(), bad])).rejects.toThrow(/iterable/)
    const next = [row(600), ...rows.slice(100)]
    expect(isSame((await text.write(next)).bytes, next)).toBe(true)
  })
})

describe('columns of the whole list', () => {
  const asked = askedBy('format=columns')
  const snapshotOf = (version: string, rows: readonly ShownRow[]): Snapshot => ({ version, rows })
  const ENCODINGS = ['identity', 'gzip', 'br'] as const
  const EXPAND = { identity: (bytes: Buffer) => bytes, gzip: gunzipSync, br: brotliDecompressSync }

  /** Asks as readers do. */
  async function read(bodies: ListBodies, snapshot: Snapshot, encoding: Encoding): Promise<Buffer> {
    if (asked.kind !== 'rows') return expect.unreachable('It is another question.')
    const body = await (bodies.find(asked, snapshot) ?? bodies.make(asked, snapshot, encoding, (make) => make()))
    expect(body?.version).toBe(snapshot.version)
    return body?.variants.body(encoding) ?? expect.unreachable('It was refused.')
  }

  const many = fc.sample(shown, { numRuns: 3000, seed: 1 })
  const lists = [many, many.slice(500), [...many.slice(2000), ...many.slice(0, 1000)], many.toReversed(), many.slice(0, 1), [], many]

  test('are those of their own version, in each encoding, whichever they are asked for while others are made', async () => {
    const bodies = new ListBodies()
    // From now on there is a text that others could write over.
    for (const version of ['a', 'b']) await read(bodies, snapshotOf(version, many), 'gzip')
    const answers = lists.flatMap((rows, index) => {
      const snapshot = snapshotOf(String(index), rows)
      // The first makes them, the others wait for the same.
      const encodings = [...ENCODINGS.slice(index % 3), ...ENCODINGS.slice(0, index % 3)]
      return encodings.map(async (encoding) => ({ rows, bytes: EXPAND[encoding](await read(bodies, snapshot, encoding)) }))
    })
    for (const { rows, bytes } of await Promise.all(answers)) expect(bytes.equals(Buffer.from(json(rows)))).toBe(true)
  })

  test('that somebody still reads stay as they are when those of later versions are made', async () => {
    const bodies = new ListBodies()
    const held: [readonly ShownRow[], Buffer][] = []
    for (const [index, rows] of lists.entries()) held.push([rows, await read(bodies, snapshotOf(String(index), rows), 'identity')])
    for (const [rows, bytes] of held) expect(bytes.equals(Buffer.from(json(rows)))).toBe(true)
  })

  describe('are written anew', () => {
    afterEach(() => void vi.useRealTimers())

    const rows = many.slice(0, 300)
    /** How many rows are written, not copied. */
    const writtenIn = async (act: () => Promise<unknown>) => {
      const spies = rows.map((row) => {
        const { fields } = row
        const spy = vi.fn(() => fields)
        Object.defineProperty(row, 'fields', { get: spy, configurable: true })
        return spy
      })
      await act()
      return spies.filter((spy) => spy.mock.calls.length > 0).length
    }

    test('when nobody has asked for them for ten seconds', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const bodies = new ListBodies()
      const next = async (version: string) => writtenIn(() => read(bodies, snapshotOf(version, rows), 'gzip'))
      expect(await next('a')).toBe(300)
      vi.advanceTimersByTime(9000)
      expect(await next('b')).toBe(0)
      vi.advanceTimersByTime(9000)
      expect(await next('c')).toBe(0)
      vi.advanceTimersByTime(11_000)
      expect(await next('d')).toBe(300)
    })

    test('after the list has had more than 10,000 rows', async () => {
      const bodies = new ListBodies()
      const large = [...many, ...many, ...many, ...many]
      expect(await writtenIn(() => read(bodies, snapshotOf('a', rows), 'gzip'))).toBe(300)
      const bytes = gunzipSync(await read(bodies, snapshotOf('b', large), 'gzip'))
      expect(bytes.equals(Buffer.from(json(large)))).toBe(true)
      expect(await writtenIn(() => read(bodies, snapshotOf('c', rows), 'gzip'))).toBe(300)
    })
  })
})
