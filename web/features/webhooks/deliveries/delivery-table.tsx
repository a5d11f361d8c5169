import { CircleCheck, CircleX, Clock, RotateCw } from 'lucide-react'
import type { Delivery } from '#contract/webhooks/webhooks.ts'
import { m } from '#messages'
import { Status } from '#web/features/webhooks/webhook-parts.tsx'
import { AboveRowLink, type Column, NoneCell, PanelContext, RowTitle, TimeCell } from '#web/ui/table/columns.tsx'
import { DataTable } from '#web/ui/table/data-table.tsx'
import { useListTable } from '#web/ui/table/use-list-table.ts'
import { useRowKeys } from '#web/ui/table/use-row-keys.ts'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { durationText, eventTitle, serverName } from './delivery-texts.ts'

/** Where there is little room, only the side panel shows it. */
const WIDE = 'max-lg:hidden lg:max-[1299px]:hidden text-ink-2 tabular-nums'

const COLUMNS: readonly Column<Delivery>[] = [
  {
    id: 'event',
    header: m.webhooks_log_event(),
    cell: ({ row: { id, original } }) => (
      <RowTitle id={id} href={`?tab=deliveries&delivery=${id}`} name={eventTitle(original.event_type)} />
    ),
    meta: { className: 'sm:max-lg:flex-1 sm:max-lg:basis-0' },
  },
  {
    id: 'server',
    header: m.webhooks_log_server(),
    cell: ({ row }) => serverName(row.original) ?? <NoneCell />,
    meta: { untitledInCard: true, className: 'max-w-40 truncate text-ink-2' },
  },
  {
    id: 'time',
    header: m.webhooks_log_time(),
    cell: ({ row }) => <TimeCell at={row.original.attempted_at ?? row.original.created_at} />,
    meta: { untitledInCard: true, className: 'whitespace-nowrap text-ink-2' },
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
    meta: { untitledInCard: true },
  },
  {
    id: 'duration',
    header: m.webhooks_log_duration(),
    cell: ({ row: { original } }) => (original.duration_ms === null ? <NoneCell /> : durationText(original.duration_ms)),
    meta: { alignEnd: true, className: `${WIDE} whitespace-nowrap` },
  },
]

interface DeliveryTableProps {
  rows: readonly Delivery[]
  openId: string | undefined
  onOpen: (id: string) => void
}

export function DeliveryTable({ rows, openId: open, onOpen }: DeliveryTableProps) {
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

const STATES = {
  pending: { icon: Clock, tone: 'text-ink-2', word: m.webhooks_state_pending() },
  retrying: { icon: RotateCw, tone: 'text-warn', word: m.webhooks_state_retrying() },
  succeeded: { icon: CircleCheck, tone: 'text-ok', word: m.webhooks_state_succeeded() },
  failed: { icon: CircleX, tone: 'text-danger', word: m.webhooks_state_failed() },
} as const

/** The state, then the HTTP status or the time of the next attempt. */
export function DeliveryStatus({ delivery: { state, attempt, next_attempt_at: next, response } }: { delivery: Delivery }) {
  if (state === 'pending' && attempt > 0) return <Status {...STATES.retrying}>{next !== null && <TimeAgo at={next} />}</Status>
  return <Status {...STATES[state]}>{response?.status ?? (state === 'failed' ? m.webhooks_state_no_reply() : undefined)}</Status>
}
