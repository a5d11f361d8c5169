/** CSV files. */
import { expect, test } from 'vitest'
import { toCsv } from './csv.ts'

test('a file has a byte order mark, a header, a line for each row, and empty cells for null', () => {
  expect(
    toCsv(
      ['time', 'average'],
      [
        ['2026-11-22T05:00:00.000Z', 12],
        ['2026-11-22T06:00:00.000Z', null],
      ],
    ),
  ).toBe('\uFEFFtime,average\r\n2026-11-22T05:00:00.000Z,12\r\n2026-11-22T06:00:00.000Z,\r\n')
})

test('cells with commas, quotes or line breaks are quoted', () => {
  expect(toCsv(['a,b', 'say "hi"'], [['two\nlines', -1]])).toBe('\uFEFF"a,b","say ""hi"""\r\n"two\nlines",-1\r\n')
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('%j is escaped, so that spreadsheets do not run it as a formula', (text) => {
  expect(toCsv([], [[text]]).replaceAll('"', '')).toBe(`\uFEFF\r\n'${text}\r\n`)
})
