/** Links that sign a locked-out user in, once. Only the command line makes them, and the table holds only their hash. */
import { hash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { lockUsers } from '#backend/platform/database/lock-order.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { isUuid } from '#backend/platform/database/uuid.ts'
import { invalid, orNotFound } from '#backend/platform/errors.ts'
import { BY_SYSTEM, bySelf, recordEvent } from '#backend/core/events/events.ts'
import { findUser } from '#backend/core/users/users.ts'

export const RECOVERY_PAGE = '/login/recovery'
const VALID_FOR = '1 hour'

const hashOf = (token: string) => hash('sha256', token, 'buffer')

/** A new link replaces the former one. Throws `not-found` for an unknown user. @param id the user's ID or Discord ID. @returns the token. */
export function createRecoveryLink(db: Db, id: string): Promise<{ token: string; username: string }> {
  return transaction(db, async (trx) => {
    const { id: userId, username } = orNotFound(await findUser(trx, isUuid(id) ? 'id' : 'discord_id', id), 'USER_NOT_FOUND')
    orNotFound((await lockUsers(trx, { [userId]: 'share' })).get(userId), 'USER_NOT_FOUND')
    const token = randomBytes(32).toString('base64url')
    const link = { token_hash: hashOf(token), created_at: sql<Date>`now()`, expires_at: sql<Date>`now() + ${VALID_FOR}::interval` }
    await trx
      .insertInto('recovery_links')
      .values({ user_id: userId, ...link })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(link))
      .execute()
    await recordEvent(trx, { action: 'RECOVERY_LINK_CREATED', ...BY_SYSTEM, ownerId: userId })
    return { token, username }
  })
}

/** Uses the link up and returns its user, whose row stays locked. Throws `invalid` if it is wrong, used, expired or replaced. */
export async function takeRecoveryLink(trx: Db, token: string): Promise<string> {
  const links = trx.selectFrom('recovery_links').select('user_id').where('token_hash', '=', hashOf(token))
  const userId = (await links.executeTakeFirst())?.user_id
  // Users are locked before what they hold.
  if (userId !== undefined) await lockUsers(trx, { [userId]: 'update' })
  const taken = await trx
    .deleteFrom('recovery_links')
    .where('token_hash', '=', hashOf(token))
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('user_id')
    .executeTakeFirst()
  if (taken === undefined) throw invalid('RECOVERY_LINK_INVALID')
  await trx
    .updateTable('users')
    .set({ signed_in_at: sql<Date>`now()` })
    .where('id', '=', taken.user_id)
    .execute()
  await recordEvent(trx, { action: 'RECOVERY_LINK_USED', ...bySelf(taken.user_id) })
  return taken.user_id
}
