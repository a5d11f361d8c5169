/** The theme on this page: dark, light or the system's. public/theme.js applies it before the first paint. */
import { useSyncExternalStore } from 'react'
import { readTheme, storeTheme, type ThemeChoice } from './stored-theme.ts'

const LIGHT = '(prefers-color-scheme: light)'
const listeners = new Set<() => void>()

let choice = readTheme()
const readChoice = () => choice

function effectiveTheme(): 'dark' | 'light' {
  if (choice !== 'system') return choice
  return matchMedia(LIGHT).matches ? 'light' : 'dark'
}

function apply(): void {
  document.documentElement.dataset['theme'] = effectiveTheme()
  for (const listener of listeners) listener()
}

/** Shows the theme and stores it for the first paint of the next page. */
export function setTheme(next: ThemeChoice): void {
  if (next === choice) return
  choice = next
  storeTheme(next)
  apply()
}

// Not outside of a browser.
if (typeof document !== 'undefined') matchMedia(LIGHT).addEventListener('change', apply)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(subscribe, readChoice, readChoice)
}
