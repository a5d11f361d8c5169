import { useRouterState } from '@tanstack/react-router'
import { startTransition, useEffect, useState } from 'react'

/** Long enough for the browser to paint the page. */
const PAINT_MS = 100
/** A page that takes longer does not delay the rest. */
const SLOW_PAGE_MS = 1000

let wasShown = false

/** Whether the router's first page is ready. Until then, the panel is invisible. */
export function useIsReady(): boolean {
  return useRouterState({ select: ({ resolvedLocation }) => resolvedLocation !== undefined })
}

/** Whether the first page has been painted, or is slow. Code that it doesn't need loads then, so that it does not delay the page. */
export function useFirstPageShown(): boolean {
  const ready = useIsReady()
  const [shown, setShown] = useState(wasShown)
  useEffect(() => {
    if (shown) return undefined
    const timer = setTimeout(
      () => {
        wasShown = true
        // A transition renders in small steps, so that input is not delayed.
        startTransition(() => setShown(true))
      },
      ready ? PAINT_MS : SLOW_PAGE_MS,
    )
    return () => clearTimeout(timer)
  }, [ready, shown])
  return shown
}
