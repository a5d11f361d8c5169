import type { Server } from '#contract/servers.ts'

/** What is on right now, over all of one's servers. */
export function SummaryStrip({ servers }: { servers: readonly Server[] }) {
  const online = servers.filter((server) => server.status === 'online').length
  const listed = servers.filter((server) => server.listing.listed).length
  const players = servers.reduce((sum, server) => sum + (server.live?.players ?? 0), 0)
  return (
    <dl className="card mb-4 grid grid-cols-3 divide-x divide-line">
      <Figure label="Players online" value={players} />
      <Figure label="Servers online" value={online} of={servers.length} />
      <Figure label="On the list" value={listed} of={servers.length} />
    </dl>
  )
}

function Figure({ label, value, of }: { label: string; value: number; of?: number }) {
  return (
    <div className="flex flex-col-reverse justify-end px-4 py-3 lg:flex-row-reverse lg:items-baseline lg:gap-2 lg:py-2">
      <dt className="text-12 text-ink-3">{label}</dt>
      <dd className="text-20 font-semibold tabular-nums">
        {value.toLocaleString('en')}
        {of !== undefined && <span className="ml-1 text-13 font-normal text-ink-3">of {of}</span>}
      </dd>
    </div>
  )
}
