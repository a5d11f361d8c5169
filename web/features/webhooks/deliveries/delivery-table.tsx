/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- Safari drops the roles of table elements shown as blocks */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Delivery } from '#contract/webhooks.ts'
import { m } from '#messages'
import { cx } from '#web/ui/class-names.ts'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { DeliveryStatus } from './delivery-status.tsx'
import { durationText, eventTitle, serverName } from './delivery-texts.ts'

const TITLES = [
  m.webhooks_log_event(),
  m.webhooks_log_server(),
  m.webhooks_log_time(),
  m.webhooks_log_attempt(),
  m.common_status(),
  m.webhooks_log_duration(),
] as const

interface DeliveryTableProps {
  /** The webhook's ID. */
  id: string
  rows: readonly Delivery[]
  openId: string | undefined
  onlyFailed: boolean
  onOpen: (id: string) => void
}

/** Rows become cards on a narrow screen. */
export function DeliveryTable({ id, rows, openId, onlyFailed, onOpen }: DeliveryTableProps) {
  return (
    <table
      role="table"
      aria-label={m.webhooks_tab_deliveries()}
      className="card block w-full border-separate border-spacing-0 text-13 sm:table"
    >
      <thead role="rowgroup" className="block max-sm:sr-only sm:table-header-group">
        <tr role="row" className="sm:table-row">
          {TITLES.map((title) => (
            <th
              key={title}
              role="columnheader"
              scope="col"
              className="border-b border-line px-2 py-2 text-left text-12 font-normal whitespace-nowrap text-ink-3 first:pl-4 last:pr-4 last:text-right"
            >
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="block sm:table-row-group">
        {rows.map((delivery) => (
          <DeliveryRow
            key={delivery.id}
            webhookId={id}
            delivery={delivery}
            isOpen={delivery.id === openId}
            onlyFailed={onlyFailed}
            onOpen={onOpen}
          />
        ))}
      </tbody>
    </table>
  )
}

interface DeliveryRowProps {
  webhookId: string
  delivery: Delivery
  isOpen: boolean
  onlyFailed: boolean
  onOpen: (id: string) => void
}

/** The event's link covers the row. */
function DeliveryRow({ webhookId, delivery, isOpen, onlyFailed, onOpen }: DeliveryRowProps) {
  const { id, event_type: type, attempt, attempted_at: at, created_at: createdAt, duration_ms: duration } = delivery
  const server = serverName(delivery)
  return (
    <tr
      role="row"
      className={cx(
        'relative flex flex-wrap items-center gap-x-3 gap-y-1 border-line px-4 py-3 transition-colors duration-100 not-last:border-b hover:bg-surface-2/50 sm:table-row',
        isOpen && 'bg-surface-2/70',
      )}
    >
      <Cell className="basis-full sm:pl-4">
        <Link
          to="/settings/webhooks/$webhook_id"
          params={{ webhook_id: webhookId }}
          search={{ tab: 'deliveries', ...(onlyFailed && { status: 'failed' as const }), delivery: id }}
          data-row-link={id}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={(event) => {
            if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
            event.preventDefault()
            onOpen(id)
          }}
          className="text-14 font-medium text-ink-1 after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-6 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
        >
          {eventTitle(type)}
        </Link>
      </Cell>
      <Cell className={cx('max-w-40 truncate text-ink-2', server === undefined && 'max-sm:hidden')}>
        {server ?? <span className="text-ink-3">–</span>}
      </Cell>
      <Cell className="whitespace-nowrap text-ink-2">
        <span className="relative">
          <TimeAgo at={at ?? createdAt} />
        </span>
      </Cell>
      <Cell className="text-ink-2 tabular-nums max-sm:hidden">{attempt}</Cell>
      <Cell className="max-sm:ml-auto">
        <span className="relative">
          <DeliveryStatus delivery={delivery} />
        </span>
      </Cell>
      <Cell className="whitespace-nowrap text-ink-2 tabular-nums max-sm:hidden sm:pr-4 sm:text-right">
        {duration === null ? <span className="text-ink-3">–</span> : durationText(duration)}
      </Cell>
    </tr>
  )
}

function Cell({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <td
      role="cell"
      className={cx(
        'block p-0 align-middle sm:table-cell sm:border-b sm:border-line sm:px-2 sm:py-2.5 sm:[tr:last-child>&]:border-b-0',
        className,
      )}
    >
      {children}
    </td>
  )
}
