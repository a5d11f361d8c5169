/** Whether the shown data is current. */
import { useSyncExternalStore } from 'react'

/** Times are on the server's clock. */
export type Connection = { state: 'open' } | { state: 'lost'; since: number; retryAt: number }

export const OPEN: Connection = { state: 'open' }

let connection: Connection = OPEN
const listeners = new Set<() => void>()

export function setConnection(next: Connection): void {
  connection = next
  for (const each of listeners) each()
}

/** Lost if neither the stream nor polling works. */
export function useConnection(): Connection {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => connection,
  )
}
