/** What administrators do with users. Calls that could remove an administrator run one at a time. */
import { lockAdministrators, lockUsers } from '#backend/platform/database/lock-order.ts'
import type { BenefitKey, TierId } from '#contract/benefits/benefits.ts'
import type { Limits } from '#contract/users/users-admin.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { forbidden, orNotFound } from '#backend/platform/errors.ts'
import type { PlainCode } from '#backend/platform/messages/message.ts'
import { BY_SYSTEM, type EventActor, byAdministrator, diff, recordEvent } from '#backend/core/events/events.ts'
import {
  type UserRow,
  requireActor,
  addBenefitGrant,
  benefitsSince,
  findUser,
  listBenefitGrants,
  listUsableBenefits,
  removeBenefitGrant,
  updateUser,
} from './users.ts'

/** Locks the administrator and the user they act on. Throws `forbidden` if the administrator may no longer act, and `not-found` without the user. */
export async function lockUserForAdmin(trx: Db, adminId: string, userId: string): Promise<UserRow> {
  const people = await lockUsers(trx, { [adminId]: 'share', [userId]: 'update' })
  requireActor(people, adminId)
  if (!(await isAdministrator(trx, adminId))) throw forbidden('NO_LONGER_ADMINISTRATOR')
  return orNotFound(people.get(userId), 'USER_NOT_FOUND')
}

/** Checks the grant only, not whether the user is banned. */
const isAdministrator = async (db: Db, userId: string) => (await listBenefitGrants(db, userId)).includes('ADMIN')

/** Throws `forbidden` with this message if users would remove themselves as the last administrator. Call it before any user is locked. */
export async function ensureAdministratorRemains(trx: Db, actorId: string, userId: string, code: PlainCode): Promise<void> {
  // Other users need no lock. If this one becomes an administrator in the meantime, the administrator who granted that remains.
  if (!(await isAdministrator(trx, userId))) return
  await lockAdministrators(trx)
  // The acting administrator remains. A concurrent call that removes them waits for the lock and counts again.
  if (actorId !== userId) return
  if (!(await isAdministrator(trx, userId)) || (await countOtherAdministrators(trx, userId)) > 0) return
  throw forbidden(code)
}

/** Whether administrators remain without this one. Call it with `lockAdministrators`. */
export const hasOtherAdministrators = async (trx: Db, userId: string): Promise<boolean> => (await countOtherAdministrators(trx, userId)) > 0

/** Counts the other administrators who are neither banned nor awaiting deletion. */
async function countOtherAdministrators(trx: Db, exceptId: string): Promise<number> {
  const administrators = trx
    .selectFrom('benefit_grants')
    .innerJoin('users', 'users.id', 'benefit_grants.user_id')
    .select('users.id')
    .where('key', '=', 'ADMIN')
  const others = administrators.where('users.id', '!=', exceptId).where('banned', '=', false).where('delete_at', 'is', null)
  return (await others.execute()).length
}

/** A user's own limits under their API names. */
export const ownLimitsOf = (user: Pick<UserRow, 'max_servers' | 'max_managers' | 'max_groups'>) => ({
  max_masterlist_tokens: user.max_servers,
  max_managers: user.max_managers,
  max_masterlist_groups: user.max_groups,
})

/** Sets a user's own limits; null means the tier's. What exceeds a new limit stays. */
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

/** Forces a tier on a user; null returns to the owned tier. */
export function forceTier(db: Db, adminId: string, userId: string, tier: TierId | null): Promise<void> {
  return transaction(db, async (trx) => {
    const user = await lockUserForAdmin(trx, adminId, userId)
    await changeTier(trx, user, { forced_tier: tier }, byAdministrator(adminId))
  })
}

/** Sets the tier that a locked user owns as a supporter. A forced tier overrides it. */
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
  const before = await listUsableBenefits(trx, user.id)
  await updateUser(trx, user.id, next)
  await recordEvent(trx, { action: 'TIER_CHANGED', ...by, ownerId: user.id, ...changed, ...(await benefitsSince(trx, user.id, before)) })
}

/** Grants one benefit, even if the user's tier includes it. */
export function grantBenefit(db: Db, adminId: string, userId: string, key: BenefitKey): Promise<void> {
  return transaction(db, async (trx) => {
    await lockUserForAdmin(trx, adminId, userId)
    await addBenefitGrant(trx, userId, key, byAdministrator(adminId))
  })
}

/** Revokes a granted benefit. Throws `forbidden` if no administrator would remain. */
export function revokeBenefit(db: Db, adminId: string, userId: string, key: BenefitKey): Promise<void> {
  return transaction(db, async (trx) => {
    if (key === 'ADMIN') await ensureAdministratorRemains(trx, adminId, userId, 'LAST_ADMINISTRATOR_REVOCATION')
    await lockUserForAdmin(trx, adminId, userId)
    await removeBenefitGrant(trx, userId, key, byAdministrator(adminId))
  })
}

/** Grants or revokes ADMIN, for the command line. Throws for a user who has never signed in, or if no administrator would remain. */
export function setAdministrator(db: Db, discordId: string, isAdmin: boolean): Promise<string> {
  return transaction(db, async (trx) => {
    // Serializes this with every other call that counts the remaining administrators.
    if (!isAdmin) await lockAdministrators(trx)
    const user = orNotFound(await findUser(trx, 'discord_id', discordId), 'USER_NEVER_SIGNED_IN')
    if (isAdmin) await addBenefitGrant(trx, user.id, 'ADMIN', BY_SYSTEM)
    else {
      if ((await isAdministrator(trx, user.id)) && (await countOtherAdministrators(trx, user.id)) === 0)
        throw forbidden('LAST_ADMINISTRATOR', { username: user.username })
      await removeBenefitGrant(trx, user.id, 'ADMIN', BY_SYSTEM)
    }
    return user.username
  })
}
