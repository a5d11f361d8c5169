import { CircleQuestionMark } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Server } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'
import { cx } from '#web/ui/class-names.ts'

interface PlayersProps {
  live: Server['live']
  graph: ReactNode
  /** Beside the graph where there is room. */
  inline?: boolean
}

/** `37 / 128` above a graph, or a dash if the server is not online. */
export function Players({ live, graph, inline = false }: PlayersProps) {
  return (
    <span
      className={cx(
        'inline-flex min-w-0 flex-col gap-1 tabular-nums max-lg:items-end',
        inline && 'xl:flex-row xl:items-center xl:*:first:min-w-20',
      )}
    >
      {live === null ? (
        <span data-none={graph === null ? true : undefined} className="text-ink-3" aria-label={m.servers_players_offline()}>
          –
        </span>
      ) : (
        <span className="whitespace-nowrap">
          <span className="font-medium text-ink-1">{formatNumber(live.players)}</span>
          <span className="text-ink-3"> / {formatNumber(live.max_players)}</span>
          <span className="sr-only"> {m.servers_players_unit()}</span>
          <Unconfirmed live={live} />
        </span>
      )}
      {graph}
    </span>
  )
}

/** The players online now, of the slots. */
export function LivePlayers({ live }: Pick<Server, 'live'>) {
  return (
    <div className="min-w-36">
      <dt className="text-12 text-ink-3">{m.servers_overview_live()}</dt>
      <dd className="flex min-h-7 flex-wrap items-baseline gap-x-2 tabular-nums">
        {live ? (
          <>
            <span className="text-20 font-semibold">{formatNumber(live.players)}</span>
            <span className="text-12 text-ink-3">
              {m.servers_overview_max_players({ max: formatNumber(live.max_players) })}
              <Unconfirmed live={live} />
            </span>
          </>
        ) : (
          <span className="text-20 font-semibold">
            <span aria-hidden="true">–</span>
            <span className="sr-only">{m.servers_players_offline()}</span>
          </span>
        )}
      </dd>
      <dd>
        <meter
          value={live?.players ?? 0}
          max={live?.max_players ?? 1}
          aria-label={m.servers_overview_meter()}
          className="players-meter h-1! w-full! max-w-full"
        />
      </dd>
    </div>
  )
}

function Unconfirmed({ live }: { live: NonNullable<Server['live']> }) {
  if (live.players_confirmed) return null
  const text = m.servers_players_unconfirmed()
  return (
    // `relative` puts it above the link that covers the row.
    <span data-tip={text} className="relative ml-1 inline-block align-[-2px] text-warn">
      <CircleQuestionMark size={14} role="img" aria-label={text} />
    </span>
  )
}
