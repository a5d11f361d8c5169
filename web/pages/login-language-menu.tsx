import type { Language } from '#contract/panel-languages.ts'
import { m } from '#messages'
import { chooseLanguage, LANGUAGES } from '#web/lib/language-choice.ts'
import { pageLanguage } from '#web/lib/language.ts'

/** For visitors without an account; others choose in their preferences. */
export function LanguageMenu() {
  return (
    <select
      aria-label={m.preferences_language()}
      defaultValue={pageLanguage}
      onChange={({ target }) => chooseLanguage(target.value as Language)}
      className="-ml-1 min-h-8 max-w-full rounded-6 bg-transparent text-13 text-ink-2 hover:text-ink-1"
    >
      {LANGUAGES.map(({ code, name }) => (
        <option key={code} value={code} lang={code} className="bg-surface-1 text-ink-1">
          {name}
        </option>
      ))}
    </select>
  )
}
