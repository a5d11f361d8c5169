import { useState } from 'react'
import type { Language } from '#contract/text/panel-languages.ts'
import { m } from '#messages'
import { LANGUAGES } from '#web/lib/language-choice.ts'
import { Button } from '#web/ui/button.tsx'

interface LanguageFieldProps {
  readonly value: Language | null
  readonly busy: boolean
  readonly onChange: (language: Language | null) => void
}

/** Has a button: the page reloads, and arrow keys would change a select again and again. */
export function LanguageField({ value, busy, onChange }: LanguageFieldProps) {
  const [chosen, setChosen] = useState(value)
  return (
    <form
      className="flex flex-wrap gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        onChange(chosen)
      }}
    >
      <select
        aria-label={m.preferences_language()}
        value={chosen ?? ''}
        disabled={busy}
        onChange={({ target }) => setChosen(LANGUAGES.find(({ code }) => code === target.value)?.code ?? null)}
        className="field-input sm:max-w-96"
      >
        <option value="">{m.preferences_language_browser()}</option>
        {LANGUAGES.map(({ code, name }) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
      <Button type="submit" busy={busy} disabled={chosen === value}>
        {m.preferences_language_use()}
      </Button>
    </form>
  )
}
