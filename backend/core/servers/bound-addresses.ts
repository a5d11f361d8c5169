/** The addresses that a server's credentials are bound to: at most one of each family (`credential_addresses`). */
import { sql } from 'kysely'
import { lockServer } from '#backend/platform/database/lock-order.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { familyOf } from '#backend/platform/http/client-address.ts'
import { BY_SYSTEM, recordEvent } from '#backend/core/events/events.ts'

export interface Move {
  readonly ownerId: string
  readonly publicId: string
  readonly credentialId: string
  /** The address that is bound. */
  readonly from: string
  /** Of the same family. */
  readonly to: string
}

/**
 * Moves a binding to another address, if the server's policy is `follow` and the binding is still as it was. Returns how often it moved within
 * 24 hours, this time included; undefined if nothing moved.
 */
export function moveAddress(db: Db, { ownerId, publicId, credentialId, from, to }: Move, now: Date): Promise<number | undefined> {
  return transaction(db, async (trx) => {
    const server = await lockServer(trx, ownerId, publicId)
    if (server?.address_policy !== 'follow' || server.banned) return undefined
    const moved = await trx
      .updateTable('credential_addresses')
      .set({ address: to, bound_at: now })
      .where('credential_id', '=', (query) =>
        query
          .selectFrom('credentials')
          .select('id')
          .where('id', '=', credentialId)
          .where('server_id', '=', publicId)
          .where('revoked_at', 'is', null),
      )
      .where('address', '=', from)
      .returning('credential_id')
      .executeTakeFirst()
    if (moved === undefined) return undefined
    const change = { before: { bound_address: from }, after: { family: familyOf(to), bound_address: to } }
    await recordEvent(trx, { action: 'ADDRESS_MOVED', ...BY_SYSTEM, ownerId, server, ...change })
    return countMoves(trx, publicId)
  })
}

async function countMoves(trx: Db, publicId: string): Promise<number> {
  const { moves } = await trx
    .selectFrom('activity')
    .select(sql<number>`count(*)::integer`.as('moves'))
    .where('server_id', '=', publicId)
    .where('action', '=', 'ADDRESS_MOVED')
    .where(sql<boolean>`at > now() - interval '24 hours'`)
    .executeTakeFirstOrThrow()
  return moves
}

/** Clears the bound addresses of a server's credentials. Returns those of the newest one that has any, the first bound first. */
export async function clearBoundAddresses(trx: Db, publicId: string): Promise<string[]> {
  // Locks every row that the deletion touches, in one order, so that two calls can't deadlock.
  const bound = await trx
    .selectFrom('credential_addresses as a')
    .innerJoin('credentials as c', 'c.id', 'a.credential_id')
    .select(['a.credential_id', 'c.issued_at', 'a.bound_at', sql<string>`host(a.address)`.as('address')])
    .where('c.server_id', '=', publicId)
    .orderBy('a.credential_id')
    .orderBy('a.family')
    .forUpdate('a')
    .execute()
  await trx
    .deleteFrom('credential_addresses')
    .where('credential_id', 'in', (query) => query.selectFrom('credentials').select('id').where('server_id', '=', publicId))
    .execute()
  const newest = bound.toSorted((one, other) => other.issued_at.getTime() - one.issued_at.getTime()).at(0)?.credential_id
  return bound
    .filter((row) => row.credential_id === newest)
    .toSorted((one, other) => one.bound_at.getTime() - other.bound_at.getTime())
    .map((row) => row.address)
}
