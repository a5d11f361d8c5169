/** KeyedConcurrencyLimit: slots for each key. */
import { expect, test } from 'vitest'
import { KeyedConcurrencyLimit } from './keyed-concurrency-limit.ts'

test('limits each key, and frees a slot on release', () => {
  const limit = new KeyedConcurrencyLimit(2)
  const [first, second] = [limit.acquire('a'), limit.acquire('a')]
  expect([first, second, limit.acquire('a')]).toEqual([expect.any(Function), expect.any(Function), undefined])
  expect(limit.acquire('b')).toBeDefined()
  first?.()
  expect([limit.acquire('a'), limit.acquire('a')]).toEqual([expect.any(Function), undefined])
})
