import { useState } from 'react'
import { cx } from '#web/ui/class-names.ts'
import { Field } from './field.tsx'

interface TypedNameProps {
  ask?: string
  name: string
  value: string
  onChange: (text: string) => void
  isRight: boolean
  wrong: string
  className?: string
}

export function TypedName({ ask = 'Type', name, value, onChange, isRight, wrong, className }: TypedNameProps) {
  const [tried, setTried] = useState(false)
  const label = (
    <span className="font-normal text-ink-2">
      {ask} <strong className="font-semibold break-all text-ink-1 select-all">{name}</strong> to confirm
    </span>
  )
  return (
    <Field label={label} error={tried && !isRight ? wrong : undefined}>
      {(control) => (
        <input
          {...control}
          value={value}
          onChange={(event) => {
            setTried(false)
            onChange(event.target.value)
          }}
          // The button is disabled, so the form would not answer.
          onKeyDown={(event) => {
            if (event.key === 'Enter' && value.trim() !== '') setTried(true)
          }}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className={cx('field-input', className)}
        />
      )}
    </Field>
  )
}
