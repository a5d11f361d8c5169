import { useRef } from 'react'

/** Ignores calls while one is in flight, such as a second Enter or a queued click. */
export function useSingleFlight<A extends unknown[]>(action: (...args: A) => Promise<unknown>): (...args: A) => void {
  const isInFlight = useRef(false)
  return (...args) => {
    if (isInFlight.current) return
    isInFlight.current = true
    const release = () => {
      isInFlight.current = false
    }
    action(...args).then(release, release)
  }
}
