/** Errors that nobody caught, in event handlers and promises: they lead to the error page (product.md section 2). */
import { useEffect } from 'react'
import { HttpError, isConnectionError } from '#web/lib/http-error.ts'

/** Browsers report layouts that settle late as errors; nothing is wrong then. */
const HARMLESS = /^ResizeObserver loop/

/** Refused calls and lost connections have been shown where they happened; a call that was given up is nobody's trouble. */
function isShownElsewhere(error: unknown): boolean {
  return error instanceof HttpError || isConnectionError(error) || (error instanceof DOMException && error.name === 'AbortError')
}

/** Extensions run their scripts in every page. */
const isOurs = (where: string) => !/(?:chrome|moz|safari-web|safari)-extension:/.test(where)

interface UncaughtProps {
  /** Is called with each of them. */
  onError: (error: unknown) => void
}

/** Shows nothing. */
export function Uncaught({ onError }: UncaughtProps) {
  useEffect(() => {
    const catchError = ({ error, message, filename }: ErrorEvent) => {
      // Of scripts from elsewhere the browser tells no more than that.
      if (error === null || error === undefined || HARMLESS.test(message) || !isOurs(filename) || isShownElsewhere(error)) return
      onError(error)
    }
    const catchRejection = ({ reason }: PromiseRejectionEvent) => {
      if (isShownElsewhere(reason) || !isOurs(reason instanceof Error ? (reason.stack ?? '') : '')) return
      onError(reason)
    }
    addEventListener('error', catchError)
    addEventListener('unhandledrejection', catchRejection)
    return () => {
      removeEventListener('error', catchError)
      removeEventListener('unhandledrejection', catchRejection)
    }
  }, [onError])
  return null
}
