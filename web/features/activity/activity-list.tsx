import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { focusOnceGone } from '#web/lib/focus.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorNote, RetryNote } from '#web/ui/note.tsx'
import type { ActivityEntry } from '#contract/activity.ts'
import type { accountActivityOptions } from './activity.api.ts'
import { TimelineSkeleton } from './timeline-skeleton.tsx'
import { Timeline } from './timeline.tsx'

interface ActivityListProps {
  /** Of the account or of a server: the same pages under different keys. */
  options: typeof accountActivityOptions
  onServer?: boolean
}

/** The whole of what happened; older pages come when they are asked for. */
export function ActivityList({ options, onServer = false }: ActivityListProps) {
  const title = useRef<HTMLHeadingElement>(null)
  return (
    <>
      <h2 ref={title} tabIndex={-1} className="sr-only">
        Activity
      </h2>
      <Pages options={options} onServer={onServer} onAgain={() => focusOnceGone(() => title.current)} />
    </>
  )
}

function Pages({ options, onServer, onAgain }: Required<ActivityListProps> & { onAgain: () => void }) {
  const activity = useInfiniteQuery(options)
  const { data, error, refetch } = activity
  if (data === undefined) {
    if (error === null) return <TimelineSkeleton rows={6} />
    const again = () => {
      void refetch()
      onAgain()
    }
    return <RetryNote onRetry={again}>{messageOf(error)}</RetryNote>
  }
  const entries = entriesOf(data)
  if (entries.length === 0) {
    return (
      <EmptyState title="Nothing happened yet">
        Every change is written down here: who made it, what it was before and what it is now.
      </EmptyState>
    )
  }
  return (
    <div className="card p-5">
      <Timeline entries={entries} onServer={onServer} />
      <Older activity={activity} />
    </div>
  )
}

/** All pages as one. */
export function entriesOf(data: InfiniteData<readonly ActivityEntry[], unknown>): ActivityEntry[] {
  return data.pages.flat()
}

interface OlderPages {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  error: Error | null
  data: { pages: readonly unknown[] } | undefined
  fetchNextPage: () => Promise<unknown>
}

/** The way to older pages. */
export function Older({ activity }: { activity: OlderPages }) {
  const end = useRef<HTMLParagraphElement>(null)
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage, data } = activity
  const isWhole = !hasNextPage && (data?.pages.length ?? 0) > 1
  const asked = useRef(false)
  useEffect(() => {
    // With the last page the button goes; who pressed it by key goes on from its place.
    if (isWhole && asked.current && document.activeElement === document.body) end.current?.focus({ preventScroll: true })
  }, [isWhole])
  return (
    <>
      {isFetchNextPageError && error && <ErrorNote className="mt-5">{messageOf(error)}</ErrorNote>}
      <div className="mt-6 text-center empty:hidden">
        {hasNextPage && (
          <Button
            busy={isFetchingNextPage}
            onClick={() => {
              asked.current = true
              void fetchNextPage()
            }}
          >
            Load older
          </Button>
        )}
        {isWhole && (
          <p ref={end} tabIndex={-1} className="text-13 text-ink-3 outline-none">
            That is everything.
          </p>
        )}
      </div>
    </>
  )
}
