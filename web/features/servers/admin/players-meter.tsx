import type { Server } from '#contract/servers.ts'
import { m } from '#messages'

export function PlayersMeter({ live }: { live: Server['live'] }) {
  if (live === null) return null
  const label = m.servers_admin_players_of({ players: live.players.toLocaleString('en'), max: live.max_players.toLocaleString('en') })
  return <meter value={live.players} max={live.max_players} aria-label={label} className="players-meter" />
}
