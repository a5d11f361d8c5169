import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Delivery, Webhook } from '#contract/webhooks/webhooks.ts'
import { m } from '#messages'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { DeliveryStatus } from '#web/features/webhooks/webhook-parts.tsx'
import { deliveriesOptions } from '#web/features/webhooks/webhooks.api.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { EmptyState, QueryPending, SkeletonRows } from '#web/ui/states.tsx'
import { DataTable } from '#web/ui/table/data-table.tsx'
import { AboveRowLink, type Column, NoneCell, PanelContext, RowTitle, TimeCell, useListTable } from '#web/ui/table/list-table.tsx'
import { useRowKeys } from '#web/ui/table/use-row-keys.ts'
import { DeliveryPanel } from './delivery-panel.tsx'
import { attemptDurationText, eventTitle, hasFailed, serverName } from './delivery-texts.ts'

interface DeliveryLogProps {
  webhook: Webhook
  onlyFailed: boolean
  /** The delivery whose panel is open. */
  openId: string | undefined
  onOpen: (id: string | undefined) => void
}

/** The last hundred deliveries. */
export function DeliveryLog({ webhook, onlyFailed, openId, onOpen }: DeliveryLogProps) {
  const query = useQuery(deliveriesOptions(webhook.id))
  const { data: about } = useQuery(aboutOptions)
  const all = query.data
  if (all === undefined) {
    return (
      <QueryPending query={query}>
        <div role="status" aria-label={m.common_loading()} className="card space-y-5 p-5">
          <SkeletonRows rows={5} />
        </div>
      </QueryPending>
    )
  }
  const failed = all.filter(hasFailed)
  const rows = onlyFailed ? failed : all
  return (
    <section aria-label={m.webhooks_tab_deliveries()}>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <nav aria-label={m.webhooks_log_filter()} className="flex gap-1 rounded-6 border border-line bg-surface-1 p-0.5">
          <FilterLink isCurrent={!onlyFailed}>{m.webhooks_log_all()}</FilterLink>
          <FilterLink isCurrent={onlyFailed} status="failed">
            {m.webhooks_log_failed({ count: failed.length })}
          </FilterLink>
        </nav>
        <p className="text-13 text-ink-3">{about && m.webhooks_log_hint({ count: about.delivery_days })}</p>
      </div>
      {rows.length > 0 ? (
        <DeliveryTable rows={rows} open={openId} onOpen={onOpen} />
      ) : onlyFailed ? (
        <EmptyState
          title={m.webhooks_log_none_failed()}
          action={
            <Link {...LOG} className={buttonClass()}>
              {m.webhooks_log_show_all()}
            </Link>
          }
        >
          {m.webhooks_log_none_failed_hint()}
        </EmptyState>
      ) : (
        <EmptyState title={m.webhooks_log_none()}>{m.webhooks_log_none_hint()}</EmptyState>
      )}
      {openId !== undefined && (
        <DeliveryPanel webhook={webhook} id={openId} delivery={all.find(({ id }) => id === openId)} onClose={() => onOpen(undefined)} />
      )}
    </section>
  )
}

/** This page, with all deliveries. */
const LOG = { from: '/settings/webhooks/$webhook_id', to: '.', search: { tab: 'deliveries' }, resetScroll: false } as const

function FilterLink({ isCurrent, status, children }: { isCurrent: boolean; status?: 'failed'; children: string }) {
  return (
    <Link
      {...LOG}
      search={{ ...LOG.search, status }}
      activeProps={{}}
      aria-current={isCurrent ? 'true' : undefined}
      className={cx(
        'inline-flex min-h-7 items-center rounded-6 px-2.5 text-13 transition-colors duration-100 pointer-coarse:min-h-11',
        isCurrent ? 'bg-surface-2 font-medium text-ink-1' : 'text-ink-2 hover:text-ink-1',
      )}
    >
      {children}
    </Link>
  )
}

/** Where there is little room, only the side panel shows it. */
const WIDE = 'max-lg:hidden lg:max-[1299px]:hidden text-ink-2 tabular-nums'

const COLUMNS: readonly Column<Delivery>[] = [
  {
    id: 'event',
    header: m.webhooks_log_event(),
    cell: ({ row: { id, original } }) => (
      <RowTitle id={id} href={`?tab=deliveries&delivery=${id}`} name={eventTitle(original.event_type)} />
    ),
    meta: { className: 'max-lg:flex-1 max-lg:basis-1/2' },
  },
  {
    id: 'server',
    header: m.webhooks_log_server(),
    cell: ({ row }) => serverName(row.original) ?? <NoneCell />,
    meta: { untitledInCard: true, className: 'max-lg:order-2 max-lg:flex-1 max-lg:basis-1/2 lg:max-w-40 truncate text-ink-2' },
  },
  {
    id: 'time',
    header: m.webhooks_log_time(),
    cell: ({ row }) => <TimeCell at={row.original.attempted_at ?? row.original.created_at} />,
    meta: { untitledInCard: true, className: 'max-lg:order-3 whitespace-nowrap text-ink-2' },
  },
  {
    id: 'attempt',
    header: m.webhooks_log_attempt(),
    cell: ({ row }) => row.original.attempt || <NoneCell />,
    meta: { className: WIDE },
  },
  {
    id: 'status',
    header: m.common_status(),
    cell: ({ row }) => (
      <AboveRowLink>
        <DeliveryStatus delivery={row.original} />
      </AboveRowLink>
    ),
    meta: { untitledInCard: true, className: 'max-lg:order-1 whitespace-nowrap' },
  },
  {
    id: 'duration',
    header: m.webhooks_log_duration(),
    cell: ({ row: { original } }) => (original.duration_ms === null ? <NoneCell /> : attemptDurationText(original.duration_ms)),
    meta: { alignEnd: true, className: `${WIDE} whitespace-nowrap` },
  },
]

function DeliveryTable({ rows, open, onOpen }: { rows: readonly Delivery[]; open: string | undefined; onOpen: (id: string) => void }) {
  const idOf = ({ id }: Delivery) => id
  const table = useListTable({ rows, columns: COLUMNS, idOf, nameOf: idOf })
  const { onKeyDown } = useRowKeys({ rows: table.rows, open, onOpen })
  return (
    <PanelContext value={{ open, onOpen }}>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the links in its rows take the focus */}
      <div onKeyDown={onKeyDown}>
        <DataTable table={table} label={m.webhooks_tab_deliveries()} header="wide" />
      </div>
    </PanelContext>
  )
}
