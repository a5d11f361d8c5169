/**
 * The identities of an account: Discord in `users.discord_id`, those of OpenID Connect in `identities`. An account without Discord has the
 * ID and the name of one of its identities in its row.
 */
import { isDiscordId } from '#contract/users/users.ts'
import type { Identity } from '#contract/users/identities.ts'
import { lockIdentity, lockUsers } from '#backend/platform/database/lock-order.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { now } from '#backend/platform/database/sql.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Env } from '#backend/platform/env.ts'
import { BY_SYSTEM } from '#backend/core/events/events.ts'
import { type UserRow, addBenefitGrant, getUser, updateUser, upsertSignedInUser } from '#backend/core/users/users.ts'
import { DISCORD } from './cookies.ts'
import { applyGroupRoles, lockForRoles } from './group-roles.ts'
import { type OidcIdentity, oidcIdOf } from './oidc-claims.ts'

export const DISCORD_LABEL = 'Discord'

/** Or the local provider in its place. */
export const hasDiscord = ({ usesLocalIdentity, DISCORD_CLIENT_ID }: Pick<Env, 'usesLocalIdentity' | 'DISCORD_CLIENT_ID'>): boolean =>
  usesLocalIdentity || DISCORD_CLIENT_ID !== undefined

export const findIdentity = (trx: Db, { issuer, subject }: Pick<OidcIdentity, 'issuer' | 'subject'>) =>
  trx.selectFrom('identities').selectAll().where('issuer', '=', issuer).where('subject', '=', subject).executeTakeFirst()

/** Oldest first. */
export const identitiesOf = (trx: Db, userId: string) =>
  trx.selectFrom('identities').selectAll().where('user_id', '=', userId).orderBy('created_at').orderBy('issuer').execute()

/** The user's account, which the first sign-in creates. Their row stays locked. @param label the provider's name, for the audit log. */
export async function upsertOidcUser(trx: Db, deps: Pick<Deps, 'env' | 'log'>, identity: OidcIdentity, label: string): Promise<string> {
  const { issuer, subject, name, roles: wanted } = identity
  await lockIdentity(trx, issuer, subject)
  const stored = await findIdentity(trx, identity)
  const remembered = stored?.roles ?? []
  await lockForRoles(trx, { remembered, wanted })
  const known = stored && (await lockUsers(trx, { [stored.user_id]: 'update' })).get(stored.user_id)
  const user = known === undefined ? await createUser(trx, deps, identity) : await refreshUser(trx, deps, known, identity)
  const roles = await applyGroupRoles(trx, deps, user, { identity, label, remembered, wanted })
  await trx
    .insertInto('identities')
    .values({ issuer, subject, user_id: user.id, name, roles })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doUpdateSet({ name, roles, last_signed_in_at: now }))
    .execute()
  return user.id
}

async function createUser(trx: Db, { env }: Pick<Deps, 'env'>, identity: OidcIdentity): Promise<UserRow> {
  const { id } = await upsertSignedInUser(trx, env, { discordId: oidcIdOf(identity), username: identity.name, avatar: null })
  return getUser(trx, id)
}

/** The name follows the provider whose ID the account has. */
async function refreshUser(trx: Db, { env }: Pick<Deps, 'env'>, user: UserRow, identity: OidcIdentity): Promise<UserRow> {
  const id = oidcIdOf(identity)
  const isAdmin = [id, user.discord_id].some((each) => env.ADMIN_DISCORD_IDS.includes(each))
  if (isAdmin) await addBenefitGrant(trx, user.id, 'ADMIN', BY_SYSTEM)
  return updateUser(trx, user.id, { signed_in_at: now, ...(user.discord_id === id && { username: identity.name }) })
}

/** How the user can sign in. */
export async function listIdentities(db: Db, env: Env, userId: string): Promise<Identity[]> {
  const user = await getUser(db, userId)
  const ofDiscord: Identity = {
    id: user.discord_id,
    provider: hasDiscord(env) ? DISCORD : null,
    label: DISCORD_LABEL,
    name: user.username,
    linked_at: null,
    last_signed_in_at: null,
  }
  const others = (await identitiesOf(db, userId)).map((row): Identity => {
    const provider = env.OIDC_PROVIDERS.find(({ issuer }) => issuer === row.issuer)
    return {
      id: oidcIdOf(row),
      provider: provider?.id ?? null,
      label: provider?.label ?? new URL(row.issuer).host,
      name: row.name,
      linked_at: row.created_at.toISOString(),
      last_signed_in_at: row.last_signed_in_at.toISOString(),
    }
  })
  return isDiscordId(user.discord_id) ? [ofDiscord, ...others] : others
}
