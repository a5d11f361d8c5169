/** Dark, light, or as the system has it. theme-script.js does the same before the first paint. */
import { useSyncExternalStore } from 'react'
import { browserStorage } from '#web/lib/storage.ts'

type ThemeChoice = 'system' | 'dark' | 'light'

const KEY = 'muster.theme'
const light = matchMedia('(prefers-color-scheme: light)')
const listeners = new Set<() => void>()

const kept = browserStorage.read(KEY)
let choice: ThemeChoice = kept === 'dark' || kept === 'light' ? kept : 'system'

export function effectiveTheme(): 'dark' | 'light' {
  if (choice !== 'system') return choice
  return light.matches ? 'light' : 'dark'
}

function apply(): void {
  document.documentElement.dataset['theme'] = effectiveTheme()
  for (const each of listeners) each()
}

light.addEventListener('change', apply)

export function chooseTheme(next: ThemeChoice): void {
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
