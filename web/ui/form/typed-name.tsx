import { useState } from 'react'
import { m } from '#messages'
import { cx } from '#web/ui/class-names.ts'
import { RichText } from '#web/ui/rich-text.tsx'
import { Field } from './field.tsx'

interface TypedNameProps {
  /** The label, with the name in it. */
  message?: typeof m.ui_typed_name
  name: string
  value: string
  onChange: (text: string) => void
  isRight: boolean
  wrong: string
  className?: string
}

export function TypedName({ message = m.ui_typed_name, name, value, onChange, isRight, wrong, className }: TypedNameProps) {
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
    <Field label={label} error={tried && !isRight ? wrong : undefined}>
      {(control) => (
        <input
          {...control}
          value={value}
          onChange={(event) => {
            setTried(false)
            onChange(event.target.value)
          }}
          // The submit button is disabled, so the form gives no feedback.
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
