import type { ReactNode } from 'react'
import type { Server } from '#contract/servers.ts'
import { m } from '#messages'

interface SummaryStripProps {
  servers: readonly Server[]
  /** Gets the number of players online now. */
  peak: (players: number) => ReactNode
}

export function SummaryStrip({ servers, peak }: SummaryStripProps) {
  const online = servers.filter((server) => server.status === 'online').length
  const listed = servers.filter((server) => server.listing.listed).length
  const players = servers.reduce((sum, server) => sum + (server.live?.players ?? 0), 0)
  return (
    <dl className="card mb-4 grid grid-cols-2 gap-px overflow-hidden bg-line md:grid-cols-4">
      <Figure label={m.servers_summary_players()} value={players.toLocaleString('en')} />
      <Figure label={m.servers_summary_peak()} value={peak(players)} />
      <Figure label={m.servers_summary_online()} value={online} total={servers.length} />
      <Figure label={m.servers_summary_listed()} value={listed} total={servers.length} />
    </dl>
  )
}

function Figure({ label, value, total }: { label: string; value: ReactNode; total?: number }) {
  return (
    <div className="flex flex-col-reverse justify-end bg-surface-1 px-4 py-3 xl:flex-row-reverse xl:items-baseline xl:gap-2 xl:py-2">
      <dt className="text-12 text-ink-3">{label}</dt>
      <dd className="text-20 font-semibold tabular-nums">
        {value} {total !== undefined && <span className="text-13 font-normal text-ink-3">{m.servers_summary_of({ count: total })}</span>}
      </dd>
    </div>
  )
}
