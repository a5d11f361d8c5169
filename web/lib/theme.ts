/** The theme on this page: dark, light or the system's. theme-script.js applies it before the first paint. */
import { useSyncExternalStore } from 'react'
import { browserStorage } from './storage.ts'

type ThemeChoice = 'system' | 'dark' | 'light'

const KEY = 'muster.theme'
const light = matchMedia('(prefers-color-scheme: light)')
const listeners = new Set<() => void>()

const stored = browserStorage.read(KEY)
let choice: ThemeChoice = stored === 'dark' || stored === 'light' ? stored : 'system'

export function effectiveTheme(): 'dark' | 'light' {
  if (choice !== 'system') return choice
  return light.matches ? 'light' : 'dark'
}

function apply(): void {
  document.documentElement.dataset['theme'] = effectiveTheme()
  for (const listener of listeners) listener()
}

light.addEventListener('change', apply)

/** Shows the theme and stores it for the first paint of the next page. */
export function setTheme(next: ThemeChoice): void {
  if (next === choice) return
  choice = next
  browserStorage.write(KEY, next === 'system' ? null : next)
  apply()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(subscribe, () => choice)
}
