/** What administrators give and take: a forced tier, and single benefits. What lapses by it hides what it gave and keeps the settings. */
import type { BenefitKey, TierId } from '#contract/benefits.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { recordEvent } from '#backend/features/events/events.ts'
import { holdForAdmin, isAdministrator, refuseLastAdministrator } from './administration.ts'
import { deleteGrant, insertGrant, lockAdministrators, updateUser } from './users.queries.ts'

/** Forces a tier on a user; null goes back to the one they own. */
export async function forceTier(db: Db, adminId: string, userId: string, tier: TierId | null): Promise<void> {
  return transaction(db, async (trx) => {
    const user = await holdForAdmin(trx, adminId, userId)
    if (user.forced_tier === tier) return
    await updateUser(trx, userId, { forced_tier: tier })
    const common = { action: 'TIER_CHANGED', as: 'administrator', actorId: adminId, ownerId: userId } as const
    await recordEvent(trx, { ...common, before: { forced_tier: user.forced_tier }, after: { forced_tier: tier } })
  })
}

/** Grants one benefit. Where the user has the grant already nothing happens; one that his tier gives he may have twice. */
export async function grantBenefit(db: Db, adminId: string, userId: string, key: BenefitKey): Promise<void> {
  return transaction(db, async (trx) => {
    await holdForAdmin(trx, adminId, userId)
    if (await insertGrant(trx, userId, key))
      await recordEvent(trx, { action: 'BENEFIT_GRANTED', as: 'administrator', actorId: adminId, ownerId: userId, after: { benefit: key } })
  })
}

/** Takes a granted benefit back. Throws `forbidden` where nobody would be left to administrate. */
export async function takeBenefit(db: Db, adminId: string, userId: string, key: BenefitKey): Promise<void> {
  return transaction(db, async (trx) => {
    if (key === 'ADMIN') {
      if (adminId === userId) await refuseLastAdministrator(trx, userId, 'give up ADMIN')
      else if (await isAdministrator(trx, userId)) await lockAdministrators(trx)
    }
    await holdForAdmin(trx, adminId, userId)
    if (await deleteGrant(trx, userId, key))
      await recordEvent(trx, { action: 'BENEFIT_TAKEN', as: 'administrator', actorId: adminId, ownerId: userId, before: { benefit: key } })
  })
}
