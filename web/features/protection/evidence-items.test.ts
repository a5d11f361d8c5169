import { expect, test } from 'vitest'
import { countLines, groupEvidence, takeLines } from './evidence-items.tsx'

const at = (minute: number) => `2026-03-01T12:${String(minute).padStart(2, '0')}:00.000Z`
const item = (minute: number, address: string | null, observed = 'Another host announces.', expected = '192.0.2.1') => ({
  at: at(minute),
  observed,
  expected,
  address,
})

test('repeated observations from the same address are one line with every time', () => {
  expect(groupEvidence([item(9, '127.0.0.2'), item(7, '127.0.0.2'), item(3, '127.0.0.2')])).toEqual([
    {
      observed: 'Another host announces.',
      expected: '192.0.2.1',
      sources: [{ address: '127.0.0.2', times: [at(9), at(7), at(3)] }],
    },
  ])
})

test('addresses with the same observation share a group, the latest first', () => {
  const [group, ...more] = groupEvidence([item(9, '127.0.0.3'), item(8, '127.0.0.2'), item(7, '127.0.0.3'), item(6, null)])
  expect(more).toEqual([])
  expect(group?.sources).toEqual([
    { address: '127.0.0.3', times: [at(9), at(7)] },
    { address: '127.0.0.2', times: [at(8)] },
    { address: null, times: [at(6)] },
  ])
})

test('each observation and expected value has its own group', () => {
  const groups = groupEvidence([item(3, null, '900 players'), item(2, null, '900 players', '64 slots'), item(1, null, '901 players')])
  expect(groups.map(({ observed, expected }) => [observed, expected])).toEqual([
    ['900 players', '192.0.2.1'],
    ['900 players', '64 slots'],
    ['901 players', '192.0.2.1'],
  ])
})

test('the line limit applies within a group too', () => {
  const groups = groupEvidence([item(5, 'a'), item(4, 'b'), item(3, 'c'), item(2, null, 'Else')])
  expect(countLines(groups)).toBe(4)
  expect(takeLines(groups, 2).map(({ sources }) => sources.map(({ address }) => address))).toEqual([['a', 'b']])
  expect(takeLines(groups, 9)).toEqual(groups)
  expect(groupEvidence([])).toEqual([])
})
