import { useRef } from 'react'

/** The act, but never twice at once: a second Enter or a queued click is ignored. */
export function useSingleFlight<A extends unknown[]>(act: (...args: A) => Promise<unknown>): (...args: A) => void {
  const running = useRef(false)
  return (...args) => {
    if (running.current) return
    running.current = true
    const free = () => {
      running.current = false
    }
    act(...args).then(free, free)
  }
}
