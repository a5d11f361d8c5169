import { CircleQuestionMark } from 'lucide-react'
import type { Server } from '#contract/servers.ts'

/** `37 / 128` over how full that is; a dash while nobody can be on. */
export function Players({ live }: { live: Server['live'] }) {
  if (live === null)
    return (
      <span className="text-ink-3" aria-label="No players: not online">
        –
      </span>
    )
  return (
    <span className="inline-flex flex-col gap-1 tabular-nums">
      <span>
        <span className="font-medium text-ink-1">{live.players.toLocaleString('en')}</span>
        <span className="text-ink-3"> / {live.max_players.toLocaleString('en')}</span>
        <Unconfirmed live={live} />
      </span>
      <meter
        value={live.players}
        max={live.max_players}
        aria-label={`${live.players.toLocaleString('en')} of ${live.max_players.toLocaleString('en')} players`}
        className="players-meter"
      />
    </span>
  )
}

const UNCONFIRMED = 'Not confirmed: something speaks against this number, so it does not lift the server on the list'

/** Beside a number of players that does not count; nothing beside one that does. */
export function Unconfirmed({ live }: { live: NonNullable<Server['live']> }) {
  if (live.players_confirmed) return null
  return (
    // Over the link that covers a row.
    <span data-tip={UNCONFIRMED} className="relative ml-1 inline-block align-[-2px] text-warn">
      <CircleQuestionMark size={14} role="img" aria-label={UNCONFIRMED} />
    </span>
  )
}
