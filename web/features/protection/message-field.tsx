import { m } from '#messages'
import { Field } from '#web/ui/form/field.tsx'

/** The contract's limit for replies and notes. */
const MAX_LENGTH = 1000

interface MessageFieldProps {
  label: string
  hint?: string
  error?: string | undefined
  optional?: boolean
  value: string
  rows?: number
  readOnly?: boolean
  onChange: (text: string) => void
}

/** Code points of the trimmed text, as the backend counts. */
const lengthOf = (text: string): number => Array.from(text.trim()).length

export const isTooLong = (text: string): boolean => lengthOf(text) > MAX_LENGTH

export function MessageField({ label, hint, error, optional = false, value, rows = 4, readOnly = false, onChange }: MessageFieldProps) {
  const tooLong = isTooLong(value) ? m.protection_message_too_long({ max: MAX_LENGTH }) : undefined
  return (
    <Field label={label} hint={hint} error={error ?? tooLong} optional={optional} aside={`${lengthOf(value)} / ${MAX_LENGTH}`}>
      {(control) => (
        <textarea
          {...control}
          value={value}
          rows={rows}
          readOnly={readOnly}
          onChange={(event) => onChange(event.target.value)}
          className="field-input resize-y"
        />
      )}
    </Field>
  )
}
