import { expect, test } from 'vitest'
import { Versions } from './versions.ts'

const START = 1_800_000_000_000

/** A node with ticks, and versions of another node from the same time. */
function node() {
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
  const others = () => `${at().now.toString(36)}.0.b`
  return { state, versions, run, others }
}

test('another node’s version from while either node was behind stays too old, later ones are valid', () => {
  const { state, versions, run, others } = node()
  run(60_000)
  const before = others()
  expect(versions.tickOf(before)).toBe(50)
  state.isBehind = true
  run(12_000)
  const during = others()
  expect([versions.tickOf(before), versions.tickOf(during)]).toEqual(['too-old', 'too-old'])
  state.isBehind = false
  run(60_000)
  expect([versions.tickOf(before), versions.tickOf(during)]).toEqual(['too-old', 'too-old'])
  expect(versions.tickOf(others())).toBe(122)
})

test('a node that was paused for more than two seconds was behind, but only until then', () => {
  const { state, versions, run, others } = node()
  run(60_000)
  state.uptime += 1500
  run(500)
  expect(versions.current).not.toMatch(/^0\./)
  const before = others()
  state.uptime += 2000
  run(1000)
  expect(versions.current).toMatch(/^0\./)
  expect(versions.tickOf(before)).toBe('too-old')
  run(20_000)
  expect(versions.current).not.toMatch(/^0\./)
  expect(versions.tickOf(before)).toBe('too-old')
  expect(versions.tickOf(others())).toBeTypeOf('number')
})

test('a node that is behind, or was within ten seconds, issues versions that only it can use', () => {
  const { state, versions, run } = node()
  run(60_000)
  expect(versions.current).toBe(`${(START + 60_000).toString(36)}.${(60).toString(36)}.a`)
  state.isBehind = true
  run(4000)
  const given = versions.current
  expect(given).toBe(`0.${(64).toString(36)}.a`)
  state.isBehind = false
  run(9000)
  expect(versions.current).toMatch(/^0\./)
  run(1000)
  expect(versions.current).toBe(`${(START + 74_000).toString(36)}.${(74).toString(36)}.a`)
  expect(versions.tickOf(given)).toBe(64)
})
