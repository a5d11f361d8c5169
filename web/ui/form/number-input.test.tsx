import { expect, test, vi } from 'vitest'
import { NumberInput } from './number-input.tsx'

const inputOf = (value: number, onChange: (value: number) => void = () => {}) => NumberInput({ value, onChange, min: 0, max: 2000 }).props

test('a typed number is a number, and an empty input is NaN, which no schema accepts', () => {
  const onChange = vi.fn<(value: number) => void>()
  const { onChange: change } = inputOf(5, onChange)
  for (const valueAsNumber of [150, NaN]) change({ target: { value: String(valueAsNumber), valueAsNumber } })
  expect(onChange.mock.calls).toEqual([[150], [NaN]])
})

test('the input shows the number in its range, and nothing for NaN', () => {
  expect(inputOf(0)).toMatchObject({ type: 'number', value: 0, min: 0, max: 2000 })
  expect(inputOf(NaN).value).toBe('')
})
