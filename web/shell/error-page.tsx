import { useQueryClient } from '@tanstack/react-query'
import { useRouter, Outlet } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { m } from '#messages'
import { HttpError, isConnectionError, messageOf } from '#web/lib/http/call.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Button, buttonClass, CopyButton } from '#web/ui/button.tsx'
import { recoverFocus } from '#web/lib/recover-focus.ts'
import { Tooltips } from '#web/ui/tooltips.tsx'

const NOT_FOUND = 'NotFoundError'

/** @param onRetry runs before the page loads again */
export function ErrorPage({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  useTitle(m.shell_error_title())
  const router = useRouter()
  const client = useQueryClient()
  const failedCall = error instanceof HttpError ? error : undefined
  const name = error instanceof Error ? error.name : 'Error'
  const retry = () => {
    // A browser does not load code again that it could not load.
    if (!failedCall && !isConnectionError(error)) return location.reload()
    // A failed query is not fetched again by the component that shows it.
    void client.resetQueries({ predicate: ({ state }) => state.status === 'error' })
    onRetry?.()
    void router.invalidate()
  }
  const onOnline = useEffectEvent(() => isConnectionError(error) && retry())
  useEffect(() => {
    addEventListener('online', onOnline)
    return () => removeEventListener('online', onOnline)
  }, [])
  return (
    <div role="alert" className="flex min-h-[70dvh] flex-col items-center justify-center px-6 py-16 text-center">
      <p className="font-mono text-13 text-danger">{name}</p>
      <h1 className="mt-3 text-28 font-semibold tracking-[-0.02em] text-balance">{m.shell_error_heading()}</h1>
      <p className="mt-3 max-w-xl [overflow-wrap:anywhere] text-ink-2">{messageOf(error)}</p>
      {failedCall && (
        <p className="mt-2 text-13 break-all text-ink-3">
          {failedCall.requestId === undefined
            ? m.shell_error_status({ status: failedCall.status })
            : m.shell_error_request({ status: failedCall.status, id: failedCall.requestId })}
        </p>
      )}
      <div className="mt-7 flex flex-wrap justify-center gap-2">
        {name !== NOT_FOUND && (
          <Button variant="primary" onClick={retry}>
            {m.common_try_again()}
          </Button>
        )}
        {failedCall && <CopyButton text={failedCall.details} label={m.common_copy_details()} caption={m.common_copy_details()} />}
        {/* A plain link works even if the router is broken. */}
        <a href="/" className={buttonClass('secondary')}>
          {m.shell_error_home()}
        </a>
      </div>
    </div>
  )
}

/** Outside of the frame, which has a main landmark of its own. */
export function WholePageError({ error }: { error: unknown }) {
  return (
    <main className="grid min-h-dvh">
      <ErrorPage error={error} />
    </main>
  )
}

export function NotFoundPage() {
  const error = new Error(m.shell_error_not_found({ path: location.pathname }))
  error.name = NOT_FOUND
  return <ErrorPage error={error} />
}

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
