import type { Language } from '#contract/panel-languages.ts'
import { m } from '#messages'
import { LANGUAGES } from '#web/lib/language-choice.ts'

interface LanguageFieldProps {
  readonly value: Language | null
  readonly disabled: boolean
  readonly onChange: (language: Language | null) => void
}

export function LanguageField({ value, disabled, onChange }: LanguageFieldProps) {
  return (
    <select
      aria-label={m.preferences_language()}
      value={value ?? ''}
      disabled={disabled}
      onChange={({ target }) => onChange(LANGUAGES.find(({ code }) => code === target.value)?.code ?? null)}
      className="field-input sm:max-w-96"
    >
      <option value="">{m.preferences_language_browser()}</option>
      {LANGUAGES.map(({ code, name }) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </select>
  )
}
