/** Roles that a user has by their groups at a provider. They come and go with the groups, at each sign-in by that provider. */
import { ROLES, type Role } from '#contract/benefits/benefits.ts'
import { lockAdministrators } from '#backend/platform/database/lock-order.ts'
import type { Db } from '#backend/platform/database/open.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { BY_SYSTEM } from '#backend/core/events/events.ts'
import { hasOtherAdministrators } from '#backend/core/users/administration.ts'
import { type UserRow, addBenefitGrant, listBenefitGrants, removeBenefitGrant } from '#backend/core/users/users.ts'
import { type OidcIdentity, oidcIdOf } from './oidc-claims.ts'

interface GroupRoles {
  /** Which of the user's identities decides. */
  readonly identity: Pick<OidcIdentity, 'issuer' | 'subject'>
  /** The provider's name, for the audit log. */
  readonly label: string
  /** What it has given so far. */
  readonly remembered: readonly string[]
  /** What the groups give now. */
  readonly wanted: readonly Role[]
}

/** Call it before any user is locked if a role may end. */
export async function lockForRoles(trx: Db, { remembered, wanted }: Pick<GroupRoles, 'remembered' | 'wanted'>): Promise<void> {
  if (ROLES.some((role) => remembered.includes(role) && !wanted.includes(role))) await lockAdministrators(trx)
}

/**
 * Grants and revokes roles of a locked user. Returns those that this identity gives, to be remembered: a role that an administrator granted
 * is not among them, so it stays.
 */
export async function applyGroupRoles(
  trx: Db,
  { env, log }: Pick<Deps, 'env' | 'log'>,
  user: UserRow,
  { identity, label, remembered, wanted }: GroupRoles,
): Promise<Role[]> {
  if (remembered.length === 0 && wanted.length === 0) return []
  const held = await listBenefitGrants(trx, user.id)
  const all = await trx.selectFrom('identities').select(['issuer', 'subject', 'roles']).where('user_id', '=', user.id).execute()
  const others = all.filter(({ issuer, subject }) => issuer !== identity.issuer || subject !== identity.subject)
  const isNamed = [user.discord_id, ...all.map(oidcIdOf)].some((id) => env.ADMIN_DISCORD_IDS.includes(id))
  const given: Role[] = []
  for (const role of ROLES) {
    const isOfOthers = others.some(({ roles }) => roles.includes(role))
    if (wanted.includes(role)) {
      if (!held.includes(role)) await addBenefitGrant(trx, user.id, role, BY_SYSTEM, { provider: label })
      if (!held.includes(role) || isOfOthers || remembered.includes(role)) given.push(role)
    } else if (remembered.includes(role) && held.includes(role) && !isOfOthers && !isNamed) {
      if (await hasOtherAdministrators(trx, user.id)) await removeBenefitGrant(trx, user.id, role, BY_SYSTEM, { provider: label })
      else {
        log.warn({ user_id: user.id, role, provider: label }, 'role kept, because no administrator would remain')
        given.push(role)
      }
    }
  }
  return given
}
