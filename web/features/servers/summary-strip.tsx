import type { ReactNode } from 'react'
import type { Server } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { DayPeak } from '#web/features/history/last-day.tsx'
import { formatNumber } from '#web/lib/format.ts'

export function SummaryStrip({ servers }: { servers: readonly Server[] }) {
  const online = servers.filter((server) => server.status === 'online').length
  const listed = servers.filter((server) => server.listing.listed).length
  const players = servers.reduce((sum, server) => sum + (server.live?.players ?? 0), 0)
  return (
    <dl className="grid grid-cols-4 gap-px border-b border-line bg-line">
      <Figure label={m.servers_summary_players()} short={m.servers_summary_players_short()} value={formatNumber(players)} />
      <Figure label={m.servers_summary_peak()} short={m.servers_summary_peak_short()} value={<DayPeak current={players} />} />
      <Figure label={m.servers_summary_online()} short={m.servers_summary_online_short()} value={online} total={servers.length} />
      <Figure label={m.servers_summary_listed()} short={m.servers_summary_listed_short()} value={listed} total={servers.length} />
    </dl>
  )
}

interface FigureProps {
  label: string
  /** The label on a phone. */
  short: string
  value: ReactNode
  total?: number
}

function Figure({ label, short, value, total }: FigureProps) {
  return (
    <div className="flex min-w-0 flex-col-reverse justify-end bg-surface-1 px-3 py-2 sm:px-4 xl:flex-row-reverse xl:items-baseline xl:gap-2">
      <dt className="truncate text-12 text-ink-3">
        <span className="max-sm:hidden">{label}</span>
        <span className="sm:hidden">{short}</span>
      </dt>
      <dd className="truncate text-16 font-semibold tabular-nums sm:text-20 max-sm:[&_time]:hidden">
        {value} {total !== undefined && <span className="text-13 font-normal text-ink-3 max-[359px]:hidden">/ {total}</span>}
      </dd>
    </div>
  )
}
