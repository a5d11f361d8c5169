/** The theme that this browser keeps, for the first paint of the next page (public/theme.js). */
import { browserStorage } from './storage.ts'

export type ThemeChoice = 'system' | 'dark' | 'light'

const KEY = 'muster.theme'

export function readTheme(): ThemeChoice {
  const stored = browserStorage.read(KEY)
  return stored === 'dark' || stored === 'light' ? stored : 'system'
}

export function storeTheme(theme: ThemeChoice): void {
  browserStorage.write(KEY, theme === 'system' ? null : theme)
}
