/** The list as columns equals the list as rows. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ListedServer } from '#contract/masterlist/masterlist.ts'
import { PublishedRow, listedServer } from '#backend/masterlist/registry/listed-row.ts'
import { announced, fieldsOf } from '#tests/list/registry.ts'
import type { Encoding } from '#backend/platform/http/negotiation.ts'
import { columnPieces } from './columns.ts'
import { parseListQuery } from './list-query.ts'
import { Snapshot } from './snapshot.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('', '"', '\\', '\n\u0000\u001f', '\u2028', '\ud83d', '\udc00ä😀', '","', '],"name":["'),
)

const publishedRow = fc
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
    const fields = fieldsOf('Ab3dE6g', { name, tags, cosmetics: { iconUrl, bannerUrl, joinBackgroundUrl: name, group, hasTheme: useCdn } })
    const live = { ...announced, useCdn, cdnUrl, gameMode: name }
    return new PublishedRow({ fields, announced: live, address, otherAddress: '', online: true, changedAt }, live)
  })

function expectedJson(rows: readonly PublishedRow[]): string {
  const listed = rows.map((row) => listedServer(row))
  const columns = Object.keys(ListedServer.shape).map((name) => [name, listed.map((row) => row[name as keyof ListedServer])])
  return JSON.stringify(Object.fromEntries(columns))
}

async function writeColumns(rows: readonly PublishedRow[]): Promise<string> {
  let text = ''
  for await (const piece of columnPieces(rows)) text += piece
  return text
}

test('columns are byte for byte the JSON of the rows’ fields, for any content', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(publishedRow, { maxLength: 8 }), async (rows) => {
      expect(await writeColumns(rows)).toBe(expectedJson(rows))
    }),
  )
})

test.each([0, 1, 199, 200, 201, 1000])('columns of %i rows have each row once', async (count) => {
  const rows = Array.from({ length: count }, (_, index) => {
    const fields = fieldsOf(`s${index}`, { name: `"ä" ${index}`, tags: [`${index}`] })
    return new PublishedRow({ fields, announced, address: '1.2.3.4', otherAddress: '', online: true, changedAt: index }, announced)
  })
  expect(await writeColumns(rows)).toBe(expectedJson(rows))
})

describe('columns of the whole list', () => {
  const query = parseListQuery('format=columns')
  const ENCODINGS = ['identity', 'gzip', 'br'] as const
  const EXPAND = { identity: (bytes: Buffer) => bytes, gzip: gunzipSync, br: brotliDecompressSync }

  /** Reads the columns as a request does. */
  async function read(snapshot: Snapshot, encoding: Encoding): Promise<Buffer> {
    if (query.kind !== 'rows') return expect.unreachable('The query has another kind.')
    const { version, body } = await snapshot.body(query, encoding, (build) => build())
    expect(version).toBe(snapshot.version)
    return await body.body(encoding)
  }

  const many = fc.sample(publishedRow, { numRuns: 3000, seed: 1 })
  const lists = [many, many.slice(500), [...many.slice(2000), ...many.slice(0, 1000)], many.toReversed(), many.slice(0, 1), [], many]

  test('are those of one version in every encoding, even for concurrent requests', async () => {
    const responses = lists.flatMap((rows, index) => {
      const snapshot = new Snapshot(String(index), rows)
      // The first reader builds them, and the others wait for the result.
      const encodings = [...ENCODINGS.slice(index % 3), ...ENCODINGS.slice(0, index % 3)]
      return encodings.map(async (encoding) => ({ rows, bytes: EXPAND[encoding](await read(snapshot, encoding)) }))
    })
    for (const { rows, bytes } of await Promise.all(responses)) expect(bytes.equals(Buffer.from(expectedJson(rows)))).toBe(true)
  })
})
