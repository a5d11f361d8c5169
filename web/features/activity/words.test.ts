import { expect, test } from 'vitest'
import { ACTIONS } from '#contract/activity.ts'
import { piecesOf, WORDS } from './words.ts'

test.each(ACTIONS)('%s has words, and only parts that exist', (action) => {
  const { text, bySystem = text } = WORDS[action]
  for (const pieces of [piecesOf(text), piecesOf(bySystem)]) {
    expect(pieces.some((piece) => typeof piece === 'string' && piece.trim() !== '')).toBe(true)
    expect(pieces.filter((piece) => typeof piece === 'string').join('')).not.toMatch(/[{}]/)
  }
})

test('a sentence falls into its pieces', () => {
  expect(piecesOf('{who} offered {server} to {user}')).toEqual([{ part: 'who' }, ' offered ', { part: 'server' }, ' to ', { part: 'user' }])
})
