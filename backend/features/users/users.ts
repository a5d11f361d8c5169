/** People: who they are here, what they hold and how much they may have. */
import {
  type Allowance,
  BENEFIT_KEYS,
  type BenefitKey,
  TIER_IDS,
  type TierId,
  allowanceOfTier,
  benefitsOfTier,
} from '#contract/benefits.ts'
import type { Me } from '#contract/users.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { isUuid } from '#backend/platform/database/uuid.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { forbidden, notFound } from '#backend/platform/errors.ts'
import { BY_SYSTEM, type EventActor, bySelf, recordEvent } from '#backend/features/events/events.ts'
import {
  type DiscordIdentity,
  deleteBenefitGrant,
  findUser,
  listBenefitGrants,
  insertBenefitGrant,
  lockUser,
  updateUser,
  upsertUser,
} from './users.queries.ts'

export { listBenefitGrants }

export type UserRow = NonNullable<Awaited<ReturnType<typeof findUser>>>

/** The local provider's persona that is an administrator. */
const LOCAL_ADMIN = 'admin'

/** Takes in a person who signed in and answers their id here. Whom the configuration names becomes an administrator. */
export function upsertSignedInUser({ db, env }: Pick<Deps, 'db' | 'env'>, identity: DiscordIdentity): Promise<string> {
  return transaction(db, async (trx) => (await upsertSignedInUserIn(trx, env, identity)).id)
}

/** The same in the caller's transaction, which locks the user from then on: nobody erases them before it ends. */
export async function upsertSignedInUserIn(trx: Db, env: Deps['env'], identity: DiscordIdentity): Promise<{ id: string; isNew: boolean }> {
  const isAdmin = env.ADMIN_DISCORD_IDS.includes(identity.discordId) || (env.usesLocalIdentity && identity.username === LOCAL_ADMIN)
  const { id, isNew } = await upsertUser(trx, identity)
  if (isNew) await recordEvent(trx, { action: 'ACCOUNT_CREATED', ...bySelf(id) })
  if (isAdmin) await addBenefitGrant(trx, id, 'ADMIN', BY_SYSTEM)
  return { id, isNew }
}

export async function addBenefitGrant(trx: Db, userId: string, key: BenefitKey, by: EventActor): Promise<void> {
  if (await insertBenefitGrant(trx, userId, key))
    await recordEvent(trx, { action: 'BENEFIT_GRANTED', ...by, ownerId: userId, after: { benefit: key } })
}

export async function removeBenefitGrant(trx: Db, userId: string, key: BenefitKey, by: EventActor): Promise<void> {
  if (await deleteBenefitGrant(trx, userId, key))
    await recordEvent(trx, { action: 'BENEFIT_TAKEN', ...by, ownerId: userId, before: { benefit: key } })
}

export function parseTier(id: string | null): TierId | null {
  return TIER_IDS.find((tier) => tier === id) ?? null
}

type Tiers = Pick<UserRow, 'forced_tier' | 'owned_tier'>

/** The forced tier where an administrator forced one, else the owned one. */
export function activeTierOf(user: Tiers): TierId | null {
  return parseTier(user.forced_tier ?? user.owned_tier)
}

/** How much this user may have: their own limits, else what their active tier allows (contract section 4). */
export function allowanceOf(user: Tiers & Pick<UserRow, 'max_servers' | 'max_managers' | 'max_groups'>): Allowance {
  const tier = allowanceOfTier(activeTierOf(user))
  return { servers: user.max_servers ?? tier.servers, managers: user.max_managers ?? tier.managers, groups: user.max_groups ?? tier.groups }
}

/** What a person holds now and from where, in the order of the configuration; the tier stands before a grant of the same benefit. */
export function benefitsOf(user: Tiers, granted: readonly string[]): Me['benefits'] {
  const byTier = new Set<string>(benefitsOfTier(activeTierOf(user)))
  return BENEFIT_KEYS.flatMap((key): Me['benefits'] => {
    if (byTier.has(key)) return [{ key, source: 'tier' }]
    return granted.includes(key) ? [{ key, source: 'grant' }] : []
  })
}

/** The user that a route names. Throws `not-found` where nobody can have this id. */
export function parseUserId({ id }: { readonly id: string }): string {
  if (!isUuid(id)) throw notFound('user')
  return id
}

export async function getUser(db: Db, userId: string): Promise<UserRow> {
  const user = await findUser(db, 'id', userId)
  if (user === undefined) throw notFound('user')
  return user
}

/** Locks the acting user and makes sure that they may still act: a ban or deletion of a moment ago ends what was under way. */
export async function lockActor(trx: Db, userId: string, how: 'update' | 'share'): Promise<UserRow> {
  return requireActor(await lockUsers(trx, { [userId]: how }), userId)
}

/**
 * Locks several people, always in the same order, so that two calls about the same people never wait for each other in a circle. Answers
 * those that exist, by id. @param wanted how to lock each, by id.
 */
export async function lockUsers(trx: Db, wanted: Readonly<Record<string, 'update' | 'share'>>): Promise<ReadonlyMap<string, UserRow>> {
  const found = new Map<string, UserRow>()
  for (const [id, how] of Object.entries(wanted).toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const user = await lockUser(trx, id, how)
    if (user !== undefined) found.set(id, user)
  }
  return found
}

/** Of locked people: makes sure that the acting one may still act. */
export function requireActor(people: ReadonlyMap<string, UserRow>, userId: string): UserRow {
  const user = people.get(userId)
  if (user === undefined) throw forbidden('You are not signed in.')
  if (user.banned) throw forbidden('Your account is banned.')
  if (user.delete_at !== null) throw forbidden('Your account is set for deletion. Cancel the deletion first.')
  return user
}

/** Somebody who can be given something: neither banned nor leaving. */
export function isActive(user: Pick<UserRow, 'banned' | 'delete_at'>): boolean {
  return !user.banned && user.delete_at === null
}

export async function heldBenefits(db: Db, user: UserRow): Promise<ReadonlySet<BenefitKey>> {
  return benefitKeysOf(user, await listBenefitGrants(db, user.id))
}

/** The same from what has been read already. */
export function benefitKeysOf(user: Tiers, granted: readonly string[]): ReadonlySet<BenefitKey> {
  return new Set(benefitsOf(user, granted).map(({ key }) => key))
}

/** Sets how many servers a user may have; null is what their tier allows. */
export async function setServerLimit(db: Db, userId: string, max: number | null): Promise<void> {
  await updateUser(db, userId, { max_servers: max })
}
