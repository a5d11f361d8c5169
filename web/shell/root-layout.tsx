import { Outlet } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { HttpError, isConnectionError } from '#web/lib/http/call.ts'
import { recoverFocus } from '#web/lib/recover-focus.ts'
import { Tooltips } from '#web/ui/tooltips.tsx'
import { ErrorPage } from './error-page.tsx'

/** Shows the error page also for uncaught errors. */
export function RootLayout() {
  const [uncaught, setUncaught] = useState<{ readonly error: unknown }>()
  useEffect(recoverFocus, [])
  useEffect(() => catchErrors((error) => setUncaught((first) => first ?? { error })), [])
  return (
    <>
      {uncaught ? <ErrorPage error={uncaught.error} onRetry={() => setUncaught(undefined)} /> : <Outlet />}
      <Tooltips />
    </>
  )
}

/** A delayed layout, not an error. */
const HARMLESS = /^ResizeObserver loop/

/** Failed calls are shown where they happen. Aborted calls are not shown at all. */
function isShownElsewhere(error: unknown): boolean {
  return error instanceof HttpError || isConnectionError(error) || (error instanceof DOMException && error.name === 'AbortError')
}

/** Browser extensions run scripts in every page. @param source a script URL or a stack trace */
const isOurScript = (source: string) => !/(?:chrome|moz|safari-web|safari)-extension:/.test(source)

/** Returns a function that stops it. */
function catchErrors(onError: (error: unknown) => void): () => void {
  const stop = new AbortController()
  addEventListener(
    'error',
    ({ error, message, filename }) => {
      // Errors of cross-origin scripts have no error object.
      if (error === null || error === undefined || HARMLESS.test(message) || !isOurScript(filename) || isShownElsewhere(error)) return
      onError(error)
    },
    { signal: stop.signal },
  )
  addEventListener(
    'unhandledrejection',
    ({ reason }) => {
      if (isShownElsewhere(reason) || !isOurScript(reason instanceof Error ? (reason.stack ?? '') : '')) return
      onError(reason)
    },
    { signal: stop.signal },
  )
  return () => stop.abort()
}
