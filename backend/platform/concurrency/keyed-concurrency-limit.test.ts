import { expect, test } from 'vitest'
import { KeyedConcurrencyLimit } from './keyed-concurrency-limit.ts'

test('each key has so many at once, and one more as soon as one of them is over', () => {
  const atOnce = new KeyedConcurrencyLimit(2)
  const [first, second] = [atOnce.acquire('a'), atOnce.acquire('a')]
  expect([first, second, atOnce.acquire('a')]).toEqual([expect.any(Function), expect.any(Function), undefined])
  expect(atOnce.acquire('b')).toBeDefined()
  first?.()
  expect([atOnce.acquire('a'), atOnce.acquire('a')]).toEqual([expect.any(Function), undefined])
})

test('what is under way is counted, however many others came and went meanwhile', () => {
  const atOnce = new KeyedConcurrencyLimit(2)
  const [first] = [atOnce.acquire('a'), atOnce.acquire('a')]
  for (let key = 0; key < 10_000; key += 1) atOnce.acquire(String(key))?.()
  expect(atOnce.acquire('a')).toBeUndefined()
  first?.()
  expect([atOnce.acquire('a'), atOnce.acquire('a')]).toEqual([expect.any(Function), undefined])
})
