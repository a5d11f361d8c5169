/** Leaving: an account is set for deletion, and may be kept up to the moment it is due. What happens then: `account/erasure.ts`. */
import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { forbidden } from '#backend/platform/errors.ts'
import { bySelf, recordEvent } from '#backend/features/events/events.ts'
import { ensureAdministratorRemains } from './administration.ts'
import { clearDeletion, lockUser, updateUser } from './users.queries.ts'
import { lockActor } from './users.ts'

/** Sets an account for deletion and answers when it is due. The database's clock decides, the one that the erasure goes by. */
export function requestDeletion(db: Db, userId: string, delayHours: number): Promise<Date> {
  return transaction(db, async (trx) => {
    await ensureAdministratorRemains(trx, userId, userId, 'delete your account')
    await lockActor(trx, userId, 'update')
    const due = sql<Date>`now() + make_interval(secs => ${delayHours * 3600})`
    const { delete_at: deleteAt } = await updateUser(trx, userId, { delete_at: due })
    if (deleteAt === null) throw new Error('A deletion was set and is not there.')
    await recordEvent(trx, { action: 'ACCOUNT_DELETION_REQUESTED', ...bySelf(userId), after: { delete_at: deleteAt } })
    return deleteAt
  })
}

/** Takes a deletion back. Where there is none it does nothing; once it is due the erasure has the account. */
export function cancelDeletion(db: Db, userId: string): Promise<void> {
  return transaction(db, async (trx) => {
    const user = await lockUser(trx, userId, 'update')
    if (user === undefined) throw forbidden('You are not signed in.')
    if (user.banned) throw forbidden('Your account is banned.')
    if (user.delete_at === null) return
    if (!(await clearDeletion(trx, userId))) throw forbidden('The time to change your mind is over: your account is being erased.')
    const changed = { before: { delete_at: user.delete_at }, after: { delete_at: null } }
    await recordEvent(trx, { action: 'ACCOUNT_DELETION_CANCELLED', ...bySelf(userId), ...changed })
  })
}
