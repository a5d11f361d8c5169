import { startTransition, useEffect, useState } from 'react'

/** Long enough for the browser to paint the page. */
const PAINT_MS = 100

let wasShown = false

/** Whether the first page has been painted. Code that it doesn't need loads then, so that it does not delay the page. */
export function useFirstPageShown(): boolean {
  const [shown, setShown] = useState(wasShown)
  useEffect(() => {
    if (shown) return undefined
    const timer = setTimeout(() => {
      wasShown = true
      // A transition renders in small steps, so that input is not delayed.
      startTransition(() => setShown(true))
    }, PAINT_MS)
    return () => clearTimeout(timer)
  }, [shown])
  return shown
}
