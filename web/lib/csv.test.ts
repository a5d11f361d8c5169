import { expect, test } from 'vitest'
import { toCsv } from './csv.ts'

test('a file has its head, a line for each row, and empty cells for what is not known', () => {
  expect(
    toCsv(
      ['time', 'average'],
      [
        ['2026-11-22T05:00:00.000Z', 12],
        ['2026-11-22T06:00:00.000Z', null],
      ],
    ),
  ).toBe('time,average\r\n2026-11-22T05:00:00.000Z,12\r\n2026-11-22T06:00:00.000Z,\r\n')
})

test('commas, quotes and line breaks stay inside their cell', () => {
  expect(toCsv(['a,b', 'say "hi"'], [['two\nlines', -1]])).toBe('"a,b","say ""hi"""\r\n"two\nlines",-1\r\n')
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('%j is a text for a spreadsheet, not a formula', (text) => {
  expect(toCsv([], [[text]]).replaceAll('"', '')).toBe(`\r\n'${text}\r\n`)
})
