/**
 * Server transfers. A pending transfer (an offer) is a row. The transaction that deletes the row decides the one outcome: accepted, cancelled,
 * declined or expired. Users are locked before servers, servers before transfers.
 */
import { lockServer, lockUsers } from '#backend/platform/database/lock-order.ts'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { type NewTransfer, TRANSFER_DAYS } from '#contract/servers/transfers.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { isUuid } from '#backend/platform/database/uuid.ts'
import { translateViolations } from '#backend/platform/database/violation.ts'
import { conflict, forbidden, invalid, notFound, orNotFound } from '#backend/platform/errors.ts'
import { bySelf, recordEvent } from '#backend/core/events/events.ts'
import { requireServer, isPublicId } from '#backend/core/servers/server-access.ts'
import { transferServer } from '#backend/core/servers/server-changes.ts'
import { type ServerRow, rejectOverServerLimit } from '#backend/core/servers/servers.ts'
import { requireActor, isActive, lockActor } from '#backend/core/users/users.ts'
import { expireTransfersIn } from './withdrawal.ts'
import { type TransferRow, deleteOpenTransfer, findTransfer } from './transfers.queries.ts'

const transferNotFound = () => notFound('TRANSFER_NOT_FOUND')

/** Requests to transfer a server to another user. Throws `conflict` if it already has a pending transfer. */
export function offerServer(db: Db, userId: string, { token_id: publicId, user_id: toUserId }: NewTransfer): Promise<TransferRow> {
  const offer = () =>
    transaction(db, async (trx) => {
      const people = await lockUsers(trx, { [userId]: 'share', [toUserId]: 'share' })
      requireActor(people, userId)
      // Check the server first, so that offering another user's server reveals nothing about the recipient.
      const server = requireServer(isPublicId(publicId) ? await lockServer(trx, userId, publicId) : undefined, 'token_id')
      if (toUserId === userId) throw invalid('ALREADY_YOUR_SERVER').inField('user_id')
      const recipient = orNotFound(people.get(toUserId), 'USER_NOT_FOUND', 'user_id')
      if (!isActive(recipient)) throw invalid('RECIPIENT_INACTIVE').inField('user_id')
      await expireTransfersIn(trx, publicId)
      const id = uuidv7()
      const expires = sql<Date>`now() + make_interval(days => ${TRANSFER_DAYS})`
      const row = { id, server_id: publicId, from_user_id: userId, to_user_id: toUserId, expires_at: expires }
      await trx.insertInto('transfers').values(row).execute()
      await recordEvent(trx, { action: 'TRANSFER_OFFERED', ...bySelf(userId), otherId: toUserId, server })
      return getOffer(trx, userId, id)
    })
  return translateViolations(offer, {
    transfers_one_for_each_server: () => conflict('OFFER_EXISTS').inField('token_id'),
  })
}

/** A pending transfer from or to this user. Throws `not-found` for any other. */
async function getOffer(db: Db, userId: string, id: string): Promise<TransferRow> {
  const offer = isUuid(id) ? await findTransfer(db, id) : undefined
  if (offer === undefined || (offer.from_user_id !== userId && offer.to_user_id !== userId)) throw transferNotFound()
  return offer
}

/** Locks the server before its offer is deleted. Throws `not-found` if the server was transferred or deleted, which ends the offer. */
async function lockOfferedServer(trx: Db, offer: TransferRow): Promise<ServerRow> {
  return orNotFound(await lockServer(trx, offer.from_user_id, offer.server_id), 'TRANSFER_NOT_FOUND')
}

/** Moves the server to the recipient in one transaction, within the recipient's server limit. */
export function acceptTransfer(db: Db, userId: string, id: string): Promise<void> {
  return transaction(db, async (trx) => {
    const offer = await getOffer(trx, userId, id)
    const senderId = offer.from_user_id
    if (offer.to_user_id !== userId) throw forbidden('OFFER_FOR_RECIPIENT_ONLY')
    const people = await lockUsers(trx, { [userId]: 'update', [senderId]: 'share' })
    const recipient = requireActor(people, userId)
    // An offer stays valid while the deletion of the sender's account is pending, so that the server survives. A ban ends it.
    if (people.get(senderId)?.banned !== false) throw transferNotFound()
    const server = await lockOfferedServer(trx, offer)
    await rejectOverServerLimit(trx, recipient)
    if (!(await deleteOpenTransfer(trx, id))) throw transferNotFound()
    // Record before the move: subscribers need the former owner. They transfer the issues and remove the server from benefit settings.
    await recordEvent(trx, { action: 'TRANSFER_ACCEPTED', as: 'self', actorId: userId, ownerId: senderId, otherId: userId, server })
    await transferServer(trx, server, userId)
  })
}

export function cancelOrDeclineTransfer(db: Db, userId: string, id: string): Promise<void> {
  return transaction(db, async (trx) => {
    await lockActor(trx, userId, 'share')
    const offer = await getOffer(trx, userId, id)
    const server = await lockOfferedServer(trx, offer)
    if (!(await deleteOpenTransfer(trx, id))) throw transferNotFound()
    const action = offer.from_user_id === userId ? 'TRANSFER_CANCELLED' : 'TRANSFER_DECLINED'
    await recordEvent(trx, { action, as: 'self', actorId: userId, ownerId: offer.from_user_id, otherId: offer.to_user_id, server })
  })
}
