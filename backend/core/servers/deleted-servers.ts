/**
 * The bin: a deleted server can be restored for `BIN_DAYS`, then a job deletes it for good (docs/decisions/0019). A full bin makes room by
 * deleting its oldest server.
 */
import { lockUsers } from '#backend/platform/database/lock-order.ts'
import { sql } from 'kysely'
import { BIN_DAYS, MIN_BIN_SERVERS } from '#contract/servers/bin-days.ts'
import type { DeletedServer } from '#contract/servers/deleted-servers.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { allOf } from '#backend/platform/database/sql.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { forbidden, orNotFound } from '#backend/platform/errors.ts'
import { RetryLater } from '#backend/platform/retry-later.ts'
import { BY_SYSTEM, bySelf, recordEvent } from '#backend/core/events/events.ts'
import { type UserRow, allowanceOf, lockActor } from '#backend/core/users/users.ts'
import { applyRememberedBan } from './bans.ts'
import { translateUniqueViolations } from './fields.ts'
import { findRememberedBanByName } from './remembered-bans.ts'
import { isPublicId } from './server-access.ts'
import { type ServerRow, tallyServers } from './servers.queries.ts'
import { findVanityRejection, rejectTakenVanityId } from './vanity.ts'

const inBin = (db: Db) =>
  db
    .selectFrom('deleted_servers')
    .selectAll()
    .select(sql<Date>`deleted_at + make_interval(days => ${BIN_DAYS})`.as('restorable_until'))

const isDue = sql<boolean>`deleted_at <= now() - make_interval(days => ${BIN_DAYS})`

type DeletedRow = Awaited<ReturnType<typeof listDeletedServers>>[number]

/** The owner's deleted servers that they can restore, newest first. */
export function listDeletedServers(db: Db, ownerId: string) {
  const ofOwner = inBin(db)
    .where('owner_id', '=', ownerId)
    .where(sql<boolean>`not ${isDue}`)
  return ofOwner.orderBy('deleted_at', 'desc').orderBy('public_id').execute()
}

export function presentDeletedServer(row: DeletedRow): DeletedServer {
  return { ...row, deleted_at: row.deleted_at.toISOString(), restorable_until: row.restorable_until.toISOString() }
}

/**
 * Restores a deleted server within its owner's limit. It has no credential. It loses its vanity ID if the owner gave that to another server,
 * and its promotion if they promote another. Throws `not-found` and `forbidden`.
 */
export function restoreServer(db: Db, ownerId: string, publicId: string): Promise<ServerRow> {
  const restore = async (trx: Db) => {
    const owner = await lockActor(trx, ownerId, 'update')
    const found = isPublicId(publicId) ? await lockDeletedServer(trx, ownerId, publicId) : undefined
    const deleted = orNotFound(found, 'DELETED_SERVER_NOT_FOUND')
    const [max, { count, hasPromoted }] = [allowanceOf(owner).servers, await tallyServers(trx, ownerId)]
    if (count >= max) throw forbidden('RESTORE_OVER_LIMIT', { max })
    const row = await takeOutOfBin(trx, publicId, {
      vanity_url: await findFreeVanityId(trx, deleted),
      promoted: deleted.promoted && !hasPromoted,
    })
    if (row.vanity_url !== null) await rejectTakenVanityId(trx, row.vanity_url, ownerId)
    await recordEvent(trx, { action: 'SERVER_RESTORED', ...bySelf(ownerId), server: row })
    return applyRememberedBan(trx, row, await findRememberedBanByName(trx, ownerId, row.name))
  }
  return translateUniqueViolations(() => transaction(db, restore))
}

function lockDeletedServer(trx: Db, ownerId: string, publicId: string) {
  return trx
    .selectFrom('deleted_servers')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('public_id', '=', publicId)
    .where(sql<boolean>`not ${isDue}`)
    .forUpdate()
    .executeTakeFirst()
}

function takeOutOfBin(trx: Db, publicId: string, columns: Pick<ServerRow, 'vanity_url' | 'promoted'>) {
  return trx
    .updateTable('all_servers')
    .set({ ...columns, deleted_at: null, last_deleted_at: sql<Date>`deleted_at`, updated_at: sql<Date>`now()` })
    .where('public_id', '=', publicId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

async function findFreeVanityId(trx: Db, { vanity_url: id, owner_id: ownerId }: ServerRow): Promise<string | null> {
  if (id === null) return null
  const isUsed = (await trx.selectFrom('servers').select('public_id').where('vanity_url', '=', id).executeTakeFirst()) !== undefined
  return isUsed || (await findVanityRejection(trx, id, ownerId)) !== undefined ? null : id
}

const BATCH = 100

/** Creates the job that deletes servers for good once their time in the bin is over (app/jobs.ts). */
export function createPurge(deps: Pick<Deps, 'db' | 'clock' | 'log'>): () => Promise<void> {
  const { db } = deps
  const retries = new RetryLater(deps)
  return async () => {
    const due = await inBin(db).where(isDue).where('public_id', '<>', allOf(retries.postponed)).orderBy('deleted_at').limit(BATCH).execute()
    for (const { public_id: publicId, owner_id: ownerId } of due)
      await retries.run(
        publicId,
        () => purge(db, ownerId, publicId),
        'purge of a deleted server failed, will retry',
        'deleted server purged',
      )
  }
}

/** Does nothing if another node has purged the server. */
function purge(db: Db, ownerId: string, publicId: string): Promise<void> {
  return transaction(db, async (trx) => {
    await lockUsers(trx, { [ownerId]: 'update' })
    const server = await trx
      .selectFrom('deleted_servers')
      .selectAll()
      .where('public_id', '=', publicId)
      .where(isDue)
      .forUpdate()
      .executeTakeFirst()
    if (server !== undefined) await deleteForGood(trx, server)
  })
}

async function deleteForGood(trx: Db, server: ServerRow): Promise<void> {
  await recordEvent(trx, { action: 'SERVER_PURGED', ...BY_SYSTEM, ownerId: server.owner_id, server })
  await trx.deleteFrom('all_servers').where('public_id', '=', server.public_id).execute()
}

/** Deletes the oldest servers of a bin that is over its limit, except the one that was just deleted. Lock the owner for update first. */
export async function makeRoomInBin(trx: Db, owner: UserRow, newPublicId: string): Promise<void> {
  const max = Math.max(MIN_BIN_SERVERS, allowanceOf(owner).servers)
  const excess = await trx
    .selectFrom('deleted_servers')
    .selectAll()
    .where('owner_id', '=', owner.id)
    .where('public_id', '<>', newPublicId)
    .orderBy('deleted_at', 'desc')
    .orderBy('public_id')
    .offset(max - 1)
    .execute()
  for (const server of excess) await deleteForGood(trx, server)
}
