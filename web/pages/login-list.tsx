/** What the list is now. Loaded after the login page, which reserves its room. */
import type { ReactNode } from 'react'
import type { ListSummary } from '#contract/history/statistics.ts'
import { m } from '#messages'
import { call } from '#web/lib/http/call.ts'
import { formatNumber } from '#web/lib/format.ts'
import { Curve, EmptyGraph } from '#web/ui/chart/curve.tsx'
import { sparklineOf } from '#web/ui/chart/sparkline-path.ts'
import { ImageTile } from '#web/ui/image-tile.tsx'

/** The backend's summary is at most ten seconds old. */
const REFRESH_MS = 12_000

export interface ShownList {
  readonly sentence: ReactNode
  /** Beside the sign-in on wide pages. */
  readonly panel: ReactNode
}

/** Calls `show` with the first summary, and with a newer one every few seconds while the page is visible. */
export function watchList(first: Promise<ListSummary>, hasPublicSite: boolean, show: (list: ShownList) => void): void {
  const showSummary = (summary: ListSummary) =>
    show({
      sentence: <OnlineNow list={summary} />,
      panel: matchMedia('(min-width: 1100px)').matches && <ListPanel list={summary} hasPublicSite={hasPublicSite} />,
    })
  // Without a connection, the last numbers stay.
  const follow = (summary: Promise<ListSummary>) => void summary.then(showSummary).catch(() => {})
  follow(first)
  const refresh = () => {
    if (!document.hidden) follow(call('GET /api/public/list'))
  }
  setInterval(refresh, REFRESH_MS)
  document.addEventListener('visibilitychange', refresh)
}

/** Has its own plural messages. A message shared with the panel would be another script to load. */
function OnlineNow({ list: { servers, players } }: { list: ListSummary }) {
  const counted = (count: number) => ({ count, shown: formatNumber(count) })
  if (servers === 0) return m.login_online_none()
  return (
    <span className="inline-flex items-center gap-2">
      <span className="size-2 shrink-0 rounded-full bg-ok" aria-hidden="true" />
      {m.login_online({ servers: m.login_servers(counted(servers)), players: m.login_players(counted(players)) })}
    </span>
  )
}

function ListPanel({ list: { players, servers, players_day, top }, hasPublicSite }: { list: ListSummary; hasPublicSite: boolean }) {
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
              {hasPublicSite ? (
                <a href={`/s/${server.public_id}`} className="min-w-0 hover:underline">
                  <bdi className="block truncate">{server.name}</bdi>
                </a>
              ) : (
                <bdi className="min-w-0 truncate">{server.name}</bdi>
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
