import type { Server } from '#contract/servers.ts'

export function PlayersMeter({ live }: { live: Server['live'] }) {
  if (live === null) return null
  const said = `${live.players.toLocaleString('en')} of ${live.max_players.toLocaleString('en')} players`
  return <meter value={live.players} max={live.max_players} aria-label={said} className="players-meter" />
}
