import { expect, test } from 'vitest'
import { minutesOf } from './stored-buckets.ts'

const playersOf = (players: number, highest: number, online: number, sampled: number) =>
  minutesOf({ at: 0, players, highest, online, sampled }).map((minute) => minute.players)

test('equal minutes stay equal, and different ones never become equal', () => {
  expect(playersOf(210, 42, 5, 5)).toEqual([42, 42, 42, 42, 42])
  // Four minutes with 42 players and one with 41.
  expect(playersOf(209, 42, 5, 5)).toEqual([41, 41, 41, 41, 42])
  expect(playersOf(7, 7, 1, 1)).toEqual([7])
})

test('offline minutes come first, and minutes without a sample are missing', () => {
  expect(playersOf(20, 10, 2, 4)).toEqual([-1, -1, 10, 10])
  expect(playersOf(0, 0, 0, 3)).toEqual([-1, -1, -1])
})
