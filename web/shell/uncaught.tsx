/** Uncaught errors lead to the error page (product.md section 2). */
import { useEffect } from 'react'
import { HttpError, isConnectionError } from '#web/lib/http-error.ts'

/** Not an error: a layout that settles late. */
const HARMLESS = /^ResizeObserver loop/

/** Rejected calls and lost connections show where they happen. Aborted calls show nowhere. */
function isShownElsewhere(error: unknown): boolean {
  return error instanceof HttpError || isConnectionError(error) || (error instanceof DOMException && error.name === 'AbortError')
}

/** Extensions run their scripts in every page. */
const isOurs = (where: string) => !/(?:chrome|moz|safari-web|safari)-extension:/.test(where)

export function Uncaught({ onError }: { onError: (error: unknown) => void }) {
  useEffect(() => {
    const catchError = ({ error, message, filename }: ErrorEvent) => {
      // Scripts from elsewhere come without an error.
      if (error === null || error === undefined || HARMLESS.test(message) || !isOurs(filename) || isShownElsewhere(error)) return
      onError(error)
    }
    const catchRejection = ({ reason }: PromiseRejectionEvent) => {
      if (isShownElsewhere(reason) || !isOurs(reason instanceof Error ? (reason.stack ?? '') : '')) return
      onError(reason)
    }
    const stop = new AbortController()
    addEventListener('error', catchError, { signal: stop.signal })
    addEventListener('unhandledrejection', catchRejection, { signal: stop.signal })
    return () => stop.abort()
  }, [onError])
  return null
}
