/** Servers as a CSV file, in the order of the list. */
import { SERVER_FIELD_NAMES, type ServerFieldName, serverField } from '#contract/servers/server-field-shapes.ts'
import { m } from '#messages'
import type { ShownServer } from '#web/features/servers/access.ts'
import { lastAnnounceAt, statusOf } from '#web/features/servers/status.ts'
import { type Cell, downloadCsv } from '#web/lib/csv.ts'

type Columns = Readonly<Record<string, (server: ShownServer) => Cell>>

const FIELD_COLUMNS: Columns = Object.fromEntries(
  SERVER_FIELD_NAMES.flatMap((name) => {
    const { csv, control } = serverField(name)
    const cell = (server: ShownServer) => (control === 'group' ? (server.group?.name ?? null) : cellOf(server[name]))
    return csv === null || name === 'name' ? [] : [[csv, cell]]
  }),
)

function cellOf(value: ShownServer[ServerFieldName]): Cell {
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : value
}

/** Times are in UTC (ISO 8601). */
const COLUMNS: Columns = {
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

export const downloadServers = (servers: readonly ShownServer[]) => downloadCsv(servers, COLUMNS, m.servers_list_csv_name)
