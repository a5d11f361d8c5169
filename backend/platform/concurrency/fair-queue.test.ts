/** In which order things are done that several people wait for. */
import { expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'

/** Does everything that waits. @param cost how much each of this person's takes. */
function order(turns: FairQueue<string>, cost: (key: string) => number): string {
  const done: string[] = []
  for (let one = turns.next(); one !== undefined; one = turns.next()) {
    done.push(one)
    turns.charge(one[0] ?? '', cost(one[0] ?? ''))
  }
  return done.join(' ')
}

function waiting(...all: readonly string[]): FairQueue<string> {
  const turns = new FairQueue<string>()
  for (const one of all) turns.add(one[0] ?? '', one)
  return turns
}

test('one person’s things are done in their order, and people take turns', () => {
  expect(order(waiting('a1', 'a2', 'a3', 'b1', 'c1', 'c2'), () => 1)).toBe('a1 b1 c1 a2 c2 a3')
  // Also where nothing is known of what they take.
  expect(order(waiting('a1', 'a2', 'b1', 'b2'), () => 0)).toBe('a1 b1 a2 b2')
})

test('many small ones go on while somebody’s large ones wait', () => {
  expect(order(waiting('a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'b4'), (key) => (key === 'a' ? 20 : 1))).toBe('a1 b1 b2 b3 b4 a2 a3')
})

test('who comes late neither waits for all others nor has all turns from then on', () => {
  const turns = waiting('a1', 'a2', 'a3', 'a4', 'a5')
  for (const _ of [1, 2, 3]) {
    turns.next()
    turns.charge('a', 10)
  }
  for (const one of ['b1', 'b2', 'b3']) turns.add('b', one)
  expect(order(turns, () => 10)).toBe('b1 a4 b2 a5 b3')
})

test('who comes again after each large one waits as if he had brought them all at once', () => {
  const turns = waiting('a1', 'b1', 'b2', 'b3')
  expect(turns.next()).toBe('a1')
  turns.charge('a', 20)
  expect(turns.next()).toBe('b1')
  turns.charge('b', 1)
  turns.add('a', 'a2')
  expect(order(turns, (key) => (key === 'a' ? 20 : 1))).toBe('b2 b3 a2')
  // Whom nobody waited for owes nothing.
  turns.add('b', 'b4')
  turns.add('a', 'a3')
  turns.add('b', 'b5')
  expect(order(turns, () => 1)).toBe('b4 a3 b5')
})

test('what is taken out is not done', () => {
  const turns = waiting('a1', 'a2', 'b1')
  expect([turns.remove('a', 'a1'), turns.remove('a', 'a1'), turns.remove('c', 'c1'), turns.size]).toEqual([true, false, false, 2])
  expect(order(turns, () => 1)).toBe('a2 b1')
  expect(turns.size).toBe(0)
})
