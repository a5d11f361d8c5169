/** FairQueue: the order in which keys take turns. */
import { expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'

/** Takes all items and joins them in order. @param cost the usage of each item of a key. */
function drain(queue: FairQueue<string>, cost: (key: string) => number): string {
  const taken: string[] = []
  for (let item = queue.next(); item !== undefined; item = queue.next()) {
    taken.push(item)
    queue.charge(item[0] ?? '', cost(item[0] ?? ''))
  }
  return taken.join(' ')
}

function queueOf(...items: readonly string[]): FairQueue<string> {
  const queue = new FairQueue<string>()
  for (const item of items) queue.add(item[0] ?? '', item)
  return queue
}

test('items of one key keep their order, and keys take turns', () => {
  expect(drain(queueOf('a1', 'a2', 'a3', 'b1', 'c1', 'c2'), () => 1)).toBe('a1 b1 c1 a2 c2 a3')
  // Also without any charge.
  expect(drain(queueOf('a1', 'a2', 'b1', 'b2'), () => 0)).toBe('a1 b1 a2 b2')
})

test('small items of one key pass the waiting large items of another', () => {
  expect(drain(queueOf('a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'b4'), (key) => (key === 'a' ? 20 : 1))).toBe('a1 b1 b2 b3 b4 a2 a3')
})

test('a late key neither waits for all others nor overtakes them all', () => {
  const queue = queueOf('a1', 'a2', 'a3', 'a4', 'a5')
  for (const _ of [1, 2, 3]) {
    queue.next()
    queue.charge('a', 10)
  }
  for (const item of ['b1', 'b2', 'b3']) queue.add('b', item)
  expect(drain(queue, () => 10)).toBe('b1 a4 b2 a5 b3')
})

test('a key that adds items one by one waits as if it had added them all at once', () => {
  const queue = queueOf('a1', 'b1', 'b2', 'b3')
  expect(queue.next()).toBe('a1')
  queue.charge('a', 20)
  expect(queue.next()).toBe('b1')
  queue.charge('b', 1)
  queue.add('a', 'a2')
  expect(drain(queue, (key) => (key === 'a' ? 20 : 1))).toBe('b2 b3 a2')
  // A key that delayed no one starts without usage.
  queue.add('b', 'b4')
  queue.add('a', 'a3')
  queue.add('b', 'b5')
  expect(drain(queue, () => 1)).toBe('b4 a3 b5')
})

test('a removed item is not returned', () => {
  const queue = queueOf('a1', 'a2', 'b1')
  expect([queue.remove('a', 'a1'), queue.remove('a', 'a1'), queue.remove('c', 'c1'), queue.size]).toEqual([true, false, false, 2])
  expect(drain(queue, () => 1)).toBe('a2 b1')
  expect(queue.size).toBe(0)
})
