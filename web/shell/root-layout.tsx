import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Outlet, useRouter } from '@tanstack/react-router'
import { Suspense, useCallback, useEffect, useState } from 'react'
import { m } from '#messages'
import { meOptions } from '#web/features/session/session.api.ts'
import { recoverFocus } from '#web/lib/recover-focus.ts'
import { ErrorPage } from './error-page.tsx'
import { Frame } from './frame.tsx'
import { Uncaught } from './uncaught.tsx'
import { AfterFirstPage } from '#web/ui/after-first-page.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { Toaster } from '#web/ui/toaster.tsx'
import { Tooltips } from '#web/ui/tooltips.tsx'

/** Without it, the page keeps the theme and time zone that it started with. */
const AppliedPreferences = lazyComponent<object>(
  () => import('#web/features/preferences/preferences.api.ts').then((module) => module.AppliedPreferences),
  () => null,
)
const BannedPage = lazyComponent(() => import('./banned-page.tsx').then((module) => module.BannedPage))
const PendingDeletionPage = lazyComponent(() => import('./pending-deletion-page.tsx').then((module) => module.PendingDeletionPage))

export function RootLayout() {
  useEffect(recoverFocus, [])
  const [uncaught, setUncaught] = useState<{ readonly error: unknown }>()
  const onUncaught = useCallback((error: unknown) => setUncaught((first) => first ?? { error }), [])
  return (
    <>
      {uncaught ? <ErrorPage error={uncaught.error} onRetry={() => setUncaught(undefined)} /> : <AccountGate />}
      <Tooltips />
      <Toaster />
      <Uncaught onError={onUncaught} />
    </>
  )
}

/** Shows restricted accounts their own page. A ban takes precedence over a deletion. */
function AccountGate() {
  // The route guard has fetched it. This subscribes to its changes.
  const { data: me } = useQuery(meOptions)
  const isStale = useReloadAfterRestriction(me !== undefined && (me.banned || me.delete_at !== null))
  if (me?.banned) {
    return (
      <Suspense fallback={<Authorizing />}>
        <BannedPage me={me} />
      </Suspense>
    )
  }
  if (me?.delete_at) {
    return (
      <Suspense fallback={<Authorizing />}>
        <PendingDeletionPage me={me} until={me.delete_at} />
      </Suspense>
    )
  }
  if (isStale) return <Authorizing />
  if (me) {
    return (
      <>
        <Frame me={me} />
        <AfterFirstPage>
          <AppliedPreferences />
        </AfterFirstPage>
      </>
    )
  }
  // Without a user, the outlet shows an error.
  return (
    <main className="grid min-h-dvh">
      <Outlet />
    </main>
  )
}

/** Runs the loaders again once a ban is lifted or a deletion is cancelled. Returns whether the panel must wait for them. */
function useReloadAfterRestriction(restricted: boolean): boolean {
  const client = useQueryClient()
  const router = useRouter()
  const [isStale, setIsStale] = useState(restricted)
  if (restricted && !isStale) setIsStale(true)
  useEffect(() => {
    if (restricted || !isStale) return
    // The backend has rejected the calls of the restricted account.
    client.removeQueries({ predicate: ({ state }) => state.status === 'error' })
    void router.invalidate({ sync: true }).finally(() => setIsStale(false))
  }, [client, isStale, restricted, router])
  return isStale
}

/** After the start of the page. On a fast connection, the text would only flash. */
const APPEARS_AFTER_MS = 500

/** Replaces the same text of index.html, which may already show. */
function Authorizing() {
  const [delay] = useState(() => Math.max(0, APPEARS_AFTER_MS - performance.now()))
  return (
    <div className="authorizing" role="status" style={{ animationDelay: `${delay}ms` }}>
      <span className="spinner" aria-hidden="true" />
      {m.shell_loading()}
    </div>
  )
}
