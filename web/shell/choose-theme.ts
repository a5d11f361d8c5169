import type { QueryClient } from '@tanstack/react-query'
import type { Theme } from '#contract/users/preferences.ts'
import { setTheme } from '#web/lib/theme.ts'

/** Shows the theme at once and saves it with the account. The first page does not load the code that saves it. */
export function chooseTheme(client: QueryClient, theme: Theme): void {
  setTheme(theme)
  void import('#web/features/preferences/preferences.api.ts')
    .then(({ changePreferences }) => changePreferences(client, { theme }))
    .catch(() => {})
}
