import type { Server } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'

export function PlayersMeter({ live }: { live: Server['live'] }) {
  if (live === null) return null
  const label = m.servers_admin_players_of({ players: formatNumber(live.players), max: formatNumber(live.max_players) })
  return <meter value={live.players} max={live.max_players} aria-label={label} className="players-meter" />
}
