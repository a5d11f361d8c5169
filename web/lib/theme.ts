/** The theme on this page: dark, light or the system's. public/theme.js applies it before the first paint. */
import { createStore } from './store.ts'
import { onSystemTheme, readTheme, showTheme, storeTheme, type ThemeChoice } from './stored-theme.ts'

const choice = createStore(readTheme())
export const useThemeChoice = choice.use

/** Shows the theme and stores it for the first paint of the next page. */
export function setTheme(next: ThemeChoice): void {
  storeTheme(next)
  choice.set(next)
  showTheme(next)
}

// Not outside of a browser.
if (typeof document !== 'undefined') onSystemTheme(() => showTheme(choice.get()))
