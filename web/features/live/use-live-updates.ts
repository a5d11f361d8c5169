/** Keeps the page up to date while it is open. The code that does it loads after the first page. */
import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

const IMPORT_RETRY_MS = 15_000

export function useLiveUpdates(client: QueryClient, userId: string): void {
  useEffect(() => {
    let stop: (() => void) | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let isStopped = false
    const start = async () => {
      try {
        const { startLiveUpdates } = await import('./live-updates.ts')
        if (!isStopped) stop = startLiveUpdates(client, userId)
      } catch {
        timer = setTimeout(start, IMPORT_RETRY_MS)
      }
    }
    void start()
    return () => {
      isStopped = true
      clearTimeout(timer)
      stop?.()
    }
  }, [client, userId])
}
