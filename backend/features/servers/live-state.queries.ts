/** What the list learned of a server by its announces, as far as changes of the server end it. The list writes it. */
import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'

/** Forgets the address that a server's credentials are bound to; the next announce binds again. Returns it, null where none was bound. */
export async function forgetAddress(trx: Db, publicId: string): Promise<string | null> {
  // All that the update takes, in their order, whether they are bound or not.
  const uses = await trx
    .selectFrom('credential_uses')
    .innerJoin('credentials', 'credentials.id', 'credential_uses.credential_id')
    .select(['issued_at', sql<string | null>`host(bound_address)`.as('address')])
    .where('server_id', '=', publicId)
    .orderBy('credential_id')
    .forUpdate('credential_uses')
    .execute()
  await trx
    .updateTable('credential_uses')
    .set({ bound_address: null, bound_at: null })
    .where('credential_id', 'in', (query) => query.selectFrom('credentials').select('id').where('server_id', '=', publicId))
    .execute()
  const bound = uses.filter((use) => use.address !== null)
  return bound.toSorted((one, other) => other.issued_at.getTime() - one.issued_at.getTime())[0]?.address ?? null
}

/** Forgets all of it, while the server still has its credentials: its next owner need not know from where the former one announced. */
export async function deleteLiveState(trx: Db, publicId: string): Promise<void> {
  await sql`
    delete from credential_uses where credential_id in (
      select x.credential_id from credential_uses x join credentials c on c.id = x.credential_id and c.server_id = ${publicId}
      order by x.credential_id for update of x)`.execute(trx)
  await trx.deleteFrom('presence').where('server_id', '=', publicId).execute()
  await trx.deleteFrom('announce_attempts').where('server_id', '=', publicId).execute()
}
