import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'

export type PreferencesRow = NonNullable<Awaited<ReturnType<typeof findPreferences>>>

export function findPreferences(db: Db, userId: string) {
  return db
    .selectFrom('preferences')
    .select(['language', 'time_zone', 'theme', 'notifications'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

export async function upsertPreferences(trx: Db, userId: string, { notifications, ...columns }: PreferencesRow): Promise<void> {
  const values = { ...columns, notifications: JSON.stringify(notifications) }
  await trx
    .insertInto('preferences')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ ...values, updated_at: sql<Date>`now()` }))
    .execute()
}
