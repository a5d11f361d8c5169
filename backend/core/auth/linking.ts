/** Linking further identities to an account, and unlinking them. Only the signed-in user does, and the last way in stays. */
import { isDiscordId } from '#contract/users/users.ts'
import { lockIdentity, lockSupporter } from '#backend/platform/database/lock-order.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { translateViolations } from '#backend/platform/database/violation.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Env } from '#backend/platform/env.ts'
import { conflict, notFound, orNotFound } from '#backend/platform/errors.ts'
import { bySelf, recordEvent } from '#backend/core/events/events.ts'
import { tierOfSupporter } from '#backend/core/supporters/supporters.ts'
import { setOwnedTier } from '#backend/core/users/administration.ts'
import { type DiscordIdentity, findUser, lockActor, updateUser } from '#backend/core/users/users.ts'
import { applyGroupRoles, lockForRoles } from './group-roles.ts'
import { DISCORD_LABEL, findIdentity, hasDiscord, identitiesOf } from './identities.ts'
import { type OidcIdentity, oidcIdOf } from './oidc-claims.ts'

const inUse = (provider: string) => conflict('IDENTITY_IN_USE', { provider })
const hasAnother = (provider: string) => conflict('IDENTITY_ALREADY_LINKED', { provider })

/** Does nothing if it is linked to this account already. @param label the provider's name */
export function linkOidc(db: Db, userId: string, identity: OidcIdentity, label: string): Promise<void> {
  return transaction(db, async (trx) => {
    const { issuer, subject, name } = identity
    await lockIdentity(trx, issuer, subject)
    await lockActor(trx, userId, 'update')
    const existing = await findIdentity(trx, identity)
    if (existing?.user_id === userId) return
    if (existing !== undefined) throw inUse(label)
    if ((await identitiesOf(trx, userId)).some((other) => other.issuer === issuer)) throw hasAnother(label)
    await trx.insertInto('identities').values({ issuer, subject, user_id: userId, name }).execute()
    await recordEvent(trx, { action: 'IDENTITY_LINKED', ...bySelf(userId), after: { provider: label, name } })
  })
}

/** The account gets Discord's ID, name, avatar, and the tier of its memberships. */
export function linkDiscord(db: Db, userId: string, { discordId, ...profile }: DiscordIdentity): Promise<void> {
  const link = () =>
    transaction(db, async (trx) => {
      const tier = await tierOfSupporter(trx, discordId)
      const user = await lockActor(trx, userId, 'update')
      if (user.discord_id === discordId) return
      if (isDiscordId(user.discord_id)) throw hasAnother(DISCORD_LABEL)
      await updateUser(trx, userId, { discord_id: discordId, ...profile })
      await recordEvent(trx, {
        action: 'IDENTITY_LINKED',
        ...bySelf(userId),
        after: { provider: DISCORD_LABEL, name: profile.username },
      })
      await setOwnedTier(trx, user, tier)
    })
  return translateViolations(link, { users_discord_id_key: () => inUse(DISCORD_LABEL) })
}

/** Throws `not-found` if the user has no such identity, and `conflict` if it is the last way in. */
export async function unlink(deps: Pick<Deps, 'db' | 'env' | 'log'>, userId: string, id: string): Promise<void> {
  if (isDiscordId(id)) await unlinkDiscord(deps, userId, id)
  else await unlinkOidc(deps, userId, id)
}

type IdentityRow = Awaited<ReturnType<typeof identitiesOf>>[number]

/** Throws `conflict` if no configured provider remains. Call it with the user's row locked. */
function requireWayIn({ OIDC_PROVIDERS, ...env }: Env, hasDiscordId: boolean, remaining: readonly IdentityRow[]): void {
  if (hasDiscordId && hasDiscord(env)) return
  if (!remaining.some((row) => OIDC_PROVIDERS.some(({ issuer }) => issuer === row.issuer))) throw conflict('LAST_WAY_TO_SIGN_IN')
}

function unlinkDiscord({ db, env }: Pick<Deps, 'db' | 'env'>, userId: string, discordId: string): Promise<void> {
  return transaction(db, async (trx) => {
    // Only for the owner of the ID, so that nobody waits for another user's lock.
    if ((await findUser(trx, 'id', userId))?.discord_id !== discordId) throw notFound('IDENTITY_NOT_FOUND')
    await lockSupporter(trx, discordId)
    const user = await lockActor(trx, userId, 'update')
    if (user.discord_id !== discordId) throw notFound('IDENTITY_NOT_FOUND')
    const remaining = await identitiesOf(trx, userId)
    requireWayIn(env, false, remaining)
    await takeProfileFrom(trx, userId, remaining)
    await recordEvent(trx, {
      action: 'IDENTITY_UNLINKED',
      ...bySelf(userId),
      before: { provider: DISCORD_LABEL, name: user.username },
    })
    // The memberships are Discord's. Its next sign-in gets their tier.
    await setOwnedTier(trx, user, null)
  })
}

function unlinkOidc({ db, env, log }: Pick<Deps, 'db' | 'env' | 'log'>, userId: string, id: string): Promise<void> {
  return transaction(db, async (trx) => {
    const isIt = (row: IdentityRow) => oidcIdOf(row) === id
    const found = orNotFound((await identitiesOf(trx, userId)).find(isIt), 'IDENTITY_NOT_FOUND')
    await lockIdentity(trx, found.issuer, found.subject)
    const { roles: remembered } = orNotFound(await findIdentity(trx, found), 'IDENTITY_NOT_FOUND')
    await lockForRoles(trx, { remembered, wanted: [] })
    const user = await lockActor(trx, userId, 'update')
    const all = await identitiesOf(trx, userId)
    const identity = orNotFound(all.find(isIt), 'IDENTITY_NOT_FOUND')
    const remaining = all.filter((row) => row !== identity)
    requireWayIn(env, isDiscordId(user.discord_id), remaining)
    const label = env.OIDC_PROVIDERS.find(({ issuer }) => issuer === identity.issuer)?.label ?? new URL(identity.issuer).host
    await applyGroupRoles(trx, { env, log }, user, { identity, label, remembered, wanted: [] })
    await trx.deleteFrom('identities').where('issuer', '=', identity.issuer).where('subject', '=', identity.subject).execute()
    if (user.discord_id === id) await takeProfileFrom(trx, userId, remaining)
    await recordEvent(trx, { action: 'IDENTITY_UNLINKED', ...bySelf(userId), before: { provider: label, name: identity.name } })
  })
}

/** The ID and name of the oldest. Its former ID is free then, so that another account can have it. */
async function takeProfileFrom(trx: Db, userId: string, [oldest]: readonly IdentityRow[]): Promise<void> {
  if (oldest === undefined) throw new Error('an account needs an identity')
  await updateUser(trx, userId, { discord_id: oidcIdOf(oldest), username: oldest.name, avatar: null })
}
