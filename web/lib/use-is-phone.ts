import { useSyncExternalStore } from 'react'

/** Tailwind's `sm` (ui/theme.css) begins at 640 px. */
const PHONE = '(width < 640px)'

function subscribe(listener: () => void): () => void {
  const query = matchMedia(PHONE)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** For what a phone shows elsewhere. What it only shows differently is a matter of classes. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(PHONE).matches)
}
