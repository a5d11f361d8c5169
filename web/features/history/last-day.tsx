/** The last 24 hours in the server list: a sparkline per server, and the peak of all of them together. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { m } from '#messages'
import { call } from '#web/lib/http/call.ts'
import { formatNumber } from '#web/lib/format.ts'
import { exactTime, timeOfDay, useTimeZone } from '#web/lib/time.ts'
import { Curve, DashedLine, sparklineOf } from '#web/ui/chart/curve.tsx'
import { counted } from '#web/ui/count-text.ts'
import { Skeleton } from '#web/ui/states.tsx'

/** Values are half-hourly, so five minutes are fresh enough. */
const STALE_MS = 300_000

/** No event invalidates keys that start with `history`. */
const dayHistoryOptions = queryOptions({
  queryKey: ['history', 'day'],
  queryFn: ({ signal }) => call('GET /api/users/tokens/dayHistory', { signal }),
  staleTime: STALE_MS,
  refetchInterval: STALE_MS,
  refetchOnMount: true,
})

/** Player counts, scaled to the server's own peak. A dashed line without at least two. */
export function Sparkline({ id }: { id: string }) {
  const { data: values, isPending } = useQuery({
    ...dayHistoryOptions,
    select: ({ servers }) => servers.find((server) => server.public_id === id)?.highest,
  })
  if (isPending) return <span className="h-4 w-24 max-w-full" />
  const sparkline = values && sparklineOf(values)
  if (!sparkline) return <DashedLine className="h-4 w-24 max-w-full" />
  return (
    <span className="h-4 w-24 max-w-full">
      <span className="sr-only">{m.history_day_peak(counted(sparkline.max))}</span>
      <Curve of={sparkline} data-graph />
    </span>
  )
}

/** @param current players online now, which the half-hourly peak may not include yet. */
export function DayPeak({ current }: { current: number }) {
  const { data, isPending } = useQuery({ ...dayHistoryOptions, select: ({ peak }) => ({ peak }) })
  useTimeZone()
  // As high as the number that replaces it, so that the text beside it keeps its place.
  if (isPending) return <Skeleton className="inline-block w-16 text-transparent before:content-['0']" />
  if (!data) return '–'
  const { peak } = data
  if (current > (peak?.players ?? 0)) return formatNumber(current)
  if (!peak) return '–'
  return (
    <>
      {formatNumber(peak.players)}{' '}
      <time dateTime={peak.at} title={exactTime(peak.at)} className="inline-block text-12 font-normal text-ink-3">
        {m.history_peak_at({ time: timeOfDay(peak.at) })}
      </time>
    </>
  )
}
