import type { QueryClient } from '@tanstack/react-query'
import { Monitor, Moon, Sun } from 'lucide-react'
import type { Theme } from '#contract/users/preferences.ts'
import { m } from '#messages'
import { changePreferences } from '#web/features/preferences/preferences.api.ts'
import { setTheme } from '#web/lib/theme.ts'

export const THEMES = [
  { id: 'system', Icon: Monitor, name: m.shell_menu_system, command: m.shell_palette_system },
  { id: 'dark', Icon: Moon, name: m.shell_menu_dark, command: m.shell_palette_dark },
  { id: 'light', Icon: Sun, name: m.shell_menu_light, command: m.shell_palette_light },
] as const

/** Shows the theme at once and saves it with the account. */
export function chooseTheme(client: QueryClient, theme: Theme): void {
  setTheme(theme)
  void changePreferences(client, { theme })
}
