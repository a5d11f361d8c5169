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

export function Unconfirmed({ live }: { live: NonNullable<Server['live']> }) {
  if (live.players_confirmed) return null
  const text = m.servers_players_unconfirmed()
  return (
    // `relative` puts it above the link that covers the row.
    <span data-tip={text} className="relative ml-1 inline-block align-[-2px] text-warn">
      <CircleQuestionMark size={14} role="img" aria-label={text} />
    </span>
  )
}
