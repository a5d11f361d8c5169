import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { isColor, STANDARD_COLOR } from './color.ts'

interface ColorFieldProps {
  value: string
  onChange: (value: string) => void
  onLeave: () => void
  error: string | undefined
}

/** A colour, picked or typed. */
export function ColorField({ value, onChange, onLeave, error }: ColorFieldProps) {
  const picked = isColor(value) ? value.toLowerCase() : STANDARD_COLOR
  return (
    <div data-field="primary_color">
      <Field label="Colour" optional hint="Of buttons and bars. What is written on it is made light or dark by itself." error={error}>
        {(props) => (
          <div className="flex gap-2">
            <input
              type="color"
              aria-label="Pick the colour"
              value={picked}
              onChange={(event) => onChange(event.target.value)}
              className="h-9 w-12 shrink-0 rounded-6 border border-line-strong bg-field p-1 pointer-coarse:h-11"
            />
            <input
              {...props}
              value={value}
              onChange={(event) => onChange(withHash(event.target.value))}
              onBlur={onLeave}
              placeholder={STANDARD_COLOR}
              autoComplete="off"
              spellCheck={false}
              maxLength={16}
              className="field-input max-w-36 font-mono"
            />
            {value !== '' && (
              <Button look="quiet" onClick={() => onChange('')}>
                Standard
              </Button>
            )}
          </div>
        )}
      </Field>
    </div>
  )
}

/** People paste the digits alone. */
function withHash(text: string): string {
  const trimmed = text.trim()
  return /^[0-9a-f]{6}$/i.test(trimmed) ? `#${trimmed}` : trimmed
}
