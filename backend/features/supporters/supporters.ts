/** Supporters: a provider's notices decide which tier people own here (docs/decisions/0017-supporters.md). */
import type { Db } from '#backend/database/open.ts'
import { transaction } from '#backend/database/transaction.ts'
import { listServers } from '#backend/features/servers/servers.ts'
import { ownTier } from '#backend/features/users/owned-tier.ts'
import { lockPeople } from '#backend/features/users/users.ts'
import type { SupporterNotice } from './provider.ts'
import { highestTier } from './supporter-tier.ts'
import { findMember, insertNotice, listUsersByDiscordIds, lockMember, lockSupporter, saveMember } from './supporters.queries.ts'

/** Somebody whose owned tier changed, and his servers, of which players may now see something else. */
export interface ChangedSupporter {
  readonly userId: string
  readonly servers: readonly string[]
}

/**
 * Takes a notice in, once: the same one again changes nothing, however late it comes. @param digest what tells it from every other.
 * Answers whose tier changed by it; whoever never signed in here finds his tier when he does.
 */
export function takeNotice(db: Db, provider: string, digest: Buffer, notice: SupporterNotice): Promise<ChangedSupporter[]> {
  return transaction(db, async (trx) => {
    if (!(await insertNotice(trx, provider, digest))) return []
    await lockMember(trx, provider, notice.memberId)
    const former = (await findMember(trx, provider, notice.memberId))?.discord_id ?? null
    // A notice that says nothing of the link leaves it as it was; one that says there is none ends it.
    const discordId = notice.discordId === undefined ? former : notice.discordId
    const concerned = [...new Set([former, discordId])].filter((id) => id !== null).toSorted()
    for (const id of concerned) await lockSupporter(trx, id)
    await saveMember(trx, { provider, member_id: notice.memberId, discord_id: discordId, tier: notice.tier })
    return applyTiers(trx, concerned)
  })
}

/** Gives these Discord accounts the tier they support with, as far as they have signed in. */
async function applyTiers(trx: Db, discordIds: readonly string[]): Promise<ChangedSupporter[]> {
  const found = await listUsersByDiscordIds(trx, discordIds)
  const people = await lockPeople(trx, ...found.map(({ id }) => ({ id, how: 'update' as const })))
  const changed: ChangedSupporter[] = []
  for (const user of people.values()) {
    if (!(await ownTier(trx, user, await highestTier(trx, user.discord_id)))) continue
    // Read here: once this has committed nothing may fail before the list is told.
    changed.push({ userId: user.id, servers: (await listServers(trx, user.id)).map((server) => server.public_id) })
  }
  return changed
}
