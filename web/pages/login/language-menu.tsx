import { m } from '#messages'
import { chooseLanguage, LANGUAGES } from '#web/lib/language-choice.ts'
import { pageLanguage } from '#web/lib/language.ts'

/** For visitors without an account; others choose in their preferences. */
export function LanguageMenu() {
  return (
    <div role="group" aria-label={m.preferences_language()} className="mt-6 flex flex-wrap gap-x-4 text-13">
      {LANGUAGES.map(({ code, name }) => (
        <button
          key={code}
          type="button"
          lang={code}
          aria-current={code === pageLanguage || undefined}
          onClick={() => chooseLanguage(code)}
          className="min-h-8 text-ink-3 hover:text-ink-1 aria-current:font-medium aria-current:text-ink-1"
        >
          {name}
        </button>
      ))}
    </div>
  )
}
