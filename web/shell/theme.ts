/** Dark, light, or as the system has it. theme-script.js does the same before the first paint. */
import { useSyncExternalStore } from 'react'

type ThemeChoice = 'system' | 'dark' | 'light'

const KEY = 'muster.theme'
const light = matchMedia('(prefers-color-scheme: light)')
const listeners = new Set<() => void>()

function read(): ThemeChoice {
  try {
    const kept = localStorage.getItem(KEY)
    return kept === 'dark' || kept === 'light' ? kept : 'system'
  } catch {
    return 'system'
  }
}

let choice = read()

/** The theme that is drawn. */
export function shownTheme(): 'dark' | 'light' {
  if (choice !== 'system') return choice
  return light.matches ? 'light' : 'dark'
}

function apply(): void {
  document.documentElement.dataset['theme'] = shownTheme()
  for (const each of listeners) each()
}

light.addEventListener('change', apply)

/** Chooses a theme for this browser. */
export function chooseTheme(next: ThemeChoice): void {
  choice = next
  try {
    if (next === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, next)
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  apply()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(subscribe, () => choice)
}

export function useShownTheme(): 'dark' | 'light' {
  return useSyncExternalStore(subscribe, shownTheme)
}
