/** List versions: which versions of other nodes a node accepts. */
import { expect, test } from 'vitest'
import { Versions } from './versions.ts'

const START = 1_800_000_000_000

/** A node with ticks, and versions of another node from the same time. */
function createNode() {
  const state = { uptime: 0, isBehind: false, tick: 0 }
  const at = () => ({ uptime: state.uptime, now: START + state.uptime })
  const versions = new Versions({ now: () => at().now, uptime: () => state.uptime }, 'a', () => state.isBehind)
  /** Ticks every second, with four cycles per second. */
  const run = (ms: number) => {
    for (const end = state.uptime + ms; state.uptime < end;) {
      state.uptime += 250
      versions.onCycle(at())
      if (state.uptime % 1000 === 0) versions.assign((state.tick += 1), at())
    }
  }
  const otherNodesVersion = () => `${at().now.toString(36)}.0.b`
  return { state, versions, run, otherNodesVersion }
}

test('another node’s version from before or during a lag of this node stays too old, and later ones are valid', () => {
  const { state, versions, run, otherNodesVersion } = createNode()
  run(60_000)
  const before = otherNodesVersion()
  expect(versions.tickOf(before)).toBe(50)
  state.isBehind = true
  run(12_000)
  const during = otherNodesVersion()
  expect([versions.tickOf(before), versions.tickOf(during)]).toEqual(['too-old', 'too-old'])
  state.isBehind = false
  run(60_000)
  expect([versions.tickOf(before), versions.tickOf(during)]).toEqual(['too-old', 'too-old'])
  expect(versions.tickOf(otherNodesVersion())).toBe(122)
})

test('a node that was paused for two seconds counts as behind, and accepts versions from after the pause', () => {
  const { state, versions, run, otherNodesVersion } = createNode()
  run(60_000)
  state.uptime += 1500
  run(500)
  expect(versions.current).not.toMatch(/^0\./)
  const before = otherNodesVersion()
  state.uptime += 2000
  run(1000)
  expect(versions.current).toMatch(/^0\./)
  expect(versions.tickOf(before)).toBe('too-old')
  run(20_000)
  expect(versions.current).not.toMatch(/^0\./)
  expect(versions.tickOf(before)).toBe('too-old')
  expect(versions.tickOf(otherNodesVersion())).toBeTypeOf('number')
})

test('while a node is behind, and for ten seconds after, it issues versions that only it can use', () => {
  const { state, versions, run } = createNode()
  run(60_000)
  expect(versions.current).toBe(`${(START + 60_000).toString(36)}.${(60).toString(36)}.a`)
  state.isBehind = true
  run(4000)
  const issued = versions.current
  expect(issued).toBe(`0.${(64).toString(36)}.a`)
  state.isBehind = false
  run(9000)
  expect(versions.current).toMatch(/^0\./)
  run(1000)
  expect(versions.current).toBe(`${(START + 74_000).toString(36)}.${(74).toString(36)}.a`)
  expect(versions.tickOf(issued)).toBe(64)
})
