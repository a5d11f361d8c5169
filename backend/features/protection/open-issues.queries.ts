import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'

export function countOpen(db: Db, column: 'user_id' | 'server_id', ids: readonly string[]) {
  const type = sql.raw(column === 'user_id' ? 'uuid' : 'text')
  return db
    .selectFrom('protection_issues')
    .select((q) => q.fn.countAll<string>().as('count'))
    .select(sql<string>`${sql.ref(column)}`.as('of'))
    .where(sql.ref(column), '=', sql<string>`any(${ids}::${type}[])`)
    .where('status', 'in', ['OPEN', 'ACKNOWLEDGED'])
    .groupBy(column)
    .execute()
}
