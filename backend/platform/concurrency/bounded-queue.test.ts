import { expect, test } from 'vitest'
import { BoundedQueue } from './bounded-queue.ts'

/** Actions that the test ends one by one, in the order in which they started. */
function work() {
  const ends: (() => void)[] = []
  const started: string[] = []
  const act = (name: string) => () => {
    started.push(name)
    return new Promise<string>((resolve) => void ends.push(() => resolve(name)))
  }
  return { started, act, endOne: () => ends.shift()?.() }
}

test('runs a limited number at once, the others in order, and continues after a failure', async () => {
  const queue = new BoundedQueue({ concurrency: 2, maxQueued: 10, maxQueuedPerKey: 10 })
  const { started, act, endOne } = work()
  const all = ['a', 'b', 'c', 'd'].map((name) => queue.run(name, act(name)))
  const failing = queue.run('e', () => Promise.reject(new Error('failed')))
  const last = queue.run('f', act('f'))
  expect(started).toEqual(['a', 'b'])
  endOne()
  await expect(all[0]).resolves.toBe('a')
  await expect.poll(() => started).toEqual(['a', 'b', 'c'])
  for (const name of ['b', 'c', 'd']) {
    await expect.poll(() => started).toContain(name)
    endOne()
  }
  await expect(failing).rejects.toThrow('failed')
  await expect.poll(() => started).toContain('f')
  endOne()
  await expect(last).resolves.toBe('f')
  await expect(queue.run('g', () => Promise.resolve(1))).resolves.toBe(1)
})

test('limits the queue per key and in total', async () => {
  const queue = new BoundedQueue({ concurrency: 1, maxQueued: 3, maxQueuedPerKey: 2 })
  const { started, act, endOne } = work()
  void queue.run('a', act('a'))
  void queue.run('a', act('a'))
  void queue.run('a', act('a'))
  expect(queue.run('a', act('a'))).toBe('too-many')
  void queue.run('b', act('b'))
  expect([queue.run('c', act('c')), queue.run('a', act('a'))]).toEqual(['full', 'full'])
  endOne()
  await expect.poll(() => started.length).toBe(2)
  expect(queue.run('a', act('a'))).toBeInstanceOf(Promise)
})
