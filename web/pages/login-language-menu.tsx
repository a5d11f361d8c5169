import type { Language } from '#contract/panel-languages.ts'
import { m } from '#messages'
import { chooseLanguage, LANGUAGES } from '#web/lib/language-choice.ts'
import { pageLanguage } from '#web/lib/language.ts'

/** For visitors without an account; others choose in their preferences. Its classes are those of the login page, which has a size limit. */
export function LanguageMenu() {
  return (
    <select
      aria-label={m.preferences_language()}
      defaultValue={pageLanguage}
      onChange={({ target }) => chooseLanguage(target.value as Language)}
      className="rounded-6 border border-line bg-surface-2 px-3 py-2.5 text-13 text-ink-1"
    >
      {LANGUAGES.map(({ code, name }) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </select>
  )
}
