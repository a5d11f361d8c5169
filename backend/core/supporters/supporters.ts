/** Supporters: webhook deliveries of payment providers decide which tier a user owns (docs/decisions/0014-benefits-and-supporters.md). */
import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { TIER_IDS, type TierId } from '#contract/benefits/benefits.ts'
import { lockMember, lockSupporter, lockUsers } from '#backend/platform/database/lock-order.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { anyOf } from '#backend/platform/database/sql.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { setOwnedTier } from '#backend/core/users/administration.ts'
import type { MembershipEvent } from './patreon.ts'

/**
 * A repeated delivery never gives a tier, and can end one only once, however late it arrives. Users who have never signed in get their tier when they do.
 * @param body the signed bytes.
 */
export async function applyDelivery(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  provider: string,
  body: Buffer,
  event: MembershipEvent,
): Promise<void> {
  const isApplied = await transaction(db, async (trx) => {
    if (!(await recordDelivery(trx, provider, body, event.kind))) return false
    await lockMember(trx, provider, event.memberId)
    const member = await trx
      .selectFrom('supporters')
      .select('discord_id')
      .where('provider', '=', provider)
      .where('member_id', '=', event.memberId)
      .executeTakeFirst()
    const previousDiscordId = member?.discord_id ?? null
    const discordId = nextDiscordId(previousDiscordId, event)
    const affectedIds = [...new Set([previousDiscordId, discordId])].filter((id) => id !== null).toSorted()
    for (const id of affectedIds) await lockSupporter(trx, id)
    // An unknown membership needs no deletion.
    if (member !== undefined || event.kind === 'update')
      await saveMember(trx, provider, event.memberId, { discord_id: discordId, tier: event.tier })
    await applyTiers(trx, affectedIds)
    return true
  })
  if (isApplied && event.unmappedTiers.length > 0) log.info({ provider, tiers: event.unmappedTiers }, 'supporter pays for unmapped tiers')
}

/**
 * Records the bytes and returns whether they may be applied. The signature covers the bytes but not the kind: they apply once as an update and
 * once as a deletion, and never as an update after a deletion.
 */
async function recordDelivery(trx: Db, provider: string, body: Buffer, kind: MembershipEvent['kind']): Promise<boolean> {
  if (kind === 'delete' && !(await insertDelivery(trx, provider, hash('sha256', Buffer.concat([Buffer.from('ends\0'), body]), 'buffer'))))
    return false
  const isNew = await insertDelivery(trx, provider, hash('sha256', body, 'buffer'))
  return isNew || kind === 'delete'
}

/**
 * The linked Discord account after a delivery. Without link information it stays. A deletion never links another account, because it may be a
 * replay of an old delivery. The next delivery without link information would then give that account the tier.
 */
function nextDiscordId(previousDiscordId: string | null, { kind, discordId }: MembershipEvent): string | null {
  if (discordId === undefined || discordId === previousDiscordId) return previousDiscordId
  return kind === 'delete' ? null : discordId
}

/** Sets the owned tier of those Discord accounts that have signed in. */
async function applyTiers(trx: Db, discordIds: readonly string[]): Promise<void> {
  const found = await trx.selectFrom('users').select('id').where('discord_id', '=', anyOf(discordIds)).execute()
  const users = await lockUsers(trx, Object.fromEntries(found.map(({ id }) => [id, 'update'])))
  for (const user of users.values()) await setOwnedTier(trx, user, await highestTier(trx, user.discord_id))
}

/** Gives a new user the tier of their memberships, in the transaction of their first sign-in. */
export async function grantSupporterTier(trx: Db, userId: string, discordId: string): Promise<void> {
  await setOwnedTier(trx, { id: userId, owned_tier: null }, await tierOfSupporter(trx, discordId))
}

/** Blocks deliveries about this account until the transaction ends. */
export async function tierOfSupporter(trx: Db, discordId: string): Promise<TierId | null> {
  await lockSupporter(trx, discordId)
  return highestTier(trx, discordId)
}

/** Over all memberships at all providers. */
async function highestTier(trx: Db, discordId: string): Promise<TierId | null> {
  const members = await trx.selectFrom('supporters').select('tier').where('discord_id', '=', discordId).execute()
  return TIER_IDS.findLast((id) => members.some(({ tier }) => tier === id)) ?? null
}

/** False if this digest is already stored. */
async function insertDelivery(trx: Db, provider: string, digest: Buffer): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('supporter_webhook_deliveries')
    .values({ provider, digest })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

async function saveMember(trx: Db, provider: string, id: string, state: { discord_id: string | null; tier: string | null }): Promise<void> {
  await trx
    .insertInto('supporters')
    .values({ provider, member_id: id, ...state })
    .onConflict((conflict) => conflict.columns(['provider', 'member_id']).doUpdateSet({ ...state, updated_at: sql<Date>`now()` }))
    .execute()
}

/** How long an ended membership, including the Discord id, is kept. */
const RETENTION_DAYS = 30

export async function deleteFormerSupporters({ db }: { readonly db: Db }): Promise<void> {
  const isOld = sql<boolean>`updated_at <= now() - make_interval(days => ${RETENTION_DAYS})`
  await db.deleteFrom('supporters').where('tier', 'is', null).where(isOld).execute()
}
