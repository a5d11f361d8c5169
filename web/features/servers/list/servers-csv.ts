/** Servers as a CSV file, in the order of the list. */
import { SERVER_FIELD_NAMES, type ServerFieldName, serverField } from '#contract/servers/server-field-shapes.ts'
import { m } from '#messages'
import type { ShownServer } from '#web/features/servers/access.ts'
import { lastAnnounceAt, statusOf } from '#web/features/servers/status.ts'
import { toCsv } from '#web/lib/csv.ts'
import { localDay } from '#web/lib/local-minute.ts'
import { saveFile } from '#web/lib/save-file.ts'

type Cell = (server: ShownServer) => string | number | null

const FIELD_COLUMNS: Readonly<Record<string, Cell>> = Object.fromEntries(
  SERVER_FIELD_NAMES.flatMap((name) => {
    const { csv, control } = serverField(name)
    const cell: Cell = (server) => (control === 'group' ? (server.group?.name ?? null) : cellOf(server[name]))
    return csv === null || name === 'name' ? [] : [[csv, cell]]
  }),
)

function cellOf(value: ShownServer[ServerFieldName]): ReturnType<Cell> {
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : value
}

/** Column names are stable, in English and for programs. Times are in UTC (ISO 8601). */
const COLUMNS: Readonly<Record<string, Cell>> = {
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
  ...FIELD_COLUMNS,
  last_announce: (server) => lastAnnounceAt(server),
  created: ({ created_at: at }) => at,
}

function serversCsv(servers: readonly ShownServer[]): string {
  return toCsv(
    Object.keys(COLUMNS),
    servers.map((server) => Object.values(COLUMNS).map((cell) => cell(server))),
  )
}

/** `servers-2026-11-24.csv`, with the date in the user's time zone. */
export function downloadServers(servers: readonly ShownServer[]): void {
  saveFile(serversCsv(servers), m.servers_list_csv_name({ day: localDay(Date.now()) }), 'text/csv')
}
