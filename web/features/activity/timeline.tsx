import { ArrowRight } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import type { ActivityEntry } from '#contract/events/activity.ts'
import { m } from '#messages'
import { localDay, useNow } from '#web/lib/time.ts'
import { cx } from '#web/ui/class-names.ts'
import { SkeletonRows } from '#web/ui/states.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { type Change, changesOf } from './changes.ts'
import { byDay, dayLabel } from './days.ts'
import { EventIcon } from './event-icon.tsx'
import { Sentence } from './sentence.tsx'

interface TimelineProps<E extends ActivityEntry> {
  entries: readonly E[]
  /** On a server's own page, entries don't repeat its name. */
  onServer?: boolean
  /** Renders an entry's sentence; by default for the user's own activity. */
  sentence?: (entry: E) => ReactNode
}

export function Timeline<E extends ActivityEntry>({ entries, ...rest }: TimelineProps<E>) {
  return (
    <div className="space-y-6">
      {byDay(entries).map((day) => (
        <Day key={day.date} date={day.date} entries={day.entries} {...rest} />
      ))}
    </div>
  )
}

function Day<E extends ActivityEntry>({ date, ...rest }: TimelineProps<E> & { date: string }) {
  const id = useId()
  const today = localDay(useNow())
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="mb-3 text-12 font-medium text-ink-3">
        {dayLabel(date, today)}
      </h3>
      <Entries {...rest} />
    </section>
  )
}

export function Entries<E extends ActivityEntry>({ isCompact = false, ...props }: TimelineProps<E> & { isCompact?: boolean }) {
  const { entries, onServer = false, sentence = (entry) => <Sentence entry={entry} onServer={onServer} /> } = props
  return (
    <ol>
      {entries.map((entry) => (
        <li
          key={entry.id}
          className="relative flex gap-3 pb-5 before:absolute before:top-6 before:bottom-0 before:left-[9px] before:w-px before:bg-line last:pb-0 last:before:hidden"
        >
          <span className="relative flex h-[22px] w-[19px] shrink-0 items-center justify-center">
            <EventIcon action={entry.action} />
          </span>
          <div className="min-w-0 flex-1">
            <div className={cx('flex gap-x-3 gap-y-0.5', isCompact ? 'flex-col' : 'max-sm:flex-col sm:items-baseline sm:justify-between')}>
              <p className="min-w-0 [overflow-wrap:anywhere] text-ink-2">{sentence(entry)}</p>
              <span className="shrink-0 text-12 whitespace-nowrap text-ink-3">
                <TimeAgo at={entry.at} />
              </span>
            </div>
            {!isCompact && <Changes changes={changesOf(entry)} />}
          </div>
        </li>
      ))}
    </ol>
  )
}

/** Old and new values of the changed fields. */
export function Changes({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return null
  return (
    <dl className="mt-1.5 space-y-1 text-13">
      {changes.map(({ field, before, after }) => (
        <div key={field} className="flex flex-wrap items-baseline gap-x-2 [overflow-wrap:anywhere] whitespace-pre-line">
          <dt className="text-ink-3">{field}</dt>
          <dd className="flex min-w-0 flex-wrap items-baseline gap-x-1.5 text-ink-2">
            {before !== undefined && <span className="min-w-0">{before}</span>}
            {before !== undefined && after !== undefined && (
              <ArrowRight size={13} className="shrink-0 self-center text-ink-3" role="img" aria-label={m.activity_changed_to()} />
            )}
            {after !== undefined && <span className="min-w-0 text-ink-1">{after}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

export function TimelineSkeleton({ rows, className = 'card p-5' }: { rows: number; className?: string }) {
  return (
    <div role="status" aria-label={m.activity_loading()} className={cx('space-y-5', className)}>
      <SkeletonRows rows={rows} />
    </div>
  )
}
