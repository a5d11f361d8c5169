/** Credentials, and what the master list learned by their announces. */
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#backend/platform/database/open.ts'
import type { Credential } from './credential.ts'

const now = sql<Date>`now()`

export async function insertCredential(trx: Db, publicId: string, { hash, hint }: Credential): Promise<void> {
  await trx.insertInto('credentials').values({ id: uuidv7(), server_id: publicId, hash, hint }).execute()
}

export async function revokeCredentials(db: Db, publicId: string): Promise<void> {
  await db.updateTable('credentials').set({ revoked_at: now }).where('server_id', '=', publicId).where('revoked_at', 'is', null).execute()
}

/** Lets revoked credentials go of their server: they stay only so that a late announce is told "revoked". */
export async function detachCredentials(trx: Db, publicId: string): Promise<void> {
  await trx.updateTable('credentials').set({ server_id: null, hint: '' }).where('server_id', '=', publicId).execute()
}

/** Lets the current credential live on beside a newer one. One that was in its grace already ends: two work at a time, never three. */
export async function startGracePeriod(db: Db, publicId: string, graceSeconds: number): Promise<void> {
  await db
    .updateTable('credentials')
    .set({
      revoked_at: sql<Date | null>`case when grace_until is not null then now() end`,
      grace_until: sql<Date>`coalesce(grace_until, now() + make_interval(secs => ${graceSeconds}))`,
    })
    .where('server_id', '=', publicId)
    .where('revoked_at', 'is', null)
    .execute()
}

export type CredentialRow = Awaited<ReturnType<typeof listWorkingCredentials>>[number]

/** The credentials that work now, newest first: one for each server, more while grace runs. */
export function listWorkingCredentials(db: Db, publicIds: readonly string[]) {
  return db
    .selectFrom('credentials')
    .leftJoin('credential_uses', 'credential_uses.credential_id', 'credentials.id')
    .select(['credentials.id', 'credentials.hint', 'credentials.issued_at', 'credentials.grace_until', 'bound_at', 'last_used_at'])
    .select(sql<string | null>`host(credential_uses.bound_address)`.as('bound_address'))
    .select(sql<string>`credentials.server_id`.as('server_id'))
    .where('server_id', '=', sql<string>`any(${publicIds}::text[])`)
    .where('revoked_at', 'is', null)
    .where((q) => q.or([q('grace_until', 'is', null), q('grace_until', '>', now)]))
    .orderBy(sql`grace_until is null`, 'desc')
    .orderBy('issued_at', 'desc')
    .execute()
}

/** Whoever still announces with an older credential has not looked at their server for half a year. */
const RETENTION_DAYS = 180

/** An announce with a forgotten credential is told that it was never issued. */
export async function deleteOldCredentials({ db }: { readonly db: Db }): Promise<void> {
  const endedLongAgo = sql<boolean>`coalesce(revoked_at, grace_until) < now() - make_interval(days => ${RETENTION_DAYS})`
  await db.deleteFrom('credentials').where(endedLongAgo).execute()
}

/** Forgets the address that a server's credentials are bound to; the next announce binds again. Returns it, null where none was bound. */
export async function clearBoundAddress(trx: Db, publicId: string): Promise<string | null> {
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
