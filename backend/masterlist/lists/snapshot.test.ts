/** Snapshots: when the list is taken, and what its readers share. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ListedServer } from '#contract/masterlist/masterlist.ts'
import { PublishedRow, listedServer } from '#backend/masterlist/registry/listed-row.ts'
import { type Moment, Registry } from '#backend/masterlist/registry/registry.ts'
import type { OwnerFields } from '#backend/masterlist/registry/server-record.ts'
import { ChangeLog } from '#backend/masterlist/registry/change-log.ts'
import { addressOf, announced, credentialOf, fieldsOf } from '#tests/list/registry.ts'
import type { Encoding } from '#backend/platform/http/negotiation.ts'
import { LEGACY_LIST, type RowsQuery } from './list-query.ts'
import { Snapshot, Snapshots } from './snapshot.ts'

const WHOLE: RowsQuery = { ...LEGACY_LIST, key: 'whole', format: 'rows' }
const EXPAND = { identity: (bytes: Buffer) => bytes, gzip: gunzipSync, br: brotliDecompressSync }

/** A list without a database. Tests run its ticks and read it. */
class Node {
  uptime = 1000
  readonly registry = new Registry(75_000)
  readonly log = new ChangeLog()
  readonly snapshots = new Snapshots({ now: () => this.at().now, uptime: () => this.uptime }, this.log, { current: 'a' })

  constructor() {
    this.registry.onListChange = (server, change) => this.log.enqueue(server, change)
  }

  at(): Moment {
    return { uptime: this.uptime, now: 1_800_000_000_000 + this.uptime }
  }

  list(publicId: string, fields: Partial<OwnerFields> = {}, playersCount = 1): void {
    const credential = credentialOf(publicId)
    const server = this.registry.apply(fieldsOf(publicId, fields), [credential], this.at())
    this.registry.announce(server, credential, { ...announced, playersCount }, addressOf(server.publicId), this.at())
  }

  tick(saveMs = 0): void {
    const [changes, at] = [this.log.drain(), this.uptime]
    this.uptime += saveMs
    if (this.log.commit(changes, this.uptime)) this.snapshots.markStale(at)
  }

  async read(): Promise<string[]> {
    const rows = JSON.parse((await read(this.snapshots.current(), 'identity')).toString()) as ListedServer[]
    return rows.map(({ publicId }) => publicId)
  }
}

async function read(snapshot: Snapshot, encoding: Encoding): Promise<Buffer> {
  const { body } = await snapshot.body(WHOLE, encoding, (build) => build())
  return EXPAND[encoding](await body.body(encoding))
}

const row = (name: string, playersCount: number) =>
  new PublishedRow(
    { fields: fieldsOf('Ab3dE6g', { name }), announced, address: '1.2.3.4', otherAddress: '', online: true, changedAt: 1_800_000_000_000 },
    { ...announced, playersCount },
  )

const expectedJson = (rows: readonly PublishedRow[]) => JSON.stringify(rows.map((each) => listedServer(each)))

test('a change that took half a second to save is on the list within a second', async () => {
  const node = new Node()
  node.list('a')
  node.tick()
  expect(await node.read()).toEqual(['a'])
  node.list('b')
  node.tick(500)
  node.uptime += 450
  expect(await node.read()).toEqual(['a', 'b'])
})

test('readers share a list until a change that it lacks is 0.8 seconds old', async () => {
  const node = new Node()
  node.list('a')
  node.tick()
  const first = node.snapshots.current()
  node.uptime += 50_000
  expect(node.snapshots.current()).toBe(first)
  node.list('b')
  node.tick()
  node.uptime += 799
  node.list('c')
  node.tick()
  expect(node.snapshots.current()).toBe(first)
  node.uptime += 1
  expect(await node.read()).toEqual(['a', 'b', 'c'])
})

test.each([
  [10_000, 800],
  [20_000, 3200],
  [30_000, 7200],
  [100_000, 30_000],
])('a list of %i servers is shared for %i ms', (servers, ms) => {
  let uptime = 0
  const one = row('a', 1)
  const log = { rows: () => Array.from({ length: servers }, () => one) }
  const snapshots = new Snapshots({ now: () => uptime, uptime: () => uptime }, log, { current: 'a' })
  const first = snapshots.current()
  snapshots.markStale(0)
  uptime = ms - 1
  expect(snapshots.current()).toBe(first)
  uptime = ms
  expect(snapshots.current()).not.toBe(first)
})

test('a list without readers is released after a minute of changes', () => {
  const node = new Node()
  node.list('a')
  node.tick()
  const first = new WeakRef(node.snapshots.current())
  node.uptime += 60_001
  node.list('b')
  node.tick()
  expect(node.snapshots.current()).not.toBe(first.deref())
})

test('concurrent readers of one list share its build, and a failed build is tried again', async () => {
  const snapshot = new Snapshot('a', [row('a', 1)])
  let builds = 0
  const run = async <T>(build: () => Promise<T>): Promise<T> => {
    builds += 1
    if (builds === 1) throw new Error('no memory')
    return await build()
  }
  await expect(snapshot.body(WHOLE, 'gzip', run)).rejects.toThrow('no memory')
  const bodies = await Promise.all((['gzip', 'br', 'identity'] as const).map((encoding) => snapshot.body(WHOLE, encoding, run)))
  expect([builds, new Set(bodies).size]).toEqual([2, 1])
})

test('any rows are the same JSON in every encoding, and again in the next list', async () => {
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 2000 }), fc.constantFrom('', 'ä😀'.repeat(400), '\ud83d'))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(text, fc.nat(4096)), { maxLength: 12 }), async (names) => {
      const rows = names.map(([name, players]) => row(name, players))
      for (const listed of [rows, rows.toReversed()])
        for (const encoding of ['identity', 'gzip', 'br'] as const)
          expect((await read(new Snapshot('a', listed), encoding)).toString()).toBe(expectedJson(listed))
    }),
    { numRuns: 50 },
  )
})

test.each([0, 1, 99, 100, 101, 3000])('a list of %i rows is the same in every encoding', async (count) => {
  const rows = Array.from({ length: count }, (_, index) => row(`ä${index}`, index % 100))
  const snapshot = new Snapshot('a', rows)
  for (const encoding of ['gzip', 'br', 'identity'] as const) expect((await read(snapshot, encoding)).toString()).toBe(expectedJson(rows))
})

test('lists that differ in a row, order or length have different ETags, and equal ones the same', async () => {
  const rows = () => [row('a', 1), row('b', 1), row('b', 2)] as const
  const etagsOf = ([a, b, c]: ReturnType<typeof rows>) =>
    Promise.all(
      [[], [a], [a, a], [a, b], [b, a], [a, c]].map(
        async (listed) => (await new Snapshot('a', listed).body(WHOLE, 'gzip', (build) => build())).etag,
      ),
    )
  const etags = await etagsOf(rows())
  expect(new Set(etags).size).toBe(6)
  expect(await etagsOf(rows())).toEqual(etags)
})

test('a row of the previous list is not serialized again', async () => {
  const rows = Array.from({ length: 300 }, (_, index) => row(`ä${index}`, index))
  await read(new Snapshot('a', rows), 'gzip')
  for (const each of rows) Object.defineProperty(each, 'fields', { get: () => expect.unreachable('The row is serialized again.') })
  const bytes = await read(new Snapshot('b', [row('new', 1), ...rows.toReversed()]), 'gzip')
  const names = (JSON.parse(bytes.toString()) as { name: string }[]).map(({ name }) => name)
  expect(names).toEqual(['new', ...rows.map((_, index) => `ä${index}`).toReversed()])
})

test('after any sequence of additions, removals and changes, the list has each server once and in order', () => {
  const step = fc.record({
    act: fc.constantFrom('list' as const, 'list' as const, 'remove' as const, 'tick' as const, 'read' as const),
    id: fc.nat(9),
    name: fc.constantFrom('a', 'b', 'ä', 'C'),
    players: fc.nat(2),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const node = new Node()
      for (const { act, id, name, players } of steps) {
        if (act === 'list') node.list(`s${id}`, { name }, players)
        else if (act === 'remove') node.registry.remove(`s${id}`, node.at())
        else if (act === 'tick') node.tick()
        else {
          const rows = node.log.rows()
          const keys = rows.map(({ rank, fields }) => `${String(rank).padStart(5, '0')} ${fields.name} ${fields.publicId}`)
          expect(keys).toEqual(keys.toSorted((a, b) => (a < b ? -1 : 1)))
          expect(new Set(rows.map(({ fields }) => fields.publicId)).size).toBe(node.log.servers)
        }
      }
    }),
  )
})
