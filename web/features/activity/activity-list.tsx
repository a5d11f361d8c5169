import { useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ActivityEntry } from '#contract/events/activity.ts'
import { m } from '#messages'
import { messageOf } from '#web/lib/http/http-error.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { RetryNote } from '#web/ui/note.tsx'
import { type accountActivityOptions, PAGE_SIZE, serverActivityOptions } from './activity.api.ts'
import { LoadOlder } from './load-older.tsx'
import { Timeline, TimelineSkeleton } from './timeline.tsx'

export function ActivityTab({ id }: { id: string }) {
  return <ActivityList key={id} options={serverActivityOptions(id)} onServer />
}

interface ActivityListProps {
  options: typeof accountActivityOptions
  onServer?: boolean
}

export function ActivityList({ options, onServer = false }: ActivityListProps) {
  return (
    <>
      <h2 tabIndex={-1} className="sr-only">
        {m.nav_activity()}
      </h2>
      <TimelinePages query={useInfiniteQuery(options)} onServer={onServer} />
    </>
  )
}

interface TimelinePagesProps<E extends ActivityEntry> {
  query: UseInfiniteQueryResult<readonly E[]>
  onServer?: boolean
  sentence?: (entry: E) => ReactNode
}

export function TimelinePages<E extends ActivityEntry>({ query, ...timeline }: TimelinePagesProps<E>) {
  const { data: entries, error, refetch } = query
  if (entries === undefined) {
    if (error === null) return <TimelineSkeleton rows={6} />
    return <RetryNote onRetry={() => void refetch()}>{messageOf(error)}</RetryNote>
  }
  if (entries.length === 0) {
    return <EmptyState title={m.activity_empty()}>{m.activity_empty_hint()}</EmptyState>
  }
  return (
    <div className="card p-5">
      <Timeline entries={entries} {...timeline} />
      <LoadOlder query={query} end={entries.length >= PAGE_SIZE && m.activity_end()} />
    </div>
  )
}
