import { useSuspenseQuery } from '@tanstack/react-query'
import type { Language } from '#contract/text/panel-languages.ts'
import { m } from '#messages'
import { LanguageField, ThemeChoice, TimeZoneField } from '#web/features/preferences/preference-fields.tsx'
import { preferencesOptions, useChangePreferences } from '#web/features/preferences/preferences.api.ts'
import { applyAccountLanguage } from '#web/lib/language-choice.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Card } from '#web/ui/card.tsx'

export function SettingsPreferencesPage() {
  const { language, theme, time_zone: timeZone } = useSuspenseQuery(preferencesOptions).data
  const { mutate } = useChangePreferences()
  const { mutate: saveLanguage, isPending, isSuccess } = useChangePreferences()
  const changeLanguage = (next: Language | null) => {
    const reload = () => {
      applyAccountLanguage(next)
      location.reload()
    }
    saveLanguage({ language: next }, { onSuccess: reload })
  }
  useTitle(m.nav_preferences())
  return (
    <div className="space-y-5">
      <Card title={m.preferences_theme()} description={m.preferences_theme_hint()}>
        <ThemeChoice value={theme} onChange={(next) => mutate({ theme: next })} />
      </Card>
      <Card title={m.preferences_language()} description={m.preferences_language_hint()}>
        <LanguageField value={language} busy={isPending || isSuccess} onChange={changeLanguage} />
      </Card>
      <Card title={m.preferences_times()} description={m.preferences_times_hint()}>
        <TimeZoneField value={timeZone} onChange={(next) => mutate({ time_zone: next })} />
      </Card>
    </div>
  )
}
