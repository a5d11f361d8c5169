/** Errors that nobody caught, in event handlers and promises: they lead to the error page (product.md section 2). */
import { useEffect, useState } from 'react'
import { HttpError, isConnectionError } from '#web/lib/http-error.ts'

/** Browsers report layouts that settle late as errors; nothing is wrong then. */
const HARMLESS = /^ResizeObserver loop/

/** Refused calls and lost connections have been shown where they happened; a call that was given up is nobody's trouble. */
function isShownElsewhere(error: unknown): boolean {
  return error instanceof HttpError || isConnectionError(error) || (error instanceof DOMException && error.name === 'AbortError')
}

/** Extensions run their scripts in every page. */
const isOurs = (where: string) => !/(?:chrome|moz|safari-web|safari)-extension:/.test(where)

/** The first error that nobody caught; undefined while all is well. */
export function useUncaughtError(): { readonly error: unknown } | undefined {
  const [uncaught, setUncaught] = useState<{ readonly error: unknown }>()
  useEffect(() => {
    const catchError = ({ error, message, filename }: ErrorEvent) => {
      // Of scripts from elsewhere the browser tells no more than that.
      if (error === null || error === undefined || HARMLESS.test(message) || !isOurs(filename) || isShownElsewhere(error)) return
      setUncaught((first) => first ?? { error })
    }
    const catchRejection = ({ reason }: PromiseRejectionEvent) => {
      if (isShownElsewhere(reason) || !isOurs(reason instanceof Error ? (reason.stack ?? '') : '')) return
      setUncaught((first) => first ?? { error: reason })
    }
    addEventListener('error', catchError)
    addEventListener('unhandledrejection', catchRejection)
    return () => {
      removeEventListener('error', catchError)
      removeEventListener('unhandledrejection', catchRejection)
    }
  }, [])
  return uncaught
}
