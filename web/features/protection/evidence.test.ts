import { expect, test } from 'vitest'
import { evidenceLines } from './evidence.tsx'

const at = (minute: number) => `2026-03-01T12:${String(minute).padStart(2, '0')}:00.000Z`
const item = (minute: number, address: string | null, observed = 'Another host announces.', expected = '192.0.2.1') => ({
  at: at(minute),
  observed,
  expected,
  address,
})

test('repeated observations from the same address are one line with every time', () => {
  expect(evidenceLines([])).toEqual([])
  expect(evidenceLines([item(9, '127.0.0.2'), item(7, '127.0.0.2'), item(3, '127.0.0.2')])).toMatchObject([
    { observed: 'Another host announces.', expected: '192.0.2.1', address: '127.0.0.2', times: [at(9), at(7), at(3)] },
  ])
})

test('each address has its own line, the latest first', () => {
  expect(evidenceLines([item(9, '127.0.0.3'), item(8, '127.0.0.2'), item(7, '127.0.0.3'), item(6, null)])).toMatchObject([
    { address: '127.0.0.3', times: [at(9), at(7)] },
    { address: '127.0.0.2', times: [at(8)] },
    { address: null, times: [at(6)] },
  ])
})

test('each observation and expected value has its own line', () => {
  const lines = evidenceLines([item(3, null, '900 players'), item(2, null, '900 players', '64 slots'), item(1, null, '901 players')])
  expect(lines.map(({ observed, expected }) => [observed, expected])).toEqual([
    ['900 players', '192.0.2.1'],
    ['900 players', '64 slots'],
    ['901 players', '192.0.2.1'],
  ])
})
