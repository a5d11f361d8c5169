import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { m } from '#messages'
import { messageOf } from '#web/lib/http/http-error.ts'
import { Button } from '#web/ui/button.tsx'
import { accountActivityOptions } from './activity.api.ts'
import { Entries, TimelineSkeleton } from './timeline.tsx'

const MAX_ENTRIES = 5

export function RecentActivity() {
  const { data, error, refetch } = useInfiniteQuery(accountActivityOptions)
  const entries = data?.slice(0, MAX_ENTRIES)
  return (
    <section aria-labelledby="recent" className="card p-5">
      <div className="mb-4 flex items-baseline justify-between gap-3">
        <h2 id="recent" tabIndex={-1} className="font-medium outline-none">
          {m.activity_recent()}
        </h2>
        <Link to="/settings/activity" className="rounded-6 text-13 text-accent hover:underline">
          {m.activity_see_all()}
        </Link>
      </div>
      {entries === undefined &&
        (error === null ? (
          <TimelineSkeleton rows={MAX_ENTRIES} withoutCard />
        ) : (
          <div className="text-13 text-ink-2">
            <p className="break-words">{messageOf(error)}</p>
            <Button className="mt-2" onClick={() => void refetch()}>
              {m.common_try_again()}
            </Button>
          </div>
        ))}
      {entries?.length === 0 && <p className="text-13 text-ink-2">{m.activity_empty()}</p>}
      {entries !== undefined && entries.length > 0 && <Entries entries={entries} isCompact />}
    </section>
  )
}
