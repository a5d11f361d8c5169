import { useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ActivityEntry } from '#contract/events/activity.ts'
import { m } from '#messages'
import { Card } from '#web/ui/card.tsx'
import { EmptyState, QueryPending } from '#web/ui/states.tsx'
import { accountActivityOptions, PAGE_SIZE, serverActivityOptions } from './activity.api.ts'
import { LoadOlder } from './load-older.tsx'
import { Entries, Timeline, TimelineSkeleton } from './timeline.tsx'

export function ActivityTab({ id }: { id: string }) {
  return <ActivityList key={id} options={serverActivityOptions(id)} onServer />
}

export function ActivityList({ options, onServer = false }: { options: typeof accountActivityOptions; onServer?: boolean }) {
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
  const { data: entries } = query
  if (entries === undefined) {
    return (
      <QueryPending query={query}>
        <TimelineSkeleton rows={6} />
      </QueryPending>
    )
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

const MAX_ENTRIES = 5

export function RecentActivity() {
  const query = useInfiniteQuery(accountActivityOptions)
  const entries = query.data?.slice(0, MAX_ENTRIES)
  return (
    <Card
      title={m.activity_recent()}
      aside={
        <Link to="/settings/activity" className="rounded-6 text-13 text-accent hover:underline">
          {m.activity_see_all()}
        </Link>
      }
    >
      <div className="mt-4">
        {entries ? (
          <Entries entries={entries} isCompact />
        ) : (
          <QueryPending query={query}>
            <TimelineSkeleton rows={MAX_ENTRIES} className="" />
          </QueryPending>
        )}
      </div>
    </Card>
  )
}
