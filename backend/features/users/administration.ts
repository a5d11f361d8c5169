/** What administrators do with people. Whoever may take an administrator away waits for the others who may. */
import type { BenefitKey, TierId } from '#contract/benefits.ts'
import type { Limits } from '#contract/users-admin.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { forbidden, notFound } from '#backend/platform/errors.ts'
import { BY_SYSTEM, type EventActor, byAdministrator, diff, recordEvent } from '#backend/features/events/events.ts'
import { countOtherAdministrators, findUser, lockAdministrators, updateUser } from './users.queries.ts'
import { type UserRow, requireActor, addBenefitGrant, listBenefitGrants, lockUsers, removeBenefitGrant } from './users.ts'

/** Locks the administrator and the user they act on, and returns the user. Throws where the one may not act any more, or the other is gone. */
export async function lockUserForAdmin(trx: Db, adminId: string, userId: string): Promise<UserRow> {
  const people = await lockUsers(trx, { [adminId]: 'share', [userId]: 'update' })
  requireActor(people, adminId)
  if (!(await isAdministrator(trx, adminId))) throw forbidden('You are not an administrator any more.')
  const user = people.get(userId)
  if (user === undefined) throw notFound('user')
  return user
}

/** Whether a user may administrate as far as their benefits go. */
const isAdministrator = async (db: Db, userId: string) => (await listBenefitGrants(db, userId)).includes('ADMIN')

/**
 * Makes sure that somebody can administrate once this user can't. Call it before any user is locked. Throws `forbidden` where the user acts
 * themselves and is the last one.
 */
export async function ensureAdministratorRemains(trx: Db, actorId: string, userId: string, action: string): Promise<void> {
  // A user who isn't one keeps nobody waiting. They may become one meanwhile, but then another administrator made them so.
  if (!(await isAdministrator(trx, userId))) return
  await lockAdministrators(trx)
  // The one who acts remains, unless they go in the same moment: they count after this has committed, or before.
  if (actorId !== userId) return
  if (!(await isAdministrator(trx, userId)) || (await countOtherAdministrators(trx, userId)) > 0) return
  throw forbidden(`You are the last administrator, so you can't ${action}. Make somebody else an administrator first.`)
}

/** A user's own limits, in the words of the API. */
export const ownLimitsOf = (user: Pick<UserRow, 'max_servers' | 'max_managers' | 'max_groups'>) => ({
  max_masterlist_tokens: user.max_servers,
  max_managers: user.max_managers,
  max_masterlist_groups: user.max_groups,
})

/** Sets a user's own limits; null is what their tier allows. What they have stays. */
export function changeLimits(db: Db, adminId: string, userId: string, limits: Limits): Promise<void> {
  return transaction(db, async (trx) => {
    const own = ownLimitsOf(await lockUserForAdmin(trx, adminId, userId))
    const requested = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined))
    const changed = diff(own, requested)
    if (changed === undefined) return
    const next = { ...own, ...requested }
    await updateUser(trx, userId, {
      max_servers: next.max_masterlist_tokens,
      max_managers: next.max_managers,
      max_groups: next.max_masterlist_groups,
    })
    await recordEvent(trx, { action: 'LIMITS_CHANGED', ...byAdministrator(adminId), ownerId: userId, ...changed })
  })
}

/** Forces a tier on a user; null goes back to the one they own. */
export function forceTier(db: Db, adminId: string, userId: string, tier: TierId | null): Promise<void> {
  return transaction(db, async (trx) => {
    const user = await lockUserForAdmin(trx, adminId, userId)
    await changeTier(trx, user, { forced_tier: tier }, byAdministrator(adminId))
  })
}

/** Sets the tier that a locked user owns because they support. A forced one stands above it. */
export function setOwnedTier(
  trx: Db,
  user: { readonly id: string; readonly owned_tier: string | null },
  tier: TierId | null,
): Promise<void> {
  return changeTier(trx, user, { owned_tier: tier }, BY_SYSTEM)
}

type Tiers = Partial<Pick<UserRow, 'owned_tier' | 'forced_tier'>>

async function changeTier(trx: Db, user: Tiers & { readonly id: string }, next: Tiers, by: EventActor): Promise<void> {
  const changed = diff(user, next)
  if (changed === undefined) return
  await updateUser(trx, user.id, next)
  await recordEvent(trx, { action: 'TIER_CHANGED', ...by, ownerId: user.id, ...changed })
}

/** Grants one benefit. One that the user's tier gives they may have twice. */
export function grantBenefit(db: Db, adminId: string, userId: string, key: BenefitKey): Promise<void> {
  return transaction(db, async (trx) => {
    await lockUserForAdmin(trx, adminId, userId)
    await addBenefitGrant(trx, userId, key, byAdministrator(adminId))
  })
}

/** Takes a granted benefit back. Throws `forbidden` where nobody would be left to administrate. */
export function revokeBenefit(db: Db, adminId: string, userId: string, key: BenefitKey): Promise<void> {
  return transaction(db, async (trx) => {
    if (key === 'ADMIN') await ensureAdministratorRemains(trx, adminId, userId, 'give up ADMIN')
    await lockUserForAdmin(trx, adminId, userId)
    await removeBenefitGrant(trx, userId, key, byAdministrator(adminId))
  })
}

/** Gives or takes ADMIN, for the command line. Throws for somebody who has never signed in, and where no administrator would be left. */
export function setAdministrator(db: Db, discordId: string, isAdmin: boolean): Promise<string> {
  return transaction(db, async (trx) => {
    // Whoever counts the administrators that remain counts before this or after.
    if (!isAdmin) await lockAdministrators(trx)
    const user = await findUser(trx, 'discord_id', discordId)
    if (user === undefined) throw notFound('user; a person has to sign in once before he can be made an administrator')
    if (isAdmin) await addBenefitGrant(trx, user.id, 'ADMIN', BY_SYSTEM)
    else {
      if ((await isAdministrator(trx, user.id)) && (await countOtherAdministrators(trx, user.id)) === 0)
        throw forbidden(`${user.username} is the last administrator. Make somebody else an administrator first.`)
      await removeBenefitGrant(trx, user.id, 'ADMIN', BY_SYSTEM)
    }
    return user.username
  })
}
