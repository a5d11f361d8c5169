/** Shows the error page for uncaught errors. */
import { useEffect } from 'react'
import { HttpError, isConnectionError } from '#web/lib/http/http-error.ts'

/** A delayed layout, not an error. */
const HARMLESS = /^ResizeObserver loop/

/** Failed calls are shown where they happen. Aborted calls are not shown at all. */
function isShownElsewhere(error: unknown): boolean {
  return error instanceof HttpError || isConnectionError(error) || (error instanceof DOMException && error.name === 'AbortError')
}

/** Browser extensions run scripts in every page. @param source a script URL or a stack trace */
const isOurScript = (source: string) => !/(?:chrome|moz|safari-web|safari)-extension:/.test(source)

export function Uncaught({ onError }: { onError: (error: unknown) => void }) {
  useEffect(() => {
    const catchError = ({ error, message, filename }: ErrorEvent) => {
      // Errors of cross-origin scripts have no error object.
      if (error === null || error === undefined || HARMLESS.test(message) || !isOurScript(filename) || isShownElsewhere(error)) return
      onError(error)
    }
    const catchRejection = ({ reason }: PromiseRejectionEvent) => {
      if (isShownElsewhere(reason) || !isOurScript(reason instanceof Error ? (reason.stack ?? '') : '')) return
      onError(reason)
    }
    const stop = new AbortController()
    addEventListener('error', catchError, { signal: stop.signal })
    addEventListener('unhandledrejection', catchRejection, { signal: stop.signal })
    return () => stop.abort()
  }, [onError])
  return null
}
