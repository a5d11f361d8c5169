/** What a server's owner may give it: which benefits unlock its fields, and in which groups it can stand. */
import { type QueryClient, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { BENEFITS, type BenefitField, type BenefitKey, FIELD_BENEFITS, TIERS, lowestTierWith } from '#contract/benefits.ts'
import type { AdminUser } from '#contract/users-admin.ts'
import { groupsOptions } from '#web/features/groups/groups.api.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { isAdminServer, type ShownServer, hasPermission } from '#web/features/servers/access.ts'
import type { ListingInput } from './listing-input.ts'
import type { VisibleAppearance } from './visible-appearance.ts'
import { appearanceOptions, managedServerOptions } from '#web/features/servers/servers.api.ts'
import { adminUserOptions } from '#web/features/users/admin/admin-user.api.ts'

export interface Entitlement {
  readonly held: ReadonlySet<BenefitKey>
  readonly groups: readonly { readonly id: string; readonly name: string }[]
}

/** The owner's entitlement: undefined until it is read, where that failed, and for a manager who may not use it. */
export function useEntitlement(server: ShownServer) {
  const { owner, user_id } = server
  const { data: me } = useSuspenseQuery(meOptions)
  const client = useQueryClient()
  const asAdmin = isAdminServer(server)
  const own = useQuery({ ...groupsOptions, enabled: owner === undefined, select: (groups) => entitlementOf(me.benefits, groups) })
  const isAllowed = owner !== undefined && !asAdmin && hasPermission(server, 'EDIT_APPEARANCE')
  const others = useQuery({
    ...appearanceOptions(user_id),
    enabled: isAllowed && (() => isAllowedStill(client, server)),
    select: ({ benefits, groups }): Entitlement => ({ held: new Set(benefits), groups }),
  })
  const anyones = useQuery({ ...adminUserOptions(user_id), enabled: asAdmin, select: entitlementOfUser })
  const { data: entitlement, error, refetch } = asAdmin ? anyones : owner ? others : own
  return { entitlement, error, retry: () => void refetch() }
}

function entitlementOf(benefits: readonly { key: BenefitKey }[], groups: Entitlement['groups']): Entitlement {
  return { held: new Set(benefits.map(({ key }) => key)), groups }
}

/** For an administrator. Only the groups that a server is in are known. */
function entitlementOfUser({ benefits, masterListTokens }: AdminUser): Entitlement {
  const groups = masterListTokens.flatMap(({ group }) => group ?? [])
  return entitlementOf(benefits, [...new Map(groups.map((group) => [group.id, group])).values()])
}

/** A permission that has just ended is known before the form is drawn without it: nothing is asked then that would be refused. */
function isAllowedStill(client: QueryClient, { user_id, public_id }: ShownServer): boolean {
  const known = client.getQueryState(managedServerOptions(user_id, public_id).queryKey)
  return known?.status !== 'error' && (known?.data === undefined || hasPermission(known.data, 'EDIT_APPEARANCE'))
}

export function unlocks({ held }: Entitlement, field: BenefitField): boolean {
  return held.has(FIELD_BENEFITS[field])
}

/** Why a field is locked. @param owner the name of the owner, where that is another user. */
export function lockedReason(field: BenefitField, owner?: string): string {
  const key = FIELD_BENEFITS[field]
  const tier = lowestTierWith(key)
  const from = tier === null ? '' : `${BENEFITS[key].name} comes with ${TIERS[tier].name}.`
  return owner === undefined ? from : `${owner} does not have this benefit now. ${from}`
}

export function draftAppearance(typed: ListingInput, entitlement: Entitlement): VisibleAppearance {
  const seen = (field: BenefitField) => unlocks(entitlement, field)
  return {
    iconUrl: seen('icon_image_id') && typed.icon_image_id !== null ? typed.icon_url : null,
    group: seen('group_id') ? (entitlement.groups.find(({ id }) => id === typed.group_id)?.name ?? null) : null,
    promoted: typed.promoted && seen('promoted'),
    vanity: seen('vanity_url') ? typed.vanity_url : null,
  }
}
