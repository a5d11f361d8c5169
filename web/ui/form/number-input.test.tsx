import { expect, test, vi } from 'vitest'
import { NumberInput } from './fields.tsx'

const inputOf = (value: number | null, more: object = {}) => NumberInput({ value, onChange: () => {}, ...more }).props

const target = (value: string, badInput = false) => ({ target: { value, valueAsNumber: Number.parseFloat(value), validity: { badInput } } })

test('a typed number is a number, and other text is NaN, which no schema accepts', () => {
  const onChange = vi.fn<(value: number | null) => void>()
  const { onChange: change } = inputOf(5, { onChange })
  for (const typed of [target('150'), target(''), target('', true)]) change(typed)
  expect(onChange.mock.calls).toEqual([[150], [NaN], [NaN]])
})

test('an empty input can be null', () => {
  const onChange = vi.fn<(value: number | null) => void>()
  const { onChange: change } = inputOf(5, { onChange, empty: null })
  for (const typed of [target(''), target('', true)]) change(typed)
  expect(onChange.mock.calls).toEqual([[null], [NaN]])
})

test('the input shows the number, and nothing for NaN and null', () => {
  expect(inputOf(0)).toMatchObject({ type: 'number', value: 0 })
  expect(inputOf(NaN).value).toBe('')
  expect(inputOf(null).value).toBe('')
})
