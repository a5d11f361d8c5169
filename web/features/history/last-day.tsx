/** The last day in the list of servers: a small graph for each, and the peak of all of the user's own. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '#web/lib/call.ts'
import { exactTime, timeOfDay } from '#web/lib/time.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { sparklineOf, SPARKLINE_HEIGHT } from './sparkline-path.ts'

/** Half hours, some pixels wide: read again at most every five minutes. */
const FRESH_MS = 300_000

/** Its key begins with `history`, so no event invalidates it. */
const dayHistoryOptions = queryOptions({
  queryKey: ['history', 'day'],
  queryFn: ({ signal }) => call('GET /api/users/tokens/dayHistory', { signal }),
  staleTime: FRESH_MS,
  refetchInterval: FRESH_MS,
  refetchOnMount: true,
})

/** How many players a server had, scaled to its own highest number. Nothing where nothing is known. */
export function Sparkline({ id }: { id: string }) {
  const { data: values } = useQuery({
    ...dayHistoryOptions,
    select: ({ servers }) => servers.find((server) => server.public_id === id)?.highest,
  })
  const drawn = values && sparklineOf(values)
  if (!drawn) return null
  const { line, area, most } = drawn
  return (
    <>
      <span className="sr-only">
        Highest {most.toLocaleString('en')} {most === 1 ? 'player' : 'players'} in the last 24 hours
      </span>
      <svg
        aria-hidden="true"
        data-graph
        viewBox={`0 0 ${values.length} ${SPARKLINE_HEIGHT}`}
        preserveAspectRatio="none"
        className="size-full text-accent"
      >
        <path d={area} fill="currentColor" fillOpacity="0.16" />
        <path d={line} fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinejoin="round" vectorEffect="non-scaling-stroke" />
      </svg>
    </>
  )
}

export function DayPeak() {
  const { data, isPending } = useQuery({ ...dayHistoryOptions, select: ({ peak }) => ({ peak }) })
  if (isPending) return <Skeleton className="h-7 w-16" />
  const peak = data?.peak
  if (!peak) return '–'
  return (
    <>
      {peak.players.toLocaleString('en')}
      <time dateTime={peak.at} title={exactTime(peak.at)} className="ml-1 inline-block text-12 font-normal text-ink-3">
        <span className="sr-only">at </span>
        {timeOfDay(peak.at)}
      </time>
    </>
  )
}
