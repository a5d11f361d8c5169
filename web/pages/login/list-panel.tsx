/** What the list is now. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { ListSummary } from '#contract/history/statistics.ts'
import { m } from '#messages'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { formatNumber } from '#web/lib/format.ts'
import { call } from '#web/lib/http/call.ts'
import { Curve, EmptyGraph, sparklineOf } from '#web/ui/chart/curve.tsx'
import { counted } from '#web/ui/count-text.ts'
import { ImageTile } from '#web/ui/image-tile.tsx'

/** The backend's summary is at most ten seconds old. Without a connection, the last numbers stay. */
const summaryOptions = queryOptions({
  queryKey: ['list_summary'],
  queryFn: ({ signal }) => call('GET /api/public/list', { signal }),
  refetchInterval: 12_000,
})

/** One line, for narrow pages. */
export function OnlineNow() {
  const { data: list } = useQuery(summaryOptions)
  if (list === undefined) return null
  if (list.servers === 0) return m.login_online_none()
  return (
    <span className="inline-flex items-center gap-2">
      <span className="size-2 shrink-0 rounded-full bg-ok" aria-hidden="true" />
      {m.login_online({ servers: m.login_servers(counted(list.servers)), players: m.login_players(counted(list.players)) })}
    </span>
  )
}

/** Beside the sign-in on wide pages. Has the same height before and after its content loads. */
export function ListPanel({ browseLink }: { browseLink: ReactNode }) {
  const { data: list } = useQuery(summaryOptions)
  return (
    <section
      aria-labelledby="list"
      className="hidden h-[488px] w-[420px] rounded-10 border border-line bg-surface-1 p-6 min-[1100px]:block"
    >
      <div className="flex items-center justify-between gap-4">
        <h2 id="list" className="font-medium">
          {m.login_list_title()}
        </h2>
        {browseLink}
      </div>
      {list && <Summary list={list} />}
    </section>
  )
}

function Summary({ list: { players, servers, players_day, top } }: { list: ListSummary }) {
  const { data: about } = useQuery(aboutOptions)
  return (
    <>
      <dl className="mt-4 flex gap-10">
        <Figure label={m.login_list_players()} value={players} />
        <Figure label={m.login_list_servers()} value={servers} />
      </dl>
      <Day values={players_day} />
      <h3 className="mt-5 text-12 text-ink-3">{m.login_list_top()}</h3>
      {top.length === 0 && <p className="mt-2 text-13 text-ink-2">{m.login_online_none()}</p>}
      <ol className="mt-1">
        {top.map((server) => (
          <li key={server.public_id} className="flex h-10 items-center justify-between gap-4 border-t border-line first:border-t-0">
            <span className="flex min-w-0 items-center gap-2.5">
              <ImageTile id={server.public_id} name={server.name} url={server.icon_url} className="size-6" />
              {about?.public_site === false ? (
                <bdi className="min-w-0 truncate">{server.name}</bdi>
              ) : (
                <a href={`/s/${server.public_id}`} className="min-w-0 hover:underline">
                  <bdi className="block truncate">{server.name}</bdi>
                </a>
              )}
            </span>
            <span className="shrink-0 text-ink-2 tabular-nums">{`${formatNumber(server.players)} / ${formatNumber(server.max_players)}`}</span>
          </li>
        ))}
      </ol>
    </>
  )
}

function Figure({ label, value }: { label: string; value: number }) {
  return (
    <div>
      <dt className="text-12 text-ink-3">{label}</dt>
      <dd className="text-28 font-semibold tabular-nums">{formatNumber(value)}</dd>
    </div>
  )
}

function Day({ values }: { values: ListSummary['players_day'] }) {
  const sparkline = sparklineOf(values)
  return (
    <figure className="mt-4">
      <figcaption className="text-12 text-ink-3">{m.login_list_day()}</figcaption>
      <div className="mt-1 h-16">
        {sparkline ? <Curve of={sparkline} /> : <EmptyGraph title={m.login_list_day_none()} className="size-full" />}
      </div>
    </figure>
  )
}
