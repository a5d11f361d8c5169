/** Schedules and cancels the deletion of an account. `account/erasure.ts` erases it when it is due. */
import { sql } from 'kysely'
import { lockUsers } from '#backend/platform/database/lock-order.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { forbidden } from '#backend/platform/errors.ts'
import { bySelf, recordEvent } from '#backend/core/events/events.ts'
import { ensureAdministratorRemains } from './administration.ts'
import { lockActor, updateUser } from './users.ts'

/** Schedules an account's deletion and returns when it is due, by the database's clock, which the erasure uses too. */
export function requestDeletion(db: Db, userId: string, delayHours: number): Promise<Date> {
  return transaction(db, async (trx) => {
    await ensureAdministratorRemains(trx, userId, userId, 'LAST_ADMINISTRATOR_DELETION')
    await lockActor(trx, userId, 'update')
    const due = sql<Date>`now() + make_interval(secs => ${delayHours * 3600})`
    const { delete_at: deleteAt } = await updateUser(trx, userId, { delete_at: due })
    if (deleteAt === null) throw new Error('the update returned no deletion time')
    await recordEvent(trx, { action: 'ACCOUNT_DELETION_REQUESTED', ...bySelf(userId), after: { delete_at: deleteAt } })
    return deleteAt
  })
}

/** Cancels a scheduled deletion. Does nothing without one. Throws `forbidden` once it is due. */
export function cancelDeletion(db: Db, userId: string): Promise<void> {
  return transaction(db, async (trx) => {
    const user = (await lockUsers(trx, { [userId]: 'update' })).get(userId)
    if (user === undefined) throw forbidden('NOT_SIGNED_IN')
    if (user.banned) throw forbidden('ACCOUNT_BANNED')
    if (user.delete_at === null) return
    const { numUpdatedRows } = await trx
      .updateTable('users')
      .set({ delete_at: null, updated_at: sql<Date>`now()` })
      .where('id', '=', userId)
      .where('delete_at', '>', sql<Date>`now()`)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw forbidden('DELETION_STARTED')
    const changed = { before: { delete_at: user.delete_at }, after: { delete_at: null } }
    await recordEvent(trx, { action: 'ACCOUNT_DELETION_CANCELLED', ...bySelf(userId), ...changed })
  })
}
