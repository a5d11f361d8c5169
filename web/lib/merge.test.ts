import { expect, test } from 'vitest'
import { mergeRows } from './merge.ts'

const PARTS = [{ name: 'text' }, { name: 'ids' }] as const
type Values = { text: string; ids: string[] }

const base: Values = { text: 'a', ids: ['1'] }
const merge = (mine: Partial<Values>, theirs: Partial<Values>) =>
  mergeRows<Values, (typeof PARTS)[number]>(PARTS, base, { ...base, ...mine }, { ...base, ...theirs }).map(
    ({ part, preselected, isContested }) => [part.name, preselected, isContested],
  )

test('keeps what each side changed alone', () => {
  expect(merge({ text: 'b' }, { ids: ['2'] })).toEqual([
    ['text', 'mine', false],
    ['ids', 'theirs', false],
  ])
})

test('marks a field that both changed differently, and preselects mine', () => {
  expect(merge({ text: 'b' }, { text: 'c' })).toEqual([['text', 'mine', true]])
  expect(merge({ ids: [] }, { ids: ['2'] })).toEqual([['ids', 'mine', true]])
})

test('has no row for equal values', () => {
  expect(merge({ text: 'b' }, { text: 'b' })).toEqual([])
  expect(merge({}, {})).toEqual([])
})
