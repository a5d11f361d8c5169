import { expect, test } from 'vitest'
import { BoundedQueue } from './bounded-queue.ts'

/** Things to do that the test ends one by one, in the order in which they began. */
function work() {
  const ends: (() => void)[] = []
  const begun: string[] = []
  const act = (name: string) => () => {
    begun.push(name)
    return new Promise<string>((resolve) => void ends.push(() => resolve(name)))
  }
  return { begun, act, endOne: () => ends.shift()?.() }
}

test('so many are done at once, others wait in their order, and who fails gives his turn on like everybody', async () => {
  const turns = new BoundedQueue({ concurrency: 2, maxQueued: 10, maxQueuedPerKey: 10 })
  const { begun, act, endOne } = work()
  const all = ['a', 'b', 'c', 'd'].map((name) => turns.run(name, act(name)))
  const failing = turns.run('e', () => Promise.reject(new Error('failed')))
  const last = turns.run('f', act('f'))
  expect(begun).toEqual(['a', 'b'])
  endOne()
  await expect(all[0]).resolves.toBe('a')
  await expect.poll(() => begun).toEqual(['a', 'b', 'c'])
  for (const name of ['b', 'c', 'd']) {
    await expect.poll(() => begun).toContain(name)
    endOne()
  }
  await expect(failing).rejects.toThrow('failed')
  await expect.poll(() => begun).toContain('f')
  endOne()
  await expect(last).resolves.toBe('f')
  await expect(turns.run('g', () => Promise.resolve(1))).resolves.toBe(1)
})

test('one key has only a part of the line, and again one when its turn came; who comes to a full line is told that it is', async () => {
  const turns = new BoundedQueue({ concurrency: 1, maxQueued: 3, maxQueuedPerKey: 2 })
  const { begun, act, endOne } = work()
  void turns.run('a', act('a'))
  void turns.run('a', act('a'))
  void turns.run('a', act('a'))
  expect(turns.run('a', act('a'))).toBe('too-many')
  void turns.run('b', act('b'))
  expect([turns.run('c', act('c')), turns.run('a', act('a'))]).toEqual(['full', 'full'])
  endOne()
  await expect.poll(() => begun.length).toBe(2)
  expect(turns.run('a', act('a'))).toBeInstanceOf(Promise)
})
