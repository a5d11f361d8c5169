/** SQL for credentials and for the live state that announces with them produced. */
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { BoundAddress } from '#contract/servers/servers.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { anyOf, now } from '#backend/platform/database/sql.ts'
import type { Credential } from './credential.ts'

export async function insertCredential(trx: Db, publicId: string, { hash, hint }: Credential): Promise<void> {
  await trx.insertInto('credentials').values({ id: uuidv7(), server_id: publicId, hash, hint }).execute()
}

export async function revokeCredentials(db: Db, publicId: string): Promise<void> {
  await db.updateTable('credentials').set({ revoked_at: now }).where('server_id', '=', publicId).where('revoked_at', 'is', null).execute()
}

/** Revokes one credential and returns its hint; undefined if it does not work for this server any more. */
export async function revokeWorkingCredential(trx: Db, publicId: string, hash: Buffer): Promise<string | undefined> {
  const revoked = await trx
    .updateTable('credentials')
    .set({ revoked_at: now })
    .where('hash', '=', hash)
    .where('server_id', '=', publicId)
    .where('revoked_at', 'is', null)
    .where((q) => q.or([q('grace_until', 'is', null), q('grace_until', '>', now)]))
    .returning('hint')
    .executeTakeFirst()
  return revoked?.hint
}

/** Keeps the current credential valid beside a newer one. Revokes one that is already in its grace period: at most two work at a time. */
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

/** The valid credentials, newest first: one per server, two during a grace period. */
export function listWorkingCredentials(db: Db, publicIds: readonly string[]) {
  return db
    .selectFrom('credentials')
    .leftJoin('credential_uses', 'credential_uses.credential_id', 'credentials.id')
    .select(['credentials.id', 'credentials.hint', 'credentials.issued_at', 'credentials.grace_until', 'last_used_at'])
    .select(
      sql<BoundAddress[] | null>`(
        select json_agg(json_build_object('family', 'ipv' || a.family, 'address', host(a.address), 'bound_at', a.bound_at) order by a.bound_at, a.family)
        from credential_addresses a where a.credential_id = credentials.id)`.as('bound_addresses'),
    )
    .select(sql<string>`credentials.server_id`.as('server_id'))
    .where('server_id', '=', anyOf(publicIds))
    .where('revoked_at', 'is', null)
    .where((q) => q.or([q('grace_until', 'is', null), q('grace_until', '>', now)]))
    .orderBy(sql`grace_until is null`, 'desc')
    .orderBy('issued_at', 'desc')
    .execute()
}

/** A game server that still uses an older credential has been unattended for half a year. */
const RETENTION_DAYS = 180

/** After this, an announce with such a credential is rejected as "never issued". */
export async function deleteOldCredentials({ db }: { readonly db: Db }): Promise<void> {
  const isOld = sql<boolean>`coalesce(revoked_at, grace_until) < now() - make_interval(days => ${RETENTION_DAYS})`
  await db.deleteFrom('credentials').where(isOld).execute()
}
