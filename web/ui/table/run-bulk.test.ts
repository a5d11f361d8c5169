import { expect, test } from 'vitest'
import { HttpError } from '#web/lib/http-error.ts'
import { type Outcome, runBulk } from './run-bulk.ts'

const refusal = (status: number, retryAfter?: string) =>
  new HttpError({ status, statusText: 'Refused', url: '/', body: null, ...(retryAfter !== undefined && { retryAfter }) })

async function run(act: (row: number) => Promise<unknown>, isOver = () => false) {
  const outcomes = new Map<number, Outcome>()
  const waits: number[] = []
  const left = await runBulk({
    rows: [1, 2, 3, 4, 5],
    act,
    onOutcome: (row, outcome) => outcomes.set(row, outcome),
    isOver,
    wait: async (ms) => waits.push(ms),
  })
  return { outcomes, waits, left }
}

test('one row that fails stops no other, and is what is left', async () => {
  const { outcomes, left } = await run(async (row) => {
    if (row === 2) throw refusal(404)
  })
  expect(left).toEqual([2])
  expect(outcomes.get(2)).toEqual({ ok: false, message: 'Refused' })
  expect([...outcomes].filter(([, outcome]) => outcome?.ok).map(([row]) => row)).toEqual([1, 3, 4, 5])
})

test('a row that came too often waits as long as it is told, once', async () => {
  const tries = new Map<number, number>()
  const { waits, left } = await run(async (row) => {
    tries.set(row, (tries.get(row) ?? 0) + 1)
    if (row === 1 && tries.get(1) === 1) throw refusal(429, '7')
    if (row === 2) throw refusal(429)
    if (row === 3 && tries.get(3) === 1) throw refusal(429, '86400')
  })
  expect(left).toEqual([2])
  expect(tries.get(2)).toBe(2)
  expect(waits.toSorted((a, b) => a - b)).toEqual([1000, 7000, 30_000])
})

test('once whoever asked is gone no further row begins, and those not begun are left', async () => {
  let begun = 0
  const { left } = await run(
    async () => {
      begun += 1
    },
    () => begun >= 3,
  )
  expect(begun).toBe(3)
  expect(left).toEqual([4, 5])
})
