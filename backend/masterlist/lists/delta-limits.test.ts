/** How many changes a delta can have. */
import { expect, test } from 'vitest'
import { DeltaNode } from '#tests/list/delta-node.ts'

test('at most 200,000 changes are remembered, and older versions are too old', () => {
  const node = new DeltaNode('a')
  const servers = 10_000
  const { version: first } = node.changes
  for (let index = 0; index < servers; index += 1) node.own(`s${index}`)
  for (let tick = 1; tick <= 22; tick += 1) {
    for (let index = 0; index < servers; index += 1) node.announce(`s${index}`, tick)
    node.tick(1)
  }
  expect(node.log.firstTick).toBe(2)
  expect(node.changes.deltaJson(first)).toBe('too-old')
})

test('a version with too many changes has no delta, and later versions still get one', async () => {
  const node = new DeltaNode('a')
  node.tick()
  const [first, versions] = [node.changes.version, [] as string[]]
  for (const count of [1, 10_000, 500]) {
    for (let index = 0; index < count; index += 1) {
      const publicId = `${count} ${index}`
      node.own(publicId)
      node.announce(publicId, 1)
    }
    node.tick()
    versions.push(node.changes.version)
  }
  const [second = '', third = ''] = versions
  const deltaSince = (version: string) => node.changes.since(version, (make) => make())
  expect([await deltaSince(second), await deltaSince(first)]).toEqual(['too-old', 'too-old'])
  node.tick()
  expect(await deltaSince(third)).not.toBe('too-old')
  expect(node.delta(third).changed).toHaveLength(500)
})
