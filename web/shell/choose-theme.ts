import type { QueryClient } from '@tanstack/react-query'
import type { Theme } from '#contract/users/preferences.ts'
import { changePreferences } from '#web/features/preferences/preferences.api.ts'
import { setTheme } from '#web/lib/theme.ts'

/** Shows the theme at once and saves it with the account. */
export function chooseTheme(client: QueryClient, theme: Theme): void {
  setTheme(theme)
  void changePreferences(client, { theme })
}
