import type { InputHTMLAttributes, Ref } from 'react'

interface NumberInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange'> {
  ref?: Ref<HTMLInputElement>
  /** NaN if the input is empty. */
  value: number
  onChange: (value: number) => void
}

/** An input whose value is a number. */
export function NumberInput({ value, onChange, ...props }: NumberInputProps) {
  return (
    <input
      {...props}
      type="number"
      inputMode="numeric"
      value={Number.isNaN(value) ? '' : value}
      onChange={({ target }) => onChange(target.valueAsNumber)}
      className="field-input"
    />
  )
}
