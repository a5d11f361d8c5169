/** Results of bulk actions as text. */
import { expect, test } from 'vitest'
import { m } from '#messages'
import { resultOf } from './run-bulk.ts'

test.each([
  [0, 1, '0 of 1 server banned'],
  [1, 1, '1 server banned'],
  [0, 14, '0 of 14 servers banned'],
  [6, 14, '6 of 14 servers banned'],
  [14, 14, '14 servers banned'],
  [1200, 3400, '1,200 of 3,400 servers banned'],
])('%i of %i: %s', (done, total, text) => {
  expect(resultOf(done, total, m.servers_bulk_banned)).toBe(text)
})
