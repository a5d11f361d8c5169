import { Field } from '#web/ui/form/field.tsx'

/** As the contract has it for answers and notes. */
const MAX_LENGTH = 1000

interface SaidFieldProps {
  label: string
  hint?: string
  error?: string | undefined
  optional?: boolean
  value: string
  rows?: number
  readOnly?: boolean
  onChange: (text: string) => void
}

/** As the backend counts: signs, not bytes, without the space around them. */
const lengthOf = (text: string): number => Array.from(text.trim()).length

/** What the field itself complains about; whoever sends it waits until it is shorter. */
export const isTooLong = (text: string): boolean => lengthOf(text) > MAX_LENGTH

export function MessageField({ label, hint, error, optional = false, value, rows = 4, readOnly = false, onChange }: SaidFieldProps) {
  const length = lengthOf(value)
  const tooLong = length > MAX_LENGTH ? `That is ${length - MAX_LENGTH} characters too many.` : undefined
  return (
    <Field label={label} hint={hint} error={error ?? tooLong} optional={optional} aside={`${length} / ${MAX_LENGTH}`}>
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
