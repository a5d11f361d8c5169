import type { ComponentProps } from 'react'
import { cx } from '#web/ui/class-names.ts'

interface NumberInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  value: number | null
  onChange: (value: number | null) => void
  /** The value of an empty input: NaN, which no schema accepts, or null. */
  empty?: number | null
}

/** An input whose value is a number. */
export function NumberInput({ value, onChange, empty = NaN, className, ...props }: NumberInputProps) {
  return (
    <input
      autoComplete="off"
      {...props}
      type="number"
      inputMode="numeric"
      value={value === null || Number.isNaN(value) ? '' : value}
      onChange={({ target }) => onChange(target.value === '' && !target.validity.badInput ? empty : target.valueAsNumber)}
      className={cx('field-input tabular-nums', className)}
    />
  )
}
