/** In which order things are done that several people wait for. */
import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

/** Does everything that waits. @param cost how much each of this person's takes. */
function order(turns: Turns<string>, cost: (key: string) => number): string {
  const done: string[] = []
  for (let one = turns.next(); one !== undefined; one = turns.next()) {
    done.push(one)
    turns.count(one[0] ?? '', cost(one[0] ?? ''))
  }
  return done.join(' ')
}

function waiting(...all: readonly string[]): Turns<string> {
  const turns = new Turns<string>()
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
    turns.count('a', 10)
  }
  for (const one of ['b1', 'b2', 'b3']) turns.add('b', one)
  expect(order(turns, () => 10)).toBe('b1 a4 b2 a5 b3')
})

test('what is taken out is not done', () => {
  const turns = waiting('a1', 'a2', 'b1')
  expect([turns.remove('a', 'a1'), turns.remove('a', 'a1'), turns.remove('c', 'c1'), turns.size]).toEqual([true, false, false, 2])
  expect(order(turns, () => 1)).toBe('a2 b1')
  expect(turns.size).toBe(0)
})
