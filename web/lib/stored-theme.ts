/** The theme that this browser keeps, for the first paint of the next page (public/theme.js). */
import { browserStorage } from './storage.ts'

export type ThemeChoice = 'system' | 'dark' | 'light'

const KEY = 'muster.theme'
const LIGHT = '(prefers-color-scheme: light)'

export function readTheme(): ThemeChoice {
  const stored = browserStorage.read(KEY)
  return stored === 'dark' || stored === 'light' ? stored : 'system'
}

export function storeTheme(theme: ThemeChoice): void {
  browserStorage.write(KEY, theme === 'system' ? null : theme)
}

export function showTheme(choice: ThemeChoice): void {
  const system = matchMedia(LIGHT).matches ? 'light' : 'dark'
  document.documentElement.dataset['theme'] = choice === 'system' ? system : choice
}

export function onSystemTheme(listener: () => void): void {
  matchMedia(LIGHT).addEventListener('change', listener)
}
