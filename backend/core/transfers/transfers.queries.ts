import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import { appliesToServer } from '#backend/core/benefits/settings-scope.ts'

export const isOpen = sql<boolean>`transfers.expires_at > now()`

/** Whether benefit settings of the sender (banner, join background, launcher) apply to the server. They stay with the sender. */
const hasBenefitSettings = sql<boolean>`exists (
  select from benefit_settings b where b.user_id = transfers.from_user_id and ${appliesToServer('transfers.server_id')})`

export type TransferRow = Awaited<ReturnType<typeof listTransfersOf>>[number]

/** An offer expires at the latest when the sender's account is erased. */
const endsAt = sql<Date>`least(transfers.expires_at, sender.delete_at)`

function openTransfers(db: Db) {
  return db
    .selectFrom('transfers')
    .innerJoin('servers', 'servers.public_id', 'transfers.server_id')
    .innerJoin('users as sender', 'sender.id', 'transfers.from_user_id')
    .leftJoin('images as icon', 'icon.id', 'servers.icon_image_id')
    .selectAll('transfers')
    .select([endsAt.as('ends_at'), hasBenefitSettings.as('has_benefit_settings')])
    .select([
      'servers.name',
      'servers.vanity_url',
      'servers.promoted',
      'servers.banned',
      'servers.group_id',
      'servers.icon_image_id',
      'icon.file as icon_file',
    ])
    .where(isOpen)
}

export function listTransfersOf(db: Db, userId: string) {
  return openTransfers(db)
    .where((q) => q.or([q('from_user_id', '=', userId), q('to_user_id', '=', userId)]))
    .orderBy('transfers.created_at')
    .orderBy('transfers.id')
    .execute()
}

export function findTransfer(db: Db, id: string) {
  return openTransfers(db).where('transfers.id', '=', id).executeTakeFirst()
}

/** False if the offer is no longer open. */
export async function deleteOpenTransfer(trx: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('transfers').where('id', '=', id).where(isOpen).executeTakeFirst()
  return numDeletedRows === 1n
}
