import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'
import type { ShownServer } from './access.ts'
import { Unconfirmed } from './players.tsx'

/** The players online now, of the slots. */
export function LivePlayers({ server: { live } }: { server: ShownServer }) {
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
