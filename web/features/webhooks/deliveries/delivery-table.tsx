/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- Safari drops the roles of table elements shown as blocks */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Delivery } from '#contract/webhooks.ts'
import { m } from '#messages'
import { cx } from '#web/ui/class-names.ts'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { DeliveryStatus } from './delivery-status.tsx'
import { durationText, eventTitle, serverName } from './delivery-texts.ts'

/** Only a wide table has these columns. The panel of a row shows them too. */
const WIDE = '@max-xl:hidden'

const COLUMNS: readonly { title: string; className?: string }[] = [
  { title: m.webhooks_log_event() },
  { title: m.webhooks_log_server() },
  { title: m.webhooks_log_time() },
  { title: m.webhooks_log_attempt(), className: WIDE },
  { title: m.common_status() },
  { title: m.webhooks_log_duration(), className: cx(WIDE, 'text-right') },
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
    <div className="@container">
      <table
        role="table"
        aria-label={m.webhooks_tab_deliveries()}
        className="card block w-full border-separate border-spacing-0 text-13 @md:table"
      >
        <thead role="rowgroup" className="block @max-md:sr-only @md:table-header-group">
          <tr role="row" className="@md:table-row">
            {COLUMNS.map(({ title, className }) => (
              <th
                key={title}
                role="columnheader"
                scope="col"
                className={cx(
                  'border-b border-line px-2 py-2 text-left text-12 font-normal whitespace-nowrap text-ink-3 first:pl-4 last:pr-4',
                  className,
                )}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="block @md:table-row-group">
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
    <tr
      role="row"
      className={cx(
        'relative flex flex-wrap items-center gap-x-3 gap-y-1 border-line px-4 py-3 transition-colors duration-100 not-last:border-b hover:bg-surface-2/50 @md:table-row',
        isOpen && 'bg-surface-2/70',
      )}
    >
      <Cell className="order-1 grow basis-1/2 @md:pl-4">
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
      <Cell className={'order-3 min-w-0 grow basis-1/2 truncate text-ink-2 @md:max-w-40'}>{server ?? <None />}</Cell>
      <Cell className="order-4 whitespace-nowrap text-ink-2">
        <span className="relative">
          <TimeAgo at={at ?? createdAt} />
        </span>
      </Cell>
      <Cell isWide className="text-ink-2 tabular-nums">
        {attempt === 0 ? <None /> : attempt}
      </Cell>
      <Cell className="order-2">
        <span className="relative">
          <DeliveryStatus delivery={delivery} />
        </span>
      </Cell>
      <Cell isWide className="text-right whitespace-nowrap text-ink-2 tabular-nums @md:pr-4">
        {duration === null ? <None /> : durationText(duration)}
      </Cell>
    </tr>
  )
}

function None() {
  return <span className="text-ink-3">–</span>
}

/** @param isWide whether only a wide table has its column */
function Cell({ isWide = false, className, children }: { isWide?: boolean; className?: string; children: ReactNode }) {
  return (
    <td
      role="cell"
      className={cx(
        'p-0 align-middle @md:border-b @md:border-line @md:px-2 @md:py-2.5 @md:[tr:last-child>&]:border-b-0',
        isWide ? 'hidden @xl:table-cell' : 'block @md:table-cell',
        className,
      )}
    >
      {children}
    </td>
  )
}
