/** How many changes a delta can have. */
import { expect, test } from 'vitest'
import { DeltaNode } from '#tests/list/delta-node.ts'

test('at most 10,000 removed servers are remembered, and older versions are too old', () => {
  const node = new DeltaNode('a')
  const { version } = node.changes
  for (let index = 0; index < 12_000; index += 1) {
    node.own(`s${index}`)
    node.announce(`s${index}`, 1)
    if (index % 100 === 99) node.tick(1)
    if (index >= 100) node.registry.remove(`s${index - 100}`)
  }
  node.tick(1)
  expect(node.changes.deltaJson(version)).toBe('too-old')
  expect(node.log.changesSince(node.log.firstTick).length).toBeLessThanOrEqual(10_000)
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
