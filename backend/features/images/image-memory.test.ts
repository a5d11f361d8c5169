/** Memory limits for images: while they are stored, and in the cache. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createFileCache } from './image-services.ts'
import { WeightedSemaphore } from '#backend/platform/concurrency/weighted-semaphore.ts'

test('small images share the limit, and an image above it waits and runs alone', async () => {
  const semaphore = new WeightedSemaphore(100)
  const running: number[] = []
  const finishers: (() => void)[] = []
  const start = (bytes: number) =>
    semaphore.run(bytes, () => {
      running.push(bytes)
      return new Promise<void>((resolve) => finishers.push(resolve))
    })
  const all = [40, 50, 500, 10, 20].map(start)
  await nextTurn()
  expect(running).toEqual([40, 50])
  finishers[0]?.()
  await nextTurn()
  expect(running).toEqual([40, 50])
  finishers[1]?.()
  await nextTurn()
  expect(running).toEqual([40, 50, 500])
  finishers[2]?.()
  await nextTurn()
  expect(running).toEqual([40, 50, 500, 10, 20])
  finishers.slice(3).forEach((finish) => finish())
  await Promise.all(all)
})

test('a failed task releases its share', async () => {
  const semaphore = new WeightedSemaphore(100)
  await expect(semaphore.run(100, () => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk')
  expect(await semaphore.run(100, () => Promise.resolve('stored'))).toBe('stored')
})

test('the cache keeps the most recently used files for at most five minutes', () => {
  let now = 1
  const cache = createFileCache({ uptime: () => now })
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
