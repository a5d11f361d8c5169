/** The publisher: when the list is built, in which encodings, and for how long it stays in memory. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ListedServer } from '#contract/masterlist.ts'
import { listedServer } from '#backend/masterlist/registry/listed-row.ts'
import { inListOrder } from '#backend/masterlist/registry/list-order.ts'
import { type Moment, Registry } from '#backend/masterlist/registry/registry.ts'
import type { OwnerFields } from '#backend/masterlist/registry/server-record.ts'
import { ChangeLog } from '#backend/masterlist/registry/change-log.ts'
import { announced, credentialOf, fieldsOf } from '#backend/masterlist/registry/test-registry.ts'
import type { Encoding } from '#backend/platform/http/negotiation.ts'
import { forceGc } from '#tests/force-gc.ts'
import { Deltas } from './deltas.ts'
import { BYTES_PER_ROW } from './list-text.ts'
import { Publisher } from './publisher.ts'
import { Versions } from './versions.ts'

/** A list without a database. Tests run its ticks and read it. */
class Node {
  uptime = 1000
  readonly failures: unknown[] = []
  readonly registry = new Registry(75_000)
  readonly log = new ChangeLog()
  readonly #changes: Deltas
  readonly publisher: Publisher

  constructor() {
    const clock = { now: () => this.at().now, uptime: () => this.uptime }
    this.#changes = new Deltas(this.log, new Versions(clock, 'a', () => false))
    this.publisher = new Publisher(clock, this.log, this.#changes, {
      failed: ({ err }) => this.failures.push(err) > 0,
      succeeded: () => undefined,
    })
    this.registry.onListChange = (server, change) => this.log.enqueue(server, change)
  }

  at(): Moment {
    return { uptime: this.uptime, now: 1_800_000_000_000 + this.uptime }
  }

  list(publicId: string, fields: Partial<OwnerFields> = {}, playersCount = 1): void {
    const credential = credentialOf(publicId)
    const server = this.registry.apply(fieldsOf(publicId, fields), [credential], this.at())
    this.registry.announce(server, credential, { ...announced, playersCount }, '1.2.3.4', this.at())
  }

  tick(saveMs = 0): void {
    const [changes, at] = [this.log.drain(), this.uptime]
    this.uptime += saveMs
    if (!this.log.commit(changes, this.uptime)) return
    this.#changes.publishTick(this.at())
    this.publisher.markStale(at)
  }

  async rows(): Promise<ListedServer[]> {
    return JSON.parse((await (await this.publisher.whole('identity')).body('identity')).toString()) as ListedServer[]
  }

  async read(): Promise<string[]> {
    return (await this.rows()).map(({ publicId }) => publicId)
  }
}

/** The bytes allocated for the text of 2,000 servers. */
const TEXT_BYTES = 2000 * BYTES_PER_ROW

test('after a failed build readers get the old list, and the build is retried once a second', async () => {
  const node = new Node()
  node.list('a')
  node.tick()
  expect(await node.read()).toEqual(['a'])
  // An impossible value, whose row cannot be serialized.
  node.list('b', { tags: undefined as never })
  node.list('c')
  node.tick()
  node.uptime += 950
  expect([await node.read(), node.failures.length]).toEqual([['a'], 1])
  node.uptime += 900
  expect([await node.read(), node.failures.length]).toEqual([['a'], 1])
  node.uptime += 200
  expect([await node.read(), node.failures.length]).toEqual([['a'], 2])
  node.registry.remove('b')
  node.tick()
  node.uptime += 1001
  expect([await node.read(), node.failures.length]).toEqual([['a', 'c'], 2])
})

test('if the first build fails, reads are rejected without another build in the same second', async () => {
  const node = new Node()
  node.list('b', { tags: undefined as never })
  node.tick()
  for (let read = 0; read < 3; read += 1) await expect(node.read()).rejects.toThrow(TypeError)
  expect(node.failures).toHaveLength(1)
  node.registry.remove('b')
  node.tick()
  node.uptime += 1001
  expect(await node.read()).toEqual([])
})

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

test('a small list is built at most every 0.6 seconds', async () => {
  const node = new Node()
  node.list('a')
  node.tick()
  expect(await node.read()).toEqual(['a'])
  node.uptime += 100
  node.list('b')
  node.tick()
  const readAfter = async (ms: number) => {
    node.uptime += ms
    node.publisher.onCycle()
    await node.publisher.idle()
    return node.read()
  }
  expect(await readAfter(0)).toEqual(['a'])
  expect(await readAfter(499)).toEqual(['a'])
  expect(await readAfter(1)).toEqual(['a', 'b'])
})

test.each([
  ['small', 20, 5000],
  ['large', 10_001, 40_000],
])('a list that is %s has its rows in every encoding, even one requested for the first time', async (_, servers, pause) => {
  const node = new Node()
  for (let index = 0; index < servers; index += 1) node.list(`s${index}`)
  const read = async (encoding: Encoding) => {
    const snapshot = await node.publisher.read()
    const bytes = await (await node.publisher.whole(encoding)).body(encoding)
    const text = (encoding === 'gzip' ? gunzipSync(bytes) : encoding === 'br' ? brotliDecompressSync(bytes) : bytes).toString()
    expect(text).toBe(JSON.stringify(snapshot.rows.map((row) => listedServer(row))))
  }
  for (const [index, encodings] of ([['br'], ['gzip'], ['identity'], ['br', 'gzip', 'identity'], ['identity']] as const).entries()) {
    node.list(`more${index}`)
    node.tick()
    node.uptime += pause
    for (const encoding of encodings) await read(encoding)
  }
})

test.each([
  ['small', 20],
  ['large', 10_001],
])('a list that is %s is prepared in exactly the encodings that are read', async (_, servers) => {
  const node = new Node()
  for (let index = 0; index < servers; index += 1) node.list(`s${index}`)
  const change = () => {
    node.list(`more${node.uptime}`)
    node.tick()
    node.uptime += 40_000
  }
  const buildFor = async (accepted: string) => {
    change()
    return await node.publisher.whole(accepted)
  }
  const first = await buildFor('gzip')
  expect([first.body('gzip'), first.body('br')]).toEqual([expect.any(Buffer), expect.any(Promise)])
  const second = await buildFor('gzip')
  expect([second.body('gzip'), second.body('br')]).toEqual([expect.any(Buffer), expect.any(Buffer)])
  for (let times = 0; times < 3; times += 1) {
    change()
    // A read of columns or parts does not need the whole body.
    await node.publisher.read()
  }
  const last = await buildFor('gzip')
  expect([last.body('gzip'), last.body('br')]).toEqual([expect.any(Buffer), expect.any(Promise)])
  const texts = [gunzipSync(await last.body('gzip')), brotliDecompressSync(await last.body('br')), await last.body('identity')]
  const { rows } = await node.publisher.read()
  expect(new Set(texts.map(String))).toEqual(new Set([JSON.stringify(rows.map((row) => listedServer(row)))]))
})

test('a small list is prepared for readers that poll every two seconds, and built on request for others', async () => {
  const node = new Node()
  node.list('a')
  node.tick()
  await (await node.publisher.whole('br')).body('br')
  const buildAfter = async (ms: number) => {
    node.list(`more${node.uptime}`)
    node.tick()
    node.uptime += ms
    return await node.publisher.read()
  }
  await buildAfter(1000)
  await buildAfter(1000)
  const ready = node.publisher.whole('br')
  expect(ready).not.toBeInstanceOf(Promise)
  expect((await ready).body('br')).toBeInstanceOf(Buffer)
  await buildAfter(1000)
  await buildAfter(1000)
  const { version } = await buildAfter(1000)
  const built = [node.publisher.whole('br'), node.publisher.whole('gzip')] as const
  expect(built).toEqual([expect.any(Promise), built[0]])
  const list = await built[0]
  expect([list.version, list.body('br')]).toEqual([version, expect.any(Buffer)])
  expect(node.publisher.whole('gzip')).toBe(list)
})

test('a small list that is read only in parts is never serialized as a whole', async () => {
  const node = new Node()
  // An impossible value, whose row cannot be serialized.
  node.list('a', { tags: undefined as never })
  node.tick()
  expect([(await node.publisher.read()).rows.length, node.failures]).toEqual([1, []])
  await expect(node.publisher.whole('gzip')).rejects.toThrow(TypeError)
})

test('the text of the whole list is dropped ten seconds after its last reader, even if parts are still read', async () => {
  const node = new Node()
  for (let count = 0; count < 2000; count += 1) node.list(`s${count}`)
  node.tick()
  await node.read()
  const retainedBytes = () => {
    forceGc()
    return process.memoryUsage().arrayBuffers
  }
  const readAfter = async (milliseconds: number) => {
    node.uptime += milliseconds
    await node.publisher.read()
    node.publisher.onCycle()
  }
  const first = retainedBytes()
  await readAfter(9000)
  const afterNine = retainedBytes()
  await readAfter(2000)
  const afterEleven = retainedBytes()
  // The rest of this process uses much less than half of the text.
  expect([first - afterNine < TEXT_BYTES / 2, afterNine - afterEleven > TEXT_BYTES / 2]).toEqual([true, true])
})

test('200,000 servers with equal players are listed', () => {
  const node = new Node()
  node.list('a')
  node.tick()
  const [server] = node.log.inNameOrder()
  expect(inListOrder(Array.from({ length: 200_000 }, () => server).filter((each) => each !== undefined))).toHaveLength(200_000)
})

test('after any sequence of additions, removals and renames, the order follows the published names', () => {
  const step = fc.record({
    act: fc.constantFrom('list' as const, 'list' as const, 'remove' as const, 'tick' as const),
    id: fc.nat(9),
    name: fc.constantFrom('a', 'b', 'ä', 'C'),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const node = new Node()
      for (const { act, id, name } of steps) {
        if (act === 'list') node.list(`s${id}`, { name })
        else if (act === 'remove') node.registry.remove(`s${id}`)
        else node.tick()
        const keys = inListOrder(node.log.inNameOrder()).map(({ fields }) => `${fields.name} ${fields.publicId}`)
        expect(keys).toEqual(keys.toSorted((a, b) => (a < b ? -1 : 1)))
        expect(keys).toHaveLength(node.log.servers)
      }
    }),
  )
})
