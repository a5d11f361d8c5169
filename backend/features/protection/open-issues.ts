/** How many issues stand against somebody or something, for lists that show it in a column. */
import type { Db } from '#backend/platform/database/open.ts'
import { countOpen } from './open-issues.queries.ts'

/** Open and acknowledged issues by user id; who has none is not in it. */
export async function openIssuesOfUsers(db: Db, userIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  return byId(await countOpen(db, 'user_id', userIds))
}

/** The same by public id of the server. */
export async function openIssuesOfServers(db: Db, publicIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  return byId(await countOpen(db, 'server_id', publicIds))
}

function byId(rows: Awaited<ReturnType<typeof countOpen>>): ReadonlyMap<string, number> {
  return new Map(rows.map(({ of, count }) => [of, Number(count)]))
}
