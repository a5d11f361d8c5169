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
import type { Me } from '#contract/users.ts'
import type { Db } from '#backend/database/open.ts'
import type { Deps } from '#backend/deps.ts'
import { forbidden, notFound } from '#backend/errors.ts'
import { deleteGrant, findUser, findUserByDiscordId, insertGrant, listGrants, lockUser, updateLimits, upsertUser } from './users.queries.ts'

type UserRow = NonNullable<Awaited<ReturnType<typeof findUser>>>

/** The local provider's persona that is an administrator. */
const LOCAL_ADMIN = 'admin'

/** Takes in who signed in and answers his id here. Whom the configuration names becomes an administrator. */
export function welcome({ db, env }: Deps, identity: { discordId: string; username: string; avatar: string | null }): Promise<string> {
  const isAdmin = env.ADMIN_DISCORD_IDS.includes(identity.discordId) || (env.usesLocalIdentity && identity.username === LOCAL_ADMIN)
  return db.transaction().execute(async (trx) => {
    const id = await upsertUser(trx, { id: uuidv7(), ...identity })
    if (isAdmin) await insertGrant(trx, id, 'ADMIN')
    return id
  })
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

function benefitsOf(user: UserRow, granted: readonly { key: string }[]): Me['benefits'] {
  const byTier = new Set<string>(benefitsOfTier(activeTierOf(user)))
  const byGrant = new Set(granted.map((grant) => grant.key))
  return BENEFIT_KEYS.flatMap((key): Me['benefits'] => {
    if (byTier.has(key)) return [{ key, source: 'tier' }]
    return byGrant.has(key) ? [{ key, source: 'grant' }] : []
  })
}

export async function getMe(db: Db, userId: string): Promise<Me> {
  const user = await findUser(db, userId)
  if (user === undefined) throw notFound('user')
  const allowance = allowanceOf(user)
  return {
    id: user.id,
    discord: { discord_id: user.discord_id, username: user.username, avatar: user.avatar },
    benefits: benefitsOf(user, await listGrants(db, userId)),
    active_tier: activeTierOf(user),
    owned_tier: tierOf(user.owned_tier),
    is_tier_forced: user.forced_tier !== null,
    max_masterlist_tokens: allowance.servers,
    max_managers: allowance.managers,
    max_masterlist_groups: allowance.groups,
    delete_at: user.delete_at?.toISOString() ?? null,
    gived_managements: [],
    recieved_managements: [],
    banned: user.banned,
    ...(user.ban_reason !== null && { ban_reason: user.ban_reason }),
  }
}

/**
 * Holds the acting user inside a transaction and makes sure that he may still act: a ban or a deletion that was committed a moment
 * ago ends what was under way. `update` also lines up calls that count against his limits.
 */
export async function lockActor(trx: Db, userId: string, how: 'update' | 'share'): Promise<UserRow> {
  const user = await lockUser(trx, userId, how)
  if (user === undefined) throw forbidden('You are not signed in.')
  if (user.banned) throw forbidden('Your account is banned.')
  if (user.delete_at !== null) throw forbidden('Your account is set for deletion. Cancel the deletion first.')
  return user
}

/** The benefits a user holds now, by tier or by grant. */
export async function heldBenefits(db: Db, user: UserRow): Promise<ReadonlySet<BenefitKey>> {
  return benefitKeysOf(
    user,
    (await listGrants(db, user.id)).map((grant) => grant.key),
  )
}

/** The same from what has been read already. */
export function benefitKeysOf(user: Pick<UserRow, 'forced_tier' | 'owned_tier'>, granted: readonly string[]): ReadonlySet<BenefitKey> {
  const byTier = benefitsOfTier(activeTierOf(user))
  return new Set(BENEFIT_KEYS.filter((key) => byTier.includes(key) || granted.includes(key)))
}

/** Gives or takes ADMIN by Discord id, for the command line. Throws where nobody with this id has signed in yet. */
export async function setAdministrator(db: Db, discordId: string, isAdmin: boolean): Promise<string> {
  const user = await findUserByDiscordId(db, discordId)
  if (user === undefined) throw notFound('user; a person has to sign in once before he can be made an administrator')
  await (isAdmin ? insertGrant(db, user.id, 'ADMIN') : deleteGrant(db, user.id, 'ADMIN'))
  return user.username
}

/** Sets how many servers a user may have; null is what his tier allows. */
export async function setServerLimit(db: Db, userId: string, most: number | null): Promise<void> {
  await updateLimits(db, userId, { max_servers: most })
}
