/** Users: sign-in, tiers, benefits, limits, and locking them in a fixed order. */
import type { UpdateObject } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import {
  type Allowance,
  BENEFIT_KEYS,
  type BenefitKey,
  TIER_IDS,
  type TierId,
  allowanceOfTier,
  benefitsOfTier,
} from '#contract/benefits/benefits.ts'
import { type Me, isDiscordId } from '#contract/users/users.ts'
import { type LockMode, lockUsers } from '#backend/platform/database/lock-order.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { now } from '#backend/platform/database/sql.ts'
import { isUuid } from '#backend/platform/database/uuid.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { forbidden, notFound, orNotFound } from '#backend/platform/errors.ts'
import type { Tables } from '#backend/platform/database/tables.ts'
import { BY_SYSTEM, type EventActor, bySelf, recordEvent } from '#backend/core/events/events.ts'

/** The username and avatar follow Discord with each sign-in; the id stays. Also the profile of an account without Discord. */
export interface DiscordIdentity {
  readonly discordId: string
  readonly username: string
  readonly avatar: string | null
}

export type UserRow = NonNullable<Awaited<ReturnType<typeof findUser>>>

/** The local identity provider's persona that becomes an administrator. */
const LOCAL_ADMIN = 'admin'

/**
 * Creates or updates a user who signed in. Users in `ADMIN_DISCORD_IDS` become administrators. The user's row stays locked, so they can't be
 * erased before the transaction ends.
 */
export async function upsertSignedInUser(
  trx: Db,
  env: Deps['env'],
  { discordId, ...profile }: DiscordIdentity,
): Promise<{ id: string; isNew: boolean }> {
  const newId = uuidv7()
  const { id } = await trx
    .insertInto('users')
    .values({ id: newId, discord_id: discordId, ...profile })
    .onConflict((conflict) => conflict.column('discord_id').doUpdateSet({ ...profile, signed_in_at: now, updated_at: now }))
    .returning('id')
    .executeTakeFirstOrThrow()
  const isNew = id === newId
  const isAdmin =
    env.ADMIN_DISCORD_IDS.includes(discordId) || (env.usesLocalIdentity && isDiscordId(discordId) && profile.username === LOCAL_ADMIN)
  if (isNew) await recordEvent(trx, { action: 'ACCOUNT_CREATED', ...bySelf(id) })
  if (isAdmin) await addBenefitGrant(trx, id, 'ADMIN', BY_SYSTEM)
  return { id, isNew }
}

/** @param context further values of the event, such as what gave the benefit */
export async function addBenefitGrant(
  trx: Db,
  userId: string,
  key: BenefitKey,
  by: EventActor,
  context: Readonly<Record<string, string>> = {},
): Promise<void> {
  const before = await listUsableBenefits(trx, userId)
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('benefit_grants')
    .values({ user_id: userId, key })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 0n) return
  const changes = await benefitsSince(trx, userId, before)
  await recordEvent(trx, { action: 'BENEFIT_GRANTED', ...by, ownerId: userId, after: { benefit: key, ...context }, ...changes })
}

/** @param context further values of the event, such as what gave the benefit */
export async function removeBenefitGrant(
  trx: Db,
  userId: string,
  key: BenefitKey,
  by: EventActor,
  context: Readonly<Record<string, string>> = {},
): Promise<void> {
  const before = await listUsableBenefits(trx, userId)
  const { numDeletedRows } = await trx.deleteFrom('benefit_grants').where('user_id', '=', userId).where('key', '=', key).executeTakeFirst()
  if (numDeletedRows === 0n) return
  const changes = await benefitsSince(trx, userId, before)
  await recordEvent(trx, { action: 'BENEFIT_TAKEN', ...by, ownerId: userId, before: { benefit: key, ...context }, ...changes })
}

/** By tier or grant. */
export async function listUsableBenefits(trx: Db, userId: string): Promise<BenefitKey[]> {
  return benefitsOf(await getUser(trx, userId), await listBenefitGrants(trx, userId)).map(({ key }) => key)
}

/** Which benefits the user has gained and lost. A grant of what the tier gives too changes neither. */
export async function benefitsSince(trx: Db, userId: string, before: readonly BenefitKey[]) {
  const after = await listUsableBenefits(trx, userId)
  return { gained: after.filter((key) => !before.includes(key)), lost: before.filter((key) => !after.includes(key)) }
}

export function parseTier(id: string | null): TierId | null {
  return TIER_IDS.find((tier) => tier === id) ?? null
}

type Tiers = Pick<UserRow, 'forced_tier' | 'owned_tier'>

/** The forced tier, else the owned one. */
export function activeTierOf(user: Tiers): TierId | null {
  return parseTier(user.forced_tier ?? user.owned_tier)
}

/** The user's own limits, else those of their active tier. */
export function allowanceOf(user: Tiers & Pick<UserRow, 'max_servers' | 'max_managers' | 'max_groups'>): Allowance {
  const tier = allowanceOfTier(activeTierOf(user))
  return { servers: user.max_servers ?? tier.servers, managers: user.max_managers ?? tier.managers, groups: user.max_groups ?? tier.groups }
}

/** A user's benefits in the order of the configuration. The source is `tier` if both the tier and a grant give one. */
export function benefitsOf(user: Tiers, granted: readonly string[]): Me['benefits'] {
  const byTier = new Set<string>(benefitsOfTier(activeTierOf(user)))
  return BENEFIT_KEYS.flatMap((key): Me['benefits'] => {
    if (byTier.has(key)) return [{ key, source: 'tier' }]
    return granted.includes(key) ? [{ key, source: 'grant' }] : []
  })
}

/** The id in a route's path. Throws `not-found` if it isn't a UUID. */
export function parseUserId({ id }: { readonly id: string }): string {
  if (!isUuid(id)) throw notFound('USER_NOT_FOUND')
  return id
}

export async function getUser(db: Db, userId: string): Promise<UserRow> {
  return orNotFound(await findUser(db, 'id', userId), 'USER_NOT_FOUND')
}

/** Locks the acting user. Throws `forbidden` if they may no longer act, for example after a ban during the request. */
export async function lockActor(trx: Db, userId: string, mode: LockMode): Promise<UserRow> {
  return requireActor(await lockUsers(trx, { [userId]: mode }), userId)
}

/** Returns the acting user from locked users. Throws `forbidden` if they may not act. */
export function requireActor(people: ReadonlyMap<string, UserRow>, userId: string): UserRow {
  const user = people.get(userId)
  if (user === undefined) throw forbidden('NOT_SIGNED_IN')
  if (user.banned) throw forbidden('ACCOUNT_BANNED')
  if (user.delete_at !== null) throw forbidden('ACCOUNT_PENDING_DELETION')
  return user
}

/** Neither banned nor awaiting deletion, so they can receive servers and grants. */
export function isActive(user: Pick<UserRow, 'banned' | 'delete_at'>): boolean {
  return !user.banned && user.delete_at === null
}

export async function heldBenefits(db: Db, user: UserRow): Promise<ReadonlySet<BenefitKey>> {
  return benefitKeysOf(user, await listBenefitGrants(db, user.id))
}

/** Like `heldBenefits`, from data that is already loaded. */
export function benefitKeysOf(user: Tiers, granted: readonly string[]): ReadonlySet<BenefitKey> {
  return new Set(benefitsOf(user, granted).map(({ key }) => key))
}

export function findUser(db: Db, column: 'id' | 'discord_id', value: string) {
  return db.selectFrom('users').selectAll().where(column, '=', value).executeTakeFirst()
}

/** Benefits granted to this user directly, without those of their tier. */
export async function listBenefitGrants(db: Db, userId: string): Promise<string[]> {
  const rows = await db.selectFrom('benefit_grants').select('key').where('user_id', '=', userId).orderBy('key').execute()
  return rows.map((row) => row.key)
}

export function updateUser(db: Db, id: string, columns: UpdateObject<Tables, 'users'>) {
  return db
    .updateTable('users')
    .set({ ...columns, updated_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
