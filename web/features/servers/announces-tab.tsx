import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { focusOnceGone } from '#web/lib/focus.ts'
import { isStatus, messageOf } from '#web/lib/http-error.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { RetryNote } from '#web/ui/note.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { readAdministeredAnew } from './admin/admin-server-acts.ts'
import { AnnounceTimeline } from './announce-timeline.tsx'
import { announcesOptions, serverOptions } from './servers.api.ts'

/** The last fifty attempts. New ones appear by themselves: changes and refusals at once, the rest every 30 seconds. */
export function AnnouncesTab({ id, asAdmin = false }: { id: string; asAdmin?: boolean }) {
  const { data: attempts, error, refetch } = useQuery(announcesOptions(id, asAdmin))
  const client = useQueryClient()
  // Gone, or no longer to be managed: the page around this finds out which.
  useEffect(() => {
    if (!isStatus(error, 404)) return
    if (asAdmin) return readAdministeredAnew(client, id)
    void client.invalidateQueries({ queryKey: serverOptions(id).queryKey, exact: true })
    void client.invalidateQueries({ queryKey: ['managed'] })
  }, [error, client, id, asAdmin])
  if (attempts === undefined) {
    if (error === null) return <Skeleton className="h-72" />
    const again = () => {
      void refetch()
      focusOnceGone(() => document.querySelector<HTMLElement>('h1[tabindex]'))
    }
    return <RetryNote onRetry={again}>{messageOf(error)}</RetryNote>
  }
  if (attempts.length === 0) {
    return (
      <EmptyState title="No announce yet">
        Every attempt of the server to announce itself is written down here, refused ones with the reason and what to do about it. Start the
        server with <code className="font-mono text-13">announce = true</code> and its credential.
      </EmptyState>
    )
  }
  return (
    <section className="card p-5" aria-label="Last announces">
      <AnnounceTimeline attempts={attempts} />
    </section>
  )
}
