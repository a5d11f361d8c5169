import { lockServer } from '#backend/platform/database/lock-order.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { BY_SYSTEM, recordEvent } from '#backend/core/events/events.ts'
import { hashCredential } from './credential.ts'
import { revokeWorkingCredential } from './credentials.queries.ts'

/**
 * Revokes a credential that was found in public, and tells the server's owner where. Another credential in its grace period goes on.
 * @returns whether Muster issued this credential; also true if it no longer worked.
 */
export function revokeLeakedCredential(db: Db, text: string, place: Readonly<Record<string, string>>): Promise<boolean> {
  return transaction(db, async (trx) => {
    const hash = hashCredential(text)
    const found = await trx
      .selectFrom('credentials')
      .leftJoin('servers', 'servers.public_id', 'credentials.server_id')
      .select(['servers.public_id', 'servers.owner_id'])
      .where('hash', '=', hash)
      .executeTakeFirst()
    if (found === undefined) return false
    const { public_id: publicId, owner_id: ownerId } = found
    // The server has no owner left if it was deleted. A transfer that comes first has revoked the credential.
    const row = publicId === null || ownerId === null ? undefined : await lockServer(trx, ownerId, publicId)
    const hint = row && (await revokeWorkingCredential(trx, row.public_id, hash))
    if (row !== undefined && hint !== undefined)
      await recordEvent(trx, {
        action: 'CREDENTIAL_LEAKED',
        ...BY_SYSTEM,
        ownerId: row.owner_id,
        server: row,
        after: { leaked_hint: hint, ...place },
      })
    return true
  })
}
