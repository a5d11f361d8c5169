import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { m } from '#messages'
import { AppliedPreferences } from '#web/features/preferences/preferences.api.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { Frame } from './frame.tsx'
import { BannedPage, PendingDeletionPage } from './restricted-pages.tsx'

/** Shows toasts that were called before it loads, too. */
const Toaster = lazy(() => import('#web/ui/toaster.tsx').then((module) => ({ default: module.Toaster })))

export function MemberLayout() {
  return (
    <>
      <MemberPage />
      <Suspense>
        <Toaster />
      </Suspense>
    </>
  )
}

/** The page of a signed-in user. Restricted accounts see their own page instead. A ban takes precedence over a deletion. */
function MemberPage() {
  // The route guard has fetched it. This subscribes to its changes.
  const { data: me } = useQuery(meOptions)
  const isStale = useReloadAfterRestriction(me !== undefined && (me.banned || me.delete_at !== null))
  if (me === undefined) return null
  if (me.banned) return <BannedPage me={me} />
  if (me.delete_at !== null) return <PendingDeletionPage me={me} until={me.delete_at} />
  if (isStale) return <Authorizing />
  return (
    <>
      <Frame me={me} />
      <AppliedPreferences />
    </>
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

/** The same as in index.html. */
function Authorizing() {
  return (
    <div className="authorizing" role="status">
      <span className="spinner" aria-hidden="true" />
      {m.shell_loading()}
    </div>
  )
}
