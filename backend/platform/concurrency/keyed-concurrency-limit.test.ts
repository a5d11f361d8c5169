import { expect, test } from 'vitest'
import { KeyedConcurrencyLimit } from './keyed-concurrency-limit.ts'

test('each key has so many at once, and one more as soon as one of them is over', () => {
  const atOnce = new KeyedConcurrencyLimit(2)
  const [first, second] = [atOnce.begin('a'), atOnce.begin('a')]
  expect([first, second, atOnce.begin('a')]).toEqual([expect.any(Function), expect.any(Function), undefined])
  expect(atOnce.begin('b')).toBeDefined()
  first?.()
  expect([atOnce.begin('a'), atOnce.begin('a')]).toEqual([expect.any(Function), undefined])
})

test('what is under way is counted, however many others came and went meanwhile', () => {
  const atOnce = new KeyedConcurrencyLimit(2)
  const [first] = [atOnce.begin('a'), atOnce.begin('a')]
  for (let key = 0; key < 10_000; key += 1) atOnce.begin(String(key))?.()
  expect(atOnce.begin('a')).toBeUndefined()
  first?.()
  expect([atOnce.begin('a'), atOnce.begin('a')]).toEqual([expect.any(Function), undefined])
})
