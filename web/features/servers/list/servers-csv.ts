/** Servers as a CSV file, in the order of the list. */
import { m } from '#messages'
import type { ShownServer } from '#web/features/servers/access.ts'
import { lastAnnounceAt, statusOf } from '#web/features/servers/status.ts'
import { toCsv } from '#web/lib/csv.ts'
import { localDay } from '#web/lib/local-minute.ts'
import { saveFile } from '#web/lib/save-file.ts'

/** Column names are stable, in English and for programs. Times are in UTC (ISO 8601). */
const COLUMNS = {
  id: ({ public_id: id }) => id,
  name: ({ name }) => name,
  owner: ({ owner }) => owner?.discord.username ?? null,
  status: (server) => statusOf(server).label,
  reason: (server) => statusOf(server).reason,
  listed: ({ listing }) => (listing.listed ? 'yes' : 'no'),
  players: ({ live }) => live?.players ?? null,
  max_players: ({ live }) => live?.max_players ?? null,
  address: ({ live }) => live?.address ?? null,
  version: ({ live }) => live?.version ?? null,
  language: ({ language }) => language,
  region: ({ region }) => region,
  game_mode: ({ game_mode: mode }) => mode,
  tags: ({ tags }) => tags.join(', '),
  group: ({ group }) => group?.name ?? null,
  vanity_id: ({ vanity_url: vanityId }) => vanityId,
  last_announce: (server) => lastAnnounceAt(server),
  created: ({ created_at: at }) => at,
} satisfies Record<string, (server: ShownServer) => string | number | null>

function serversCsv(servers: readonly ShownServer[]): string {
  return toCsv(
    Object.keys(COLUMNS),
    servers.map((server) => Object.values(COLUMNS).map((cell: (of: ShownServer) => string | number | null) => cell(server))),
  )
}

/** `servers-2026-11-24.csv`, with the date in the user's time zone. */
export function downloadServers(servers: readonly ShownServer[]): void {
  saveFile(serversCsv(servers), m.servers_list_csv_name({ day: localDay(Date.now()) }), 'text/csv')
}
