/** Bulk actions: failures, retries after 429, and cancellation. */
import { expect, test } from 'vitest'
import { HttpError } from '#web/lib/http/call.ts'
import { type Outcome, runBulk } from './run-bulk.ts'

const rejection = (status: number, retryAfter?: string) =>
  new HttpError({ status, statusText: 'Rejected', url: '/', body: null, ...(retryAfter !== undefined && { retryAfter }) })

async function run(action: (row: number) => Promise<unknown>, isCancelled = () => false) {
  const outcomes = new Map<number, Outcome>()
  const waits: number[] = []
  const remaining = await runBulk({
    rows: [1, 2, 3, 4, 5],
    action,
    onOutcome: (row, outcome) => outcomes.set(row, outcome),
    isCancelled,
    wait: async (ms) => waits.push(ms),
  })
  return { outcomes, waits, remaining }
}

test('a failed row does not stop the others, and is returned', async () => {
  const { outcomes, remaining } = await run(async (row) => {
    if (row === 2) throw rejection(404)
  })
  expect(remaining).toEqual([2])
  expect(outcomes.get(2)).toEqual({ ok: false, message: 'Rejected' })
  expect([...outcomes].filter(([, outcome]) => outcome?.ok).map(([row]) => row)).toEqual([1, 3, 4, 5])
})

test('a row that gets 429 is retried once, after its Retry-After of at most 30 seconds, or after one second', async () => {
  const tries = new Map<number, number>()
  const { waits, remaining } = await run(async (row) => {
    tries.set(row, (tries.get(row) ?? 0) + 1)
    if (row === 1 && tries.get(1) === 1) throw rejection(429, '7')
    if (row === 2) throw rejection(429)
    if (row === 3 && tries.get(3) === 1) throw rejection(429, '86400')
  })
  expect(remaining).toEqual([2])
  expect(tries.get(2)).toBe(2)
  expect(waits.toSorted((a, b) => a - b)).toEqual([1000, 7000, 30_000])
})

test('after cancellation no further row starts, and the rows not started are returned', async () => {
  let started = 0
  const { remaining } = await run(
    async () => {
      started += 1
    },
    () => started >= 3,
  )
  expect(started).toBe(3)
  expect(remaining).toEqual([4, 5])
})
