/** Announced states: saved and loaded without loss, with shared objects for equal parts. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type SavedAnnounce, fromSaved, isSameExceptCounts, toSaved, sharedSetup } from './announced-state.ts'
import { NO_SETUP } from './server-record.ts'
import { sharedList } from './shared-texts.ts'
import { anySetup } from './test-registry.ts'

const text = fc.constantFrom('', 'a', 'b', 'a\nb', '"', 'release', 'https://example.com/')
const counts = fc.record({
  port: fc.nat(65_535),
  playersCount: fc.nat(4096),
  isFarAboveSlots: fc.boolean(),
  maxPlayersCount: fc.nat(4096),
  queueCount: fc.nat(65_535),
})
const saved: fc.Arbitrary<SavedAnnounce> = fc.tuple(counts, anySetup(text)).map(([count, setup]) => ({ ...count, ...setup }))

test('an announce survives saving and loading, and equal setups share one object', () => {
  fc.assert(
    fc.property(saved, saved, (one, other) => {
      const [read, again, another] = [fromSaved(one), fromSaved({ ...one, playersCount: other.playersCount }), fromSaved(other)]
      expect(toSaved(read)).toEqual(one)
      expect(toSaved(another)).toEqual(other)
      expect(again.setup).toBe(read.setup)
      expect(isSameExceptCounts(read, again)).toBe(true)
      const { playersCount: _p, queueCount: _q, ...rest } = one
      const { playersCount: _r, queueCount: _s, ...otherRest } = other
      expect(isSameExceptCounts(read, another)).toBe(JSON.stringify(rest) === JSON.stringify(otherRest))
    }),
  )
})

test('missing fields of a row saved by another version get defaults', () => {
  expect(toSaved(fromSaved({ port: 7788, branch: 'rc' }))).toEqual({
    ...NO_SETUP,
    port: 7788,
    playersCount: 0,
    isFarAboveSlots: false,
    maxPlayersCount: 0,
    queueCount: 0,
    branch: 'rc',
  })
})

test('setups stay correct beyond the capacity of the cache', () => {
  const setups = Array.from({ length: 12_000 }, (_, index) => sharedSetup({ ...NO_SETUP, gameMode: `mode ${index}` }, undefined))
  expect(setups.map(({ gameMode }) => gameMode)).toEqual(setups.map((_, index) => `mode ${index}`))
  const [first] = setups
  const reloaded = sharedSetup({ ...NO_SETUP, gameMode: 'mode 0' }, undefined)
  expect(reloaded).toEqual(first)
  expect(sharedSetup({ ...NO_SETUP, gameMode: 'mode 0' }, reloaded)).toBe(reloaded)
})

test('equal lists share one object, and texts with separators stay one text', () => {
  expect(sharedList(['a', 'b'])).toBe(sharedList(['a', 'b']))
  expect(sharedList(['a\nb'])).toEqual(['a\nb'])
  expect(sharedList(['a', 'b'])).toEqual(['a', 'b'])
  expect(sharedList([])).toEqual([])
})
