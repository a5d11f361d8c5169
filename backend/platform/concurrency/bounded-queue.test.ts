/** BoundedQueue: concurrency, order and limits. */
import { expect, test } from 'vitest'
import { BoundedQueue } from './bounded-queue.ts'

/** Tasks that the test finishes one by one, in the order in which they started. */
function createTasks() {
  const finishers: (() => void)[] = []
  const started: string[] = []
  const task = (name: string) => () => {
    started.push(name)
    return new Promise<string>((resolve) => void finishers.push(() => resolve(name)))
  }
  return { started, task, finishOne: () => finishers.shift()?.() }
}

test('runs a limited number at once, the others in order, and continues after a failure', async () => {
  const queue = new BoundedQueue({ concurrency: 2, maxQueued: 10, maxQueuedPerKey: 10 })
  const { started, task, finishOne } = createTasks()
  const all = ['a', 'b', 'c', 'd'].map((name) => queue.run(name, task(name)))
  const failing = queue.run('e', () => Promise.reject(new Error('failed')))
  const last = queue.run('f', task('f'))
  expect(started).toEqual(['a', 'b'])
  finishOne()
  await expect(all[0]).resolves.toBe('a')
  await expect.poll(() => started).toEqual(['a', 'b', 'c'])
  for (const name of ['b', 'c', 'd']) {
    await expect.poll(() => started).toContain(name)
    finishOne()
  }
  await expect(failing).rejects.toThrow('failed')
  await expect.poll(() => started).toContain('f')
  finishOne()
  await expect(last).resolves.toBe('f')
  await expect(queue.run('g', () => Promise.resolve(1))).resolves.toBe(1)
})

test('limits the queue per key and in total', async () => {
  const queue = new BoundedQueue({ concurrency: 1, maxQueued: 3, maxQueuedPerKey: 2 })
  const { started, task, finishOne } = createTasks()
  void queue.run('a', task('a'))
  void queue.run('a', task('a'))
  void queue.run('a', task('a'))
  expect(queue.run('a', task('a'))).toBe('too-many')
  void queue.run('b', task('b'))
  expect([queue.run('c', task('c')), queue.run('a', task('a'))]).toEqual(['full', 'full'])
  finishOne()
  await expect.poll(() => started.length).toBe(2)
  expect(queue.run('a', task('a'))).toBeInstanceOf(Promise)
})

test('keys take turns, in the order in which they came', async () => {
  const queue = new BoundedQueue({ concurrency: 1 })
  const { started, task, finishOne } = createTasks()
  const names = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']
  const all = names.map(async (name) => await queue.run(name[0] ?? '', task(name)))
  for (const count of names.keys()) {
    await expect.poll(() => started.length).toBe(count + 1)
    finishOne()
  }
  await Promise.all(all)
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
})

test('a key that adds actions one by one does not overtake those that wait', async () => {
  const queue = new BoundedQueue({ concurrency: 1 })
  const { started, task, finishOne } = createTasks()
  const all = ['a1', 'b1', 'b2'].map(async (name) => await queue.run(name[0] ?? '', task(name)))
  finishOne()
  await expect.poll(() => started).toEqual(['a1', 'b1'])
  const last = queue.run('a', task('a2'))
  for (const count of [3, 4]) {
    finishOne()
    await expect.poll(() => started.length).toBe(count)
  }
  finishOne()
  await Promise.all([...all, last])
  expect(started).toEqual(['a1', 'b1', 'b2', 'a2'])
})
