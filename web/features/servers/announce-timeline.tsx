import { CircleCheck, CircleX } from 'lucide-react'
import type { AnnounceAttempt } from '#contract/servers.ts'
import { dayAndTime, exactTime, timeOfDay, useNow } from '#web/lib/time.ts'
import { cx } from '#web/ui/class-names.ts'
import { TimeAgo } from '#web/ui/time-ago.tsx'

interface Run {
  readonly newest: AnnounceAttempt
  readonly oldest: AnnounceAttempt
  readonly count: number
}

/** Attempts that say the same from the same place, one after the other, are one entry. They come newest first. */
function runsOf(attempts: readonly AnnounceAttempt[]): Run[] {
  const runs: Run[] = []
  for (const attempt of attempts) {
    const last = runs.at(-1)
    const same =
      last && last.newest.code === attempt.code && last.newest.outcome === attempt.outcome && last.newest.address === attempt.address
    if (same) runs[runs.length - 1] = { newest: last.newest, oldest: attempt, count: last.count + 1 }
    else runs.push({ newest: attempt, oldest: attempt, count: 1 })
  }
  return runs
}

/** The last announce attempts: what happened, why, and what to do about it. */
export function AnnounceTimeline({ attempts }: { attempts: readonly AnnounceAttempt[] }) {
  return (
    <ol className="relative">
      {runsOf(attempts).map((run) => (
        <TimelineEntry key={`${run.oldest.at}${run.newest.code}`} run={run} />
      ))}
    </ol>
  )
}

/** What an attempt that was not refused did, where that is more than keeping the server on the list. */
const ACCEPTED: Readonly<Record<string, string>> = { CAME_ONLINE: 'Came online', LEFT: 'Went offline' }

function TimelineEntry({ run }: { run: Run }) {
  const { newest, count } = run
  const refused = newest.outcome === 'refused'
  const plain = newest.remedy === '' || Object.hasOwn(ACCEPTED, newest.code)
  const Icon = refused ? CircleX : CircleCheck
  return (
    <li className="relative flex gap-3 pb-6 before:absolute before:top-6 before:bottom-0 before:left-[9px] before:w-px before:bg-line last:pb-0 last:before:hidden">
      <Icon size={19} className={cx('relative mt-px shrink-0', refused ? 'text-danger' : 'text-ok')} aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
          <span className="font-medium">{refused ? 'Refused' : (ACCEPTED[newest.code] ?? 'Accepted')}</span>
          {count > 1 && <span className="rounded-6 bg-surface-2 px-1.5 text-12 text-ink-2 tabular-nums">{count} times</span>}
          {refused ? <span className="font-mono text-12 break-all text-ink-3">{newest.code}</span> : <From address={newest.address} />}
          <span className="ml-auto text-12 whitespace-nowrap text-ink-3">
            {count > 1 ? <Span run={run} /> : <TimeAgo at={newest.at} />}
          </span>
        </div>
        {(refused || !plain) && <p className="mt-0.5 [overflow-wrap:anywhere] text-ink-2">{newest.message}</p>}
        {!plain && <p className="mt-2 border-l-2 border-accent pl-3 text-13 [overflow-wrap:anywhere] text-ink-1">{newest.remedy}</p>}
        {refused && (
          <p className="mt-1">
            <From address={newest.address} />
          </p>
        )}
      </div>
    </li>
  )
}

function From({ address }: { address: string }) {
  return (
    <span className="text-12 text-ink-3">
      from <span className="font-mono break-all">{address}</span>
    </span>
  )
}

/** `8:01 PM – 8:05 PM`, with the days where it went past midnight or is not of today. */
function spanOf(from: string, to: string, now: number): string {
  const day = (time: string | number) => new Date(time).toDateString()
  if (day(to) !== day(now)) return `${dayAndTime(from)} – ${dayAndTime(to)}`
  const first = day(from) === day(to) ? timeOfDay(from) : dayAndTime(from)
  const last = timeOfDay(to)
  return first === last ? last : `${first} – ${last}`
}

function Span({ run: { oldest, newest } }: { run: Run }) {
  const now = useNow()
  return (
    <span data-tip={`${exactTime(oldest.at)} – ${exactTime(newest.at)}`} className="rounded-6 tabular-nums">
      {spanOf(oldest.at, newest.at, now)}
    </span>
  )
}
