import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'

/** People with what is granted to them and how many servers they have. */
export function listUserRows(db: Db, ids: readonly string[]) {
  return db
    .selectFrom('users as u')
    .selectAll('u')
    .select(sql<string[]>`array(select key from benefit_grants b where b.user_id = u.id)`.as('grants'))
    .select(sql<string>`(select count(*) from servers s where s.owner_id = u.id)`.as('servers'))
    .where('u.id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}
