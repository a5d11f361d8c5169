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
