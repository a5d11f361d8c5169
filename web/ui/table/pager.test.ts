/** Page ranges of tables as text. */
import { expect, test } from 'vitest'
import { m } from '#messages'
import { rangeText, hasNextPage } from './pager.tsx'

const page = (number: number, total: number, capped = false) => ({
  page: number,
  per_page: 50,
  total,
  pages: Math.max(1, Math.ceil(total / 50)),
  capped,
})

test.each([
  // page and total, rows on the page, text, whether more rows follow
  [page(1, 0), 0, '0 servers', false],
  [page(1, 1), 1, '1 server', false],
  [page(1, 50), 50, '1–50 of 50 servers', false],
  [page(1, 70), 50, '1–50 of 70 servers', true],
  [page(2, 70), 20, '51–70 of 70 servers', false],
  // Thirty rows of the first page were removed. The second still shows its fifty rows, and twenty more follow.
  [page(2, 70), 50, '50 of 70 servers', true],
  [page(2, 100), 50, '51–100 of 100 servers', false],
  [page(201, 10_000, true), 50, '10,001–10,050 of 10,000+ servers', true],
  [page(201, 10_000, true), 3, '10,001–10,003 of 10,000+ servers', false],
])('%j with %i rows shows %s', (meta, count, text, hasMore) => {
  expect(rangeText(meta, count, m.count_servers)).toBe(text)
  expect(hasNextPage(meta, count)).toBe(hasMore)
})
