/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- Safari drops the roles of table elements shown as blocks */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Delivery } from '#contract/webhooks/webhooks.ts'
import { m } from '#messages'
import { cx } from '#web/ui/class-names.ts'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { DeliveryStatus } from './delivery-status.tsx'
import { durationText, eventTitle, serverName } from './delivery-texts.ts'
import '#web/features/webhooks/webhooks.css'

/** Only a wide table has the columns `wide`. The panel of a row shows them too. */
const COLUMNS: readonly { title: string; className?: string }[] = [
  { title: m.webhooks_log_event() },
  { title: m.webhooks_log_server() },
  { title: m.webhooks_log_time() },
  { title: m.webhooks_log_attempt(), className: 'wide' },
  { title: m.common_status() },
  { title: m.webhooks_log_duration(), className: 'wide text-right' },
]

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
    <div className="delivery-log">
      <table role="table" aria-label={m.webhooks_tab_deliveries()} className="card w-full text-13">
        <thead role="rowgroup">
          <tr role="row">
            {COLUMNS.map(({ title, className }) => (
              <th
                key={title}
                role="columnheader"
                scope="col"
                className={cx('text-left text-12 font-normal whitespace-nowrap text-ink-3', className)}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
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
    </div>
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
    <tr role="row" className={cx('relative transition-colors duration-100 hover:bg-surface-2/50', isOpen && 'bg-surface-2/70')}>
      <Cell className="event">
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
      <Cell className="server truncate text-ink-2">{server ?? <None />}</Cell>
      <Cell className="time whitespace-nowrap text-ink-2">
        <span className="relative">
          <TimeAgo at={at ?? createdAt} />
        </span>
      </Cell>
      <Cell className="wide text-ink-2 tabular-nums">{attempt === 0 ? <None /> : attempt}</Cell>
      <Cell>
        <span className="relative">
          <DeliveryStatus delivery={delivery} />
        </span>
      </Cell>
      <Cell className="wide text-right whitespace-nowrap text-ink-2 tabular-nums">
        {duration === null ? <None /> : durationText(duration)}
      </Cell>
    </tr>
  )
}

function None() {
  return <span className="text-ink-3">–</span>
}

function Cell({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <td role="cell" className={cx('align-middle', className)}>
      {children}
    </td>
  )
}
