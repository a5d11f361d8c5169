import type { ReactNode } from 'react'
import type { Server } from '#contract/servers.ts'

export function SummaryStrip({ servers, peak }: { servers: readonly Server[]; peak: ReactNode }) {
  const online = servers.filter((server) => server.status === 'online').length
  const listed = servers.filter((server) => server.listing.listed).length
  const players = servers.reduce((sum, server) => sum + (server.live?.players ?? 0), 0)
  return (
    <dl className="card mb-4 grid grid-cols-2 gap-px overflow-hidden bg-line md:grid-cols-4">
      <Figure label="Players online" value={players.toLocaleString('en')} />
      <Figure label="Peak in 24 h" value={peak} />
      <Figure label="Servers online" value={online} of={servers.length} />
      <Figure label="On the list" value={listed} of={servers.length} />
    </dl>
  )
}

function Figure({ label, value, of }: { label: string; value: ReactNode; of?: number }) {
  return (
    <div className="flex flex-col-reverse justify-end bg-surface-1 px-4 py-3 xl:flex-row-reverse xl:items-baseline xl:gap-2 xl:py-2">
      <dt className="text-12 text-ink-3">{label}</dt>
      <dd className="text-20 font-semibold tabular-nums">
        {value}
        {of !== undefined && <span className="ml-1 text-13 font-normal text-ink-3">of {of}</span>}
      </dd>
    </div>
  )
}
