import { useCallback, useSyncExternalStore } from 'react'

/** Whether a media query matches. For what shows elsewhere then: what only shows differently is a matter of classes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}

/** Tailwind's `sm` (ui/theme.css) begins at 640 px. */
export const useIsPhone = (): boolean => useMedia('(width < 640px)')
