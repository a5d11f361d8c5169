import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'

/** False if this digest is already stored. */
export async function insertDelivery(trx: Db, provider: string, digest: Buffer): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('supporter_webhook_deliveries')
    .values({ provider, digest })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export function findMember(trx: Db, provider: string, memberId: string) {
  return trx
    .selectFrom('supporters')
    .select(['discord_id', 'tier'])
    .where('provider', '=', provider)
    .where('member_id', '=', memberId)
    .executeTakeFirst()
}

export async function saveMember(
  trx: Db,
  member: { provider: string; member_id: string; discord_id: string | null; tier: string | null },
): Promise<void> {
  const { discord_id, tier } = member
  await trx
    .insertInto('supporters')
    .values(member)
    .onConflict((conflict) => conflict.columns(['provider', 'member_id']).doUpdateSet({ discord_id, tier, updated_at: sql<Date>`now()` }))
    .execute()
}

/** How long an ended membership, including the Discord id, is kept. */
const RETENTION_DAYS = 30

export async function deleteFormerSupporters({ db }: { readonly db: Db }): Promise<void> {
  const isOld = sql<boolean>`updated_at <= now() - make_interval(days => ${RETENTION_DAYS})`
  await db.deleteFrom('supporters').where('tier', 'is', null).where(isOld).execute()
}

/** The tiers of all memberships of a Discord account. */
export async function listTiers(trx: Db, discordId: string): Promise<string[]> {
  const rows = await trx.selectFrom('supporters').select('tier').where('discord_id', '=', discordId).where('tier', 'is not', null).execute()
  return rows.flatMap(({ tier }) => tier ?? [])
}

/** Omits Discord accounts that never signed in here. */
export function listUsersByDiscordIds(trx: Db, discordIds: readonly string[]) {
  return trx
    .selectFrom('users')
    .select(['id', 'discord_id'])
    .where('discord_id', '=', sql<string>`any(${discordIds}::text[])`)
    .execute()
}
