import { CircleQuestionMark } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Server } from '#contract/servers.ts'

/** `37 / 128`, or a dash while the server is not online, over a graph. */
export function Players({ live, graph }: { live: Server['live']; graph: ReactNode }) {
  return (
    <span className="inline-flex flex-col gap-1 tabular-nums">
      {live === null ? (
        <span className="text-ink-3" aria-label="No players: not online">
          –
        </span>
      ) : (
        <span>
          <span className="font-medium text-ink-1">{live.players.toLocaleString('en')}</span>
          <span className="text-ink-3"> / {live.max_players.toLocaleString('en')}</span>
          <span className="sr-only"> players</span>
          <Unconfirmed live={live} />
        </span>
      )}
      {graph}
    </span>
  )
}

const UNCONFIRMED = 'Not confirmed: something speaks against this number, so it does not lift the server on the list'

export function Unconfirmed({ live }: { live: NonNullable<Server['live']> }) {
  if (live.players_confirmed) return null
  return (
    // Over the link that covers a row.
    <span data-tip={UNCONFIRMED} className="relative ml-1 inline-block align-[-2px] text-warn">
      <CircleQuestionMark size={14} role="img" aria-label={UNCONFIRMED} />
    </span>
  )
}
