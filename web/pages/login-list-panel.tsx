/** What the list is now, beside the sign-in on wide pages. Loaded after the page, which reserves its room. */
import type { ListSummary } from '#contract/statistics.ts'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'
import { sparklineOf, SPARKLINE_HEIGHT } from '#web/features/history/sparkline-path.ts'

export function LoginListPanel({ list: { players, servers, players_day, top } }: { list: ListSummary }) {
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
            <span className="min-w-0 truncate">{server.name}</span>
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
        {sparkline && (
          <svg
            aria-hidden="true"
            viewBox={`0 0 ${values.length} ${SPARKLINE_HEIGHT}`}
            preserveAspectRatio="none"
            className="size-full text-accent"
          >
            <path d={sparkline.area} fill="currentColor" fillOpacity="0.16" />
            <path
              d={sparkline.line}
              fill="none"
              stroke="currentColor"
              strokeWidth="1.5"
              strokeLinejoin="round"
              vectorEffect="non-scaling-stroke"
            />
          </svg>
        )}
      </div>
    </figure>
  )
}
