import { useState } from 'react'
import { m } from '#messages'
import { cx } from '#web/ui/class-names.ts'
import { RichText } from '#web/ui/rich-text.tsx'
import { Field } from './fields.tsx'

interface TypedNameProps {
  /** The label, which contains the name. */
  message?: typeof m.ui_typed_name
  name: string
  value: string
  onChange: (text: string) => void
  isMatch: boolean
  error: string
  className?: string
}

export function TypedName({ message = m.ui_typed_name, name, value, onChange, isMatch, error, className }: TypedNameProps) {
  const [tried, setTried] = useState(false)
  const label = (
    <span className="font-normal text-ink-2">
      <RichText
        message={message}
        tags={{ name: () => <strong className="font-semibold break-all text-ink-1 select-all">{name}</strong> }}
      />
    </span>
  )
  return (
    <Field label={label} error={tried && !isMatch ? error : undefined}>
      {(control) => (
        <input
          {...control}
          value={value}
          onChange={(event) => {
            setTried(false)
            onChange(event.target.value)
          }}
          // The submit button is disabled, so Enter would give no feedback.
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
