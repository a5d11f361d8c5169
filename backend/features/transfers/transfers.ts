/**
 * Handing a server over. An offer is a row; whoever deletes it decided how it ends, so of accept, cancel, decline and lapse exactly one
 * happens. People are held before servers, servers before offers.
 */
import { v7 as uuidv7 } from 'uuid'
import type { Action } from '#contract/activity.ts'
import type { NewTransfer } from '#contract/transfers.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { isUuid } from '#backend/platform/database/uuid.ts'
import { isViolation } from '#backend/platform/database/violation.ts'
import { conflict, forbidden, invalid, notFound } from '#backend/platform/errors.ts'
import { recordEvent } from '#backend/features/events/events.ts'
import { holdServerOf } from '#backend/features/servers/holding.ts'
import { giveServer } from '#backend/features/servers/server-changes.ts'
import { countServers, limitReached, lockServer } from '#backend/features/servers/servers.ts'
import { actorOf, allowanceOf, isPresent, lockActor, lockPeople } from '#backend/features/users/users.ts'
import { lapseIn } from './withdrawal.ts'
import { type TransferRow, closeTransfer, findTransfer, insertTransfer } from './transfers.queries.ts'

const noTransfer = () => notFound('transfer; it may have been accepted, cancelled or have lapsed')

/** Offers one's server to somebody. Throws `conflict` where it is on offer already. */
export async function offerServer(db: Db, userId: string, { token_id: publicId, user_id: toUserId }: NewTransfer): Promise<TransferRow> {
  const id = uuidv7()
  try {
    return await transaction(db, async (trx) => {
      const people = await lockPeople(trx, { id: userId, how: 'share' }, { id: toUserId, how: 'share' })
      actorOf(people, userId)
      // Whose server it is comes first: who offers what is not his learns nothing about the recipient.
      const row = await holdServerOf(trx, userId, publicId)
      if (toUserId === userId) throw invalid('This server is yours already. Offer it to somebody else.')
      const recipient = people.get(toUserId)
      if (recipient === undefined) throw notFound('user')
      if (!isPresent(recipient)) throw invalid("This person can't take over servers at the moment. Offer it to somebody else.")
      await lapseIn(trx, publicId)
      await insertTransfer(trx, { id, serverId: publicId, from: userId, to: toUserId })
      await recordEvent(trx, { action: 'TRANSFER_OFFERED', as: 'self', actorId: userId, ownerId: userId, otherId: toUserId, server: row })
      return mustFind(trx, id)
    })
  } catch (error) {
    if (isViolation(error, 'transfers_one_for_each_server')) throw conflict('This server is on offer already. Cancel that offer first.')
    throw error
  }
}

async function mustFind(trx: Db, id: string): Promise<TransferRow> {
  const offer = await findTransfer(trx, id)
  if (offer === undefined) throw noTransfer()
  return offer
}

/** An open offer from or to this person; anybody else's does not exist. */
async function offerOf(db: Db, userId: string, id: string): Promise<TransferRow> {
  const offer = isUuid(id) ? await findTransfer(db, id) : undefined
  if (offer === undefined || (offer.from_user_id !== userId && offer.to_user_id !== userId)) throw noTransfer()
  return offer
}

/** Holds the server of an offer before the offer itself is touched; where it moved or went, the offer is over. */
async function holdOffered(trx: Db, offer: TransferRow): Promise<{ public_id: string; name: string }> {
  const row = await lockServer(trx, offer.from_user_id, offer.server_id)
  if (row === undefined) throw noTransfer()
  return { public_id: row.public_id, name: row.name }
}

/** Moves the server to its recipient, inside his limit, in one transaction. */
export function acceptTransfer(db: Db, userId: string, id: string): Promise<void> {
  return transaction(db, async (trx) => {
    const offer = await offerOf(trx, userId, id)
    if (offer.to_user_id !== userId) throw forbidden('Only the recipient can accept an offer. You can cancel it.')
    const people = await lockPeople(trx, { id: userId, how: 'update' }, { id: offer.from_user_id, how: 'share' })
    const recipient = actorOf(people, userId)
    // A sender may be leaving: this is how his server stays. One who was banned gives nothing away.
    if (people.get(offer.from_user_id)?.banned !== false) throw noTransfer()
    const server = await holdOffered(trx, offer)
    const most = allowanceOf(recipient).servers
    if ((await countServers(trx, userId)) >= most) throw forbidden(limitReached(most))
    if (!(await closeTransfer(trx, id))) throw noTransfer()
    // Before it moves: what ends with its former owner ends first.
    await recordEvent(trx, {
      action: 'TRANSFER_ACCEPTED',
      as: 'self',
      actorId: userId,
      ownerId: offer.from_user_id,
      otherId: userId,
      server,
    })
    await giveServer(trx, offer.server_id, userId)
  })
}

/** Takes an offer back, or declines it. */
export function endTransfer(db: Db, userId: string, id: string): Promise<void> {
  return transaction(db, async (trx) => {
    await lockActor(trx, userId, 'share')
    const offer = await offerOf(trx, userId, id)
    const server = await holdOffered(trx, offer)
    if (!(await closeTransfer(trx, id))) throw noTransfer()
    const isSender = offer.from_user_id === userId
    const action: Action = isSender ? 'TRANSFER_CANCELLED' : 'TRANSFER_DECLINED'
    await recordEvent(trx, { action, as: 'self', actorId: userId, ownerId: offer.from_user_id, otherId: offer.to_user_id, server })
  })
}
