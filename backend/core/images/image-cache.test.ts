/** The memory limit of the cache of images. */
import { expect, test } from 'vitest'
import { createFileCache } from './image-services.ts'

test('the cache keeps the most recently used files for at most five minutes', () => {
  let now = 1
  const cache = createFileCache({ uptime: () => now }, { open: () => Promise.resolve(undefined) })
  const file = Buffer.alloc(512 * 1024)
  for (let index = 0; index < 32; index += 1) cache.set(`file ${index}`, file)
  expect(cache.get('file 0')).toBe(file)
  cache.set('one more', file)
  expect(['file 0', 'file 1', 'file 2', 'one more'].map((name) => cache.get(name) !== undefined)).toEqual([true, false, true, true])
  cache.delete('file 2')
  cache.delete('file 2')
  expect(cache.get('file 2')).toBeUndefined()
  // Reads do not extend the time.
  now = 5 * 60_000
  expect(cache.get('file 0')).toBe(file)
  now += 2
  expect(cache.get('file 0')).toBeUndefined()
  // Expired files take no space.
  for (let index = 0; index < 32; index += 1) cache.set(`new ${index}`, file)
  expect(cache.get('new 0')).toBe(file)
})
