/** Supporters: a provider's notices decide which tier people own here (docs/decisions/0014-benefits-and-supporters.md). */
import { hash } from 'node:crypto'
import { TIER_IDS, type TierId } from '#contract/benefits.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { setOwnedTier } from '#backend/features/users/administration.ts'
import { lockUsers } from '#backend/features/users/users.ts'
import type { MembershipEvent } from './provider.ts'
import {
  findMember,
  insertDelivery,
  listTiers,
  listUsersByDiscordIds,
  lockMember,
  lockSupporter,
  saveMember,
} from './supporters.queries.ts'

export { deleteFormerSupporters } from './supporters.queries.ts'

/**
 * Takes a notice in, once: the same one again changes nothing, however late it comes. @param body the bytes that were signed.
 * Somebody who never signed in here gets their tier when they do.
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
    const member = await findMember(trx, provider, event.memberId)
    const previousDiscordId = member?.discord_id ?? null
    const discordId = nextDiscordId(previousDiscordId, event)
    const affectedIds = [...new Set([previousDiscordId, discordId])].filter((id) => id !== null).toSorted()
    for (const id of affectedIds) await lockSupporter(trx, id)
    // What nobody knew needs no end.
    if (member !== undefined || event.kind === 'update')
      await saveMember(trx, { provider, member_id: event.memberId, discord_id: discordId, tier: event.tier })
    await applyTiers(trx, affectedIds)
    return true
  })
  if (isApplied && event.unmappedTiers.length > 0)
    log.info({ provider, tiers: event.unmappedTiers }, 'A supporter pays for tiers that are none of ours: the configuration can map them.')
}

/**
 * Whether these bytes may still count. Only the bytes are signed, not their kind: they count once as a statement and once as an end, and no
 * more as a statement after they ended something.
 */
async function recordDelivery(trx: Db, provider: string, body: Buffer, kind: MembershipEvent['kind']): Promise<boolean> {
  if (kind === 'delete' && !(await insertDelivery(trx, provider, hash('sha256', Buffer.concat([Buffer.from('ends\0'), body]), 'buffer'))))
    return false
  const isNew = await insertDelivery(trx, provider, hash('sha256', body, 'buffer'))
  return isNew || kind === 'delete'
}

/**
 * Whose a membership is after a notice. One that says nothing of the link leaves it as it was. An end links it to nobody new: it may be an
 * old notice sent again, and the next one that says nothing of the link would give them the tier.
 */
function nextDiscordId(previousDiscordId: string | null, { kind, discordId }: MembershipEvent): string | null {
  if (discordId === undefined || discordId === previousDiscordId) return previousDiscordId
  return kind === 'delete' ? null : discordId
}

/** Gives these Discord accounts the tier they support with, as far as they have signed in. */
async function applyTiers(trx: Db, discordIds: readonly string[]): Promise<void> {
  const found = await listUsersByDiscordIds(trx, discordIds)
  const people = await lockUsers(trx, Object.fromEntries(found.map(({ id }) => [id, 'update'])))
  for (const user of people.values()) await setOwnedTier(trx, user, await highestTier(trx, user.discord_id))
}

/** Gives a new user the tier they supported with before they came, in the transaction of their first sign-in. */
export async function grantSupporterTier(trx: Db, userId: string, discordId: string): Promise<void> {
  await setOwnedTier(trx, { id: userId, owned_tier: null }, await tierOfSupporter(trx, discordId))
}

/** For a first sign-in: no notice about them comes in between before the transaction ends. */
export async function tierOfSupporter(trx: Db, discordId: string): Promise<TierId | null> {
  await lockSupporter(trx, discordId)
  return highestTier(trx, discordId)
}

/** The highest over all memberships of a Discord account, at whichever provider. */
async function highestTier(trx: Db, discordId: string): Promise<TierId | null> {
  const tiers = await listTiers(trx, discordId)
  return TIER_IDS.findLast((tier) => tiers.includes(tier)) ?? null
}
