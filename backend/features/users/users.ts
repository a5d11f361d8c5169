/** People: who they are here, what they hold and how much they may have. */
import { v7 as uuidv7 } from 'uuid'
import {
  type Allowance,
  BENEFIT_KEYS,
  type BenefitKey,
  TIER_IDS,
  type TierId,
  allowanceOfTier,
  benefitsOfTier,
} from '#contract/benefits.ts'
import type { Me, PublicUser } from '#contract/users.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { forbidden, notFound } from '#backend/platform/errors.ts'
import { BY_SYSTEM, recordEvent } from '#backend/features/events/events.ts'
import { publicUsers } from './public-users.ts'
import { presentGiven, presentReceived } from './users.present.ts'
import {
  countOtherAdministrators,
  deleteGrant,
  findUser,
  findUserByDiscordId,
  insertGrant,
  listGiven,
  listGrants,
  listReceived,
  lockAdministrators,
  lockUser,
  updateUser,
  upsertUser,
} from './users.queries.ts'

export type UserRow = NonNullable<Awaited<ReturnType<typeof findUser>>>

/** The local provider's persona that is an administrator. */
const LOCAL_ADMIN = 'admin'

interface Newcomer {
  readonly discordId: string
  readonly username: string
  readonly avatar: string | null
}

/** Takes in who signed in and answers his id here. Whom the configuration names becomes an administrator. */
export function welcome({ db, env }: Pick<Deps, 'db' | 'env'>, identity: Newcomer): Promise<string> {
  return transaction(db, async (trx) => (await welcomeIn(trx, env, identity)).id)
}

/** The same in the caller's transaction, which holds the user from then on: nobody erases them before it ends. */
export async function welcomeIn(trx: Db, env: Deps['env'], identity: Newcomer): Promise<{ id: string; isNew: boolean }> {
  const isAdmin = env.ADMIN_DISCORD_IDS.includes(identity.discordId) || (env.usesLocalIdentity && identity.username === LOCAL_ADMIN)
  const { id, isNew } = await upsertUser(trx, { id: uuidv7(), ...identity })
  if (isNew) await recordEvent(trx, { action: 'ACCOUNT_CREATED', as: 'self', actorId: id, ownerId: id })
  if (isAdmin) await giveByProgram(trx, id, 'ADMIN')
  return { id, isNew }
}

async function giveByProgram(trx: Db, id: string, key: BenefitKey): Promise<void> {
  if (await insertGrant(trx, id, key))
    await recordEvent(trx, { action: 'BENEFIT_GRANTED', ...BY_SYSTEM, ownerId: id, after: { benefit: key } })
}

async function takeByProgram(trx: Db, id: string, key: BenefitKey): Promise<void> {
  if (await deleteGrant(trx, id, key))
    await recordEvent(trx, { action: 'BENEFIT_TAKEN', ...BY_SYSTEM, ownerId: id, before: { benefit: key } })
}

export function tierOf(id: string | null): TierId | null {
  return TIER_IDS.find((tier) => tier === id) ?? null
}

/** The forced tier where an administrator forced one, else the owned one. */
export function activeTierOf(user: Pick<UserRow, 'forced_tier' | 'owned_tier'>): TierId | null {
  return tierOf(user.forced_tier ?? user.owned_tier)
}

/** How much this user may have: his own override, else what his active tier allows (contract section 4). */
export function allowanceOf(user: Pick<UserRow, 'forced_tier' | 'owned_tier' | 'max_servers' | 'max_managers' | 'max_groups'>): Allowance {
  const tier = allowanceOfTier(activeTierOf(user))
  return { servers: user.max_servers ?? tier.servers, managers: user.max_managers ?? tier.managers, groups: user.max_groups ?? tier.groups }
}

type Tiers = Pick<UserRow, 'forced_tier' | 'owned_tier'>

/** What a person holds now and from where, in the order of the configuration; the tier stands before a grant of the same benefit. */
export function benefitsOf(user: Tiers, granted: readonly string[]): Me['benefits'] {
  const byTier = new Set<string>(benefitsOfTier(activeTierOf(user)))
  return BENEFIT_KEYS.flatMap((key): Me['benefits'] => {
    if (byTier.has(key)) return [{ key, source: 'tier' }]
    return granted.includes(key) ? [{ key, source: 'grant' }] : []
  })
}

/** Throws `not-found` where the account went. */
export async function userOf(db: Db, userId: string): Promise<UserRow> {
  const user = await findUser(db, userId)
  if (user === undefined) throw notFound('user')
  return user
}

export async function getMe(db: Db, userId: string): Promise<Me> {
  const user = await userOf(db, userId)
  const allowance = allowanceOf(user)
  // In turn: inside a transaction (the export's) there is one connection.
  const benefits = await benefitsHeld(db, user)
  const given = await listGiven(db, userId)
  const received = await listReceived(db, userId)
  const people = await publicUsers(db, [...given.map((one) => one.manager_id), ...received.map((one) => one.owner_id)])
  return {
    id: user.id,
    discord: { discord_id: user.discord_id, username: user.username, avatar: user.avatar },
    benefits,
    active_tier: activeTierOf(user),
    owned_tier: tierOf(user.owned_tier),
    is_tier_forced: user.forced_tier !== null,
    max_masterlist_tokens: allowance.servers,
    max_managers: allowance.managers,
    max_masterlist_groups: allowance.groups,
    delete_at: user.delete_at?.toISOString() ?? null,
    gived_managements: given.flatMap((one) => unlessGone(people.get(one.manager_id), (manager) => presentGiven(one, manager))),
    recieved_managements: received.flatMap((one) => unlessGone(people.get(one.owner_id), (owner) => presentReceived(one, owner))),
    banned: user.banned,
    ...(user.ban_reason !== null && { ban_reason: user.ban_reason }),
    ...(user.banned_until !== null && { banned_until: user.banned_until.toISOString() }),
  }
}

/** Nothing where the person went between two reads. */
function unlessGone<T>(person: PublicUser | undefined, present: (person: PublicUser) => T): T[] {
  return person === undefined ? [] : [present(person)]
}

/**
 * Holds the acting user inside a transaction and makes sure that he may still act: a ban or a deletion that was committed a moment
 * ago ends what was under way. `update` also lines up calls that count against his limits.
 */
export async function lockActor(trx: Db, userId: string, how: 'update' | 'share'): Promise<UserRow> {
  return actorOf(await lockPeople(trx, { id: userId, how }), userId)
}

interface Wanted {
  readonly id: string
  readonly how: 'update' | 'share'
}

/**
 * Holds several people inside a transaction, always in the same order, so that two calls about the same people never wait for each
 * other in a circle. Answers those that exist, by id.
 */
export async function lockPeople(trx: Db, ...wanted: readonly Wanted[]): Promise<ReadonlyMap<string, UserRow>> {
  const found = new Map<string, UserRow>()
  for (const { id, how } of wanted.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const user = await lockUser(trx, id, how)
    if (user !== undefined) found.set(id, user)
  }
  return found
}

/** Of people that are held: makes sure that the acting one may still act. */
export function actorOf(people: ReadonlyMap<string, UserRow>, userId: string): UserRow {
  const user = people.get(userId)
  if (user === undefined) throw forbidden('You are not signed in.')
  if (user.banned) throw forbidden('Your account is banned.')
  if (user.delete_at !== null) throw forbidden('Your account is set for deletion. Cancel the deletion first.')
  return user
}

/** Somebody who can be given something: neither banned nor leaving. */
export function isPresent(user: Pick<UserRow, 'banned' | 'delete_at'>): boolean {
  return !user.banned && user.delete_at === null
}

/** The benefits a user holds now, each with where it is from. */
export async function benefitsHeld(db: Db, user: UserRow): Promise<Me['benefits']> {
  const grants = await listGrants(db, user.id)
  return benefitsOf(
    user,
    grants.map((grant) => grant.key),
  )
}

/** What is granted to this user alone, whatever his tier gives. */
export async function grantsOf(db: Db, userId: string): Promise<ReadonlySet<string>> {
  return new Set((await listGrants(db, userId)).map((grant) => grant.key))
}

/** The keys of what a user holds now, alone. */
export async function heldBenefits(db: Db, user: UserRow): Promise<ReadonlySet<BenefitKey>> {
  return new Set((await benefitsHeld(db, user)).map(({ key }) => key))
}

/** The same from what has been read already. */
export function benefitKeysOf(user: Tiers, granted: readonly string[]): ReadonlySet<BenefitKey> {
  return new Set(benefitsOf(user, granted).map(({ key }) => key))
}

/**
 * Gives or takes ADMIN by Discord id, for the command line. Throws where nobody with this id has signed in yet, and where nobody would be
 * left to administrate.
 */
export async function setAdministrator(db: Db, discordId: string, isAdmin: boolean): Promise<string> {
  return transaction(db, async (trx) => {
    // Whoever counts the administrators that remain counts before this or after.
    if (!isAdmin) await lockAdministrators(trx)
    const user = await findUserByDiscordId(trx, discordId)
    if (user === undefined) throw notFound('user; a person has to sign in once before he can be made an administrator')
    if (isAdmin) await giveByProgram(trx, user.id, 'ADMIN')
    else {
      if ((await grantsOf(trx, user.id)).has('ADMIN') && (await countOtherAdministrators(trx, user.id)) === 0)
        throw forbidden(`${user.username} is the last administrator. Make somebody else an administrator first.`)
      await takeByProgram(trx, user.id, 'ADMIN')
    }
    return user.username
  })
}

/** Sets how many servers a user may have; null is what his tier allows. */
export async function setServerLimit(db: Db, userId: string, most: number | null): Promise<void> {
  await updateUser(db, userId, { max_servers: most })
}
