/** Deltas: a delta applied to an older list gives the current list. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ListDelta, ListedServer } from '#contract/masterlist/masterlist.ts'
import { DeltaNode } from '#tests/list/delta-node.ts'

const MINUTE = 60_000

/** Applies a delta as readers do. */
function applyDelta(rows: ReadonlyMap<string, object>, delta: ListDelta): Map<string, object> {
  const after = new Map(rows)
  for (const id of delta.removed) after.delete(id)
  for (const change of delta.changed) after.set(change.publicId, { ...after.get(change.publicId), ...change })
  return after
}

const byId = (rows: readonly ListedServer[]) => new Map(rows.map((row) => [row.publicId, row as object]))
const sorted = (rows: ReadonlyMap<string, object>) => [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1))

const anyServer = fc.nat(5).map((index) => `server${index}`)
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ act: fc.constant('announce' as const), id: anyServer, players: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constantFrom('leave' as const, 'delete' as const, 'create' as const), id: anyServer }) },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('change' as const), id: anyServer, visible: fc.boolean(), name: fc.constantFrom('a', 'b') }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('branch' as const), id: anyServer, branch: fc.constantFrom('release', 'rc') }) },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('tick' as const), ms: fc.constantFrom(250, 250, 250, 5000, 80_000) }) },
)

function run(node: DeltaNode, steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[], onTick: () => void): void {
  for (const current of steps) {
    if (current.act === 'announce') node.announce(current.id, current.players)
    else if (current.act === 'branch') node.announce(current.id, 1, { branch: current.branch })
    else if (current.act === 'create') node.own(current.id)
    else if (current.act === 'change' && node.registry.get(current.id) !== undefined)
      node.own(current.id, { name: current.name, visible: current.visible })
    else if (current.act === 'delete') node.registry.remove(current.id, node.at())
    else if (current.act === 'leave') {
      const server = node.registry.get(current.id)
      if (server !== undefined) node.registry.takeOffline(server, 'LEFT', node.at())
    } else if (current.act === 'tick') {
      node.tick(current.ms)
      onTick()
    }
  }
}

test('after any sequence of changes, a delta applied to the list of its version gives the current list', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const node = new DeltaNode('a')
      for (let index = 0; index < 6; index += 1) node.own(`server${index}`)
      const readers: { version: string; rows: Map<string, object> }[] = []
      const streamed: ListDelta[] = []
      node.changes.onTick(({ json }) => streamed.push(JSON.parse(json ?? '') as ListDelta))
      const read = () => readers.push({ version: node.changes.version, rows: byId(node.list()) })
      read()
      run(node, steps, read)
      node.tick()
      const now = sorted(byId(node.list()))
      let followed: Map<string, object> = new Map()
      for (const { version, rows } of readers) {
        const delta = node.delta(version)
        expect(delta.version).toBe(node.changes.version)
        expect(new Set(delta.changed.map((row) => row.publicId)).size, 'each server once').toBe(delta.changed.length)
        expect(sorted(applyDelta(rows, delta)), `since ${version}`).toEqual(now)
      }
      for (const delta of streamed) followed = applyDelta(followed, delta)
      expect(sorted(followed), 'from the stream').toEqual(now)
      expect([node.log.servers, node.log.players]).toEqual([
        node.list().length,
        node.list().reduce((sum, row) => sum + row.playersCount, 0),
      ])
    }),
    { numRuns: 150 },
  )
})

test('a change of counts is sent as four fields, other changes and new servers as whole rows', () => {
  const node = new DeltaNode('a')
  for (const id of ['a', 'b', 'c']) node.own(id)
  node.announce('a', 1)
  node.announce('b', 1)
  node.tick()
  const { version } = node.changes
  node.announce('a', 2, { queueCount: 3 })
  node.announce('b', 1, { branch: 'rc' })
  node.announce('c', 1)
  node.tick()
  const changed = new Map(node.delta(version).changed.map((row) => [row.publicId, row]))
  expect(changed.get('a')).toEqual({
    publicId: 'a',
    playersCount: 2,
    queueCount: 3,
    lastTimeUpdate: new Date(node.at().now - 250).toISOString(),
  })
  expect([changed.get('b'), changed.get('c')]).toEqual(
    node
      .list()
      .filter((row) => row.publicId !== 'a')
      .toSorted((a, b) => (a.publicId < b.publicId ? -1 : 1)),
  )
})

test('changes are invisible until their tick is committed', () => {
  const node = new DeltaNode('a')
  node.own('a')
  node.announce('a', 1)
  node.tick()
  const { version } = node.changes
  const before = node.list()
  node.announce('a', 2)
  node.own('a', { name: 'renamed' })
  expect([node.list(), node.delta(version).changed, node.changes.version]).toEqual([before, [], version])
  node.tick()
  expect(node.list()[0]).toMatchObject({ playersCount: 2, name: 'renamed' })
})

test('versions older than ten minutes and unknown versions have no delta', async () => {
  const node = new DeltaNode('a')
  node.own('a')
  node.tick()
  const { version } = node.changes
  for (let minute = 0; minute < 10; minute += 1) {
    node.announce('a', minute)
    node.tick(MINUTE - 1)
  }
  expect(node.delta(version).changed).toHaveLength(1)
  node.announce('a', 20)
  node.tick(MINUTE)
  node.announce('a', 21)
  node.tick(MINUTE)
  expect(node.changes.deltaJson(version)).toBe('too-old')
  expect(node.changes.deltaJson(node.changes.version.replace(/\.\w+\./, '.zzz.'))).toBe('too-old')
  expect(node.changes.deltaJson('an-older-kind.7')).toBe('too-old')
  for (const invalid of ['', ' ', 'a b', '../..', 'x'.repeat(65), '"', 'ä'])
    expect(await node.changes.since(invalid, (build) => build())).toBe('invalid')
})

/** Two nodes that receive the same changes, one later than the other. */
function twoNodes() {
  const [a, b] = [new DeltaNode('a'), new DeltaNode('b', 300)]
  for (const node of [a, b]) for (const id of ['x', 'y']) node.own(id)
  for (const node of [a, b]) node.tick(MINUTE)
  return { a, b }
}

test('the delta for another node’s version starts ten seconds before it', () => {
  const { a, b } = twoNodes()
  for (const node of [a, b]) node.announce('x', 1)
  for (const node of [a, b]) node.tick(30_000)
  // b receives and publishes y before a does.
  b.announce('y', 5)
  b.tick(2000)
  a.announce('x', 2)
  a.tick(5000)
  const version = a.changes.version
  b.announce('x', 2)
  b.tick(5000)
  expect(sorted(applyDelta(byId(a.list()), b.delta(version)))).toEqual(sorted(byId(b.list())))
  expect(b.delta(version).changed.map((row) => row.publicId)).toEqual(['x', 'y'])
})

test('another node’s version is too old if it predates this node, is in the future, or comes from a disconnected node', () => {
  const { a } = twoNodes()
  a.announce('x', 1)
  a.tick()
  const newer = new DeltaNode('c', 60_000)
  newer.own('x')
  newer.announce('x', 1)
  newer.tick()
  expect(newer.changes.deltaJson(a.changes.version)).toBe('too-old')
  a.skew = 10 * MINUTE
  a.announce('x', 2)
  a.tick()
  const { b } = twoNodes()
  expect(b.changes.deltaJson(a.changes.version)).toBe('too-old')
  const { a: cut, b: other } = twoNodes()
  cut.isBehind = true
  cut.announce('x', 3)
  cut.tick(20_000)
  other.announce('x', 3)
  other.tick(20_000)
  expect(other.changes.deltaJson(cut.changes.version)).toBe('too-old')
  expect(cut.delta(cut.changes.version).changed).toEqual([])
})

test('after the wall clock is set, own versions stay valid, and other nodes’ versions are too old', () => {
  for (const jump of [-60 * MINUTE, 60 * MINUTE]) {
    const { a, b } = twoNodes()
    const before = b.changes.version
    const rows = byId(b.list())
    b.announce('x', 7)
    b.skew += jump
    b.tick()
    b.announce('y', 8)
    b.tick(20_000)
    expect(sorted(applyDelta(rows, b.delta(before)))).toEqual(sorted(byId(b.list())))
    a.announce('x', 7)
    a.tick(20_000)
    expect(b.changes.deltaJson(a.changes.version)).toBe('too-old')
  }
})
