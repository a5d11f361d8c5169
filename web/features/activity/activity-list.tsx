import { useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import type { ActivityEntry } from '#contract/activity.ts'
import { m } from '#messages'
import { focusAfterRemoval } from '#web/lib/focus.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorNote, RetryNote } from '#web/ui/note.tsx'
import { type accountActivityOptions, PAGE_SIZE, serverActivityOptions } from './activity.api.ts'
import { Timeline, TimelineSkeleton } from './timeline.tsx'

export function ActivityTab({ id }: { id: string }) {
  return <ActivityList key={id} options={serverActivityOptions(id)} onServer />
}

interface ActivityListProps {
  options: typeof accountActivityOptions
  onServer?: boolean
}

export function ActivityList({ options, onServer = false }: ActivityListProps) {
  const title = useRef<HTMLHeadingElement>(null)
  return (
    <>
      <h2 ref={title} tabIndex={-1} className="sr-only">
        {m.nav_activity()}
      </h2>
      <TimelinePages query={useInfiniteQuery(options)} onServer={onServer} title={title} />
    </>
  )
}

interface TimelinePagesProps<E extends ActivityEntry> {
  query: UseInfiniteQueryResult<readonly E[]>
  onServer?: boolean
  sentence?: (entry: E) => ReactNode
  /** Gets the focus when a failed request is retried. */
  title: RefObject<HTMLElement | null>
}

export function TimelinePages<E extends ActivityEntry>({ query, title, ...timeline }: TimelinePagesProps<E>) {
  const { data: entries, error, refetch } = query
  if (entries === undefined) {
    if (error === null) return <TimelineSkeleton rows={6} />
    const retry = () => {
      void refetch()
      focusAfterRemoval(() => title.current)
    }
    return <RetryNote onRetry={retry}>{messageOf(error)}</RetryNote>
  }
  if (entries.length === 0) {
    return <EmptyState title={m.activity_empty()}>{m.activity_empty_hint()}</EmptyState>
  }
  return (
    <div className="card p-5">
      <Timeline entries={entries} {...timeline} />
      <LoadOlder query={query} isLong={entries.length >= PAGE_SIZE} />
    </div>
  )
}

function LoadOlder({ query, isLong }: { query: UseInfiniteQueryResult; isLong: boolean }) {
  const end = useRef<HTMLParagraphElement>(null)
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage } = query
  const isComplete = !hasNextPage && isLong
  const wasPressed = useRef(false)
  useEffect(() => {
    // The button disappears after the last page, so the text in its place gets the focus.
    if (isComplete && wasPressed.current && document.activeElement === document.body) end.current?.focus({ preventScroll: true })
  }, [isComplete])
  return (
    <>
      {isFetchNextPageError && error && <ErrorNote className="mt-5">{messageOf(error)}</ErrorNote>}
      <div className="mt-6 text-center empty:hidden">
        {hasNextPage && (
          <Button
            busy={isFetchingNextPage}
            onClick={() => {
              wasPressed.current = true
              void fetchNextPage()
            }}
          >
            {m.activity_load_older()}
          </Button>
        )}
        {isComplete && (
          <p ref={end} tabIndex={-1} className="text-13 text-ink-3 outline-none">
            {m.activity_end()}
          </p>
        )}
      </div>
    </>
  )
}
