import * as history from '#contract/history/history.ts'
import type { HistoryRange } from '#contract/history/history.ts'
import type { QueryOf } from '#contract/api/endpoint.ts'
import { statistics, summary } from '#contract/history/statistics.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { getAnyServer } from '#backend/core/servers/server-access.ts'
import { getOwnedOrManagedServer, listManagedServers, listServers } from '#backend/core/servers/servers.ts'
import type { RunningMasterList } from '#backend/masterlist/masterlist.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { lastDayOf } from './last-day.ts'
import { listServerEvents } from './server-events.ts'
import { listSeries, serverSeries, startOfRange } from './history.ts'
import { presentDay, presentEvents, presentList, presentServer } from './history.present.ts'
import { createListSummary } from './list-summary.ts'
import { createStatistics } from './statistics.ts'

type SeriesQuery = QueryOf<typeof history.ofServer>

export function bindHistory(bind: Bind, deps: Deps, { registry }: Pick<RunningMasterList, 'registry'>): void {
  const { db } = deps
  const show = async (row: { readonly public_id: string; readonly created_at: Date }, { range, weeks_ago }: SeriesQuery) => {
    const server = { publicId: row.public_id, createdAt: row.created_at.getTime() }
    return presentServer(range, await serverSeries(deps, server, range, weeks_ago === '1' ? 1 : 0))
  }
  const showEvents = async (row: { readonly public_id: string; readonly owner_id: string }, range: HistoryRange) => {
    const from = startOfRange(range, deps.clock.now())
    return presentEvents(from, await listServerEvents(db, row, new Date(from)))
  }

  bind(history.ofDay, async ({ caller }) => {
    const [own, managed] = await Promise.all([listServers(db, caller.userId), listManagedServers(db, caller.userId)])
    const publicIds = [...own, ...managed].slice(0, history.MAX_DAY_SERVERS).map((row) => row.public_id)
    return presentDay(await lastDayOf(deps, publicIds))
  })
  bind(history.ofServer, async ({ caller, params, query }) => show(await getOwnedOrManagedServer(db, caller.userId, params.id), query))
  bind(history.ofAdminServer, async ({ params, query }) => show(await getAnyServer(db, params.id), query))
  bind(history.eventsOfServer, async ({ caller, params, query }) =>
    showEvents(await getOwnedOrManagedServer(db, caller.userId, params.id), query.range),
  )
  bind(history.eventsOfAdminServer, async ({ params, query }) => showEvents(await getAnyServer(db, params.id), query.range))
  bind(history.ofList, async ({ query }) => presentList(query.range, await listSeries(deps, query.range)))
  bind(statistics, createStatistics(deps, registry))
  bind(summary, createListSummary(deps, registry))
}
