/** The theme on this page: dark, light or the system's. theme-script.js applies it before the first paint. */
import { useSyncExternalStore } from 'react'
import { readTheme, storeTheme, type ThemeChoice } from './stored-theme.ts'

const light = matchMedia('(prefers-color-scheme: light)')
const listeners = new Set<() => void>()

let choice = readTheme()

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
  storeTheme(next)
  apply()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(subscribe, () => choice)
}
