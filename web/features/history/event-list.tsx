import { Ban, CircleArrowUp, type LucideIcon, RotateCw, ShieldCheck } from 'lucide-react'
import type { ServerEvent } from '#contract/history/history.ts'
import { m } from '#messages'
import { exactTime } from '#web/lib/time.ts'
import { eventText } from './history-data.ts'

const ICONS: Record<ServerEvent['kind'], { icon: LucideIcon; className: string }> = {
  restart: { icon: RotateCw, className: 'text-ink-2' },
  update: { icon: CircleArrowUp, className: 'text-info' },
  ban: { icon: Ban, className: 'text-danger' },
  unban: { icon: ShieldCheck, className: 'text-ok' },
}

/** The moments that the graph marks, newest first. As high before they load as after. @param events undefined while loading. */
export function EventList({ events }: { events: readonly ServerEvent[] | undefined }) {
  if (events === undefined || events.length === 0) {
    return (
      <p className="flex min-h-6 items-center text-13 text-ink-3 pointer-coarse:min-h-11">
        {events === undefined ? m.history_events() : m.history_events_none()}
      </p>
    )
  }
  return (
    <details className="text-13">
      <summary className="inline-flex min-h-6 items-center rounded-6 font-medium text-accent hover:underline pointer-coarse:min-h-11">
        {m.history_events_count({ count: events.length })}
      </summary>
      <div
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard users must be able to scroll it
        tabIndex={0}
        role="region"
        aria-label={m.history_events()}
        className="mt-2 max-h-64 overflow-auto rounded-6 border border-line"
      >
        <ol className="divide-y divide-line">
          {events.toReversed().map((event) => (
            <EventRow key={`${event.at} ${event.kind}`} event={event} />
          ))}
        </ol>
      </div>
    </details>
  )
}

function EventRow({ event }: { event: ServerEvent }) {
  const { icon: Icon, className } = ICONS[event.kind]
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-0.5 px-3 py-2">
      <span className="flex min-w-0 flex-1 items-center gap-2">
        <Icon size={14} className={`shrink-0 ${className}`} aria-hidden="true" />
        <span className="min-w-0 [overflow-wrap:anywhere]">{eventText(event)}</span>
      </span>
      <time dateTime={event.at} className="text-12 text-ink-3 tabular-nums">
        {exactTime(event.at)}
      </time>
    </li>
  )
}
