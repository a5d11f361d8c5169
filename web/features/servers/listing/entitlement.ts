/** The owner's benefits and groups, which decide what their servers can use. */
import { type QueryClient, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { BENEFITS } from '#contract/benefits/benefit-texts.ts'
import { type BenefitKey, TIERS, lowestTierWith } from '#contract/benefits/benefits.ts'
import type { BenefitField } from '#contract/servers/server-field-shapes.ts'
import { SERVER_FIELDS } from '#contract/servers/server-fields.ts'
import type { AdminUser } from '#contract/users/users-admin.ts'
import { m } from '#messages'
import { groupsOptions } from '#web/features/groups/groups.api.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { isAdminServer, type ShownServer, hasPermission } from '#web/features/servers/access.ts'
import { appearanceOptions, managedServerOptions } from '#web/features/servers/servers.api.ts'
import { adminUserOptions } from '#web/features/users/admin/admin-user.api.ts'

export interface Entitlement {
  readonly benefits: ReadonlySet<BenefitKey>
  readonly groups: readonly { readonly id: string; readonly name: string }[]
}

/** The entitlement is undefined while it loads, after an error, and for managers without the permission. */
export function useEntitlement(server: ShownServer) {
  const { owner, user_id } = server
  const { data: me } = useSuspenseQuery(meOptions)
  const client = useQueryClient()
  const asAdmin = isAdminServer(server)
  const own = useQuery({ ...groupsOptions, enabled: owner === undefined, select: (groups) => entitlementOf(me.benefits, groups) })
  const isAllowed = owner !== undefined && !asAdmin && hasPermission(server, 'EDIT_APPEARANCE')
  const managed = useQuery({
    ...appearanceOptions(user_id),
    enabled: isAllowed && (() => isStillAllowed(client, server)),
    select: ({ benefits, groups }): Entitlement => ({ benefits: new Set(benefits), groups }),
  })
  const admin = useQuery({ ...adminUserOptions(user_id), enabled: asAdmin, select: entitlementOfUser })
  const { data: entitlement, error, refetch } = asAdmin ? admin : owner ? managed : own
  return { entitlement, error, retry: () => void refetch() }
}

function entitlementOf(benefits: readonly { key: BenefitKey }[], groups: Entitlement['groups']): Entitlement {
  return { benefits: new Set(benefits.map(({ key }) => key)), groups }
}

/** For administrators, who know only the groups that have servers. */
function entitlementOfUser({ benefits, masterListTokens }: AdminUser): Entitlement {
  const groups = masterListTokens.flatMap(({ group }) => group ?? [])
  return entitlementOf(benefits, [...new Map(groups.map((group) => [group.id, group])).values()])
}

/** The cache may know that the permission ended before the form renders. A request would fail then. */
function isStillAllowed(client: QueryClient, { user_id, public_id }: ShownServer): boolean {
  const state = client.getQueryState(managedServerOptions(user_id, public_id).queryKey)
  return state?.status !== 'error' && (state?.data === undefined || hasPermission(state.data, 'EDIT_APPEARANCE'))
}

export const unlocks = ({ benefits }: Entitlement, field: BenefitField) => benefits.has(SERVER_FIELDS[field].benefit)

/** Why a field is locked. @param owner the owner's name, if it is another user. */
export function lockedReason(field: BenefitField, owner?: string): string {
  const key = SERVER_FIELDS[field].benefit
  const tier = lowestTierWith(key)
  const from = tier === null ? '' : m.groups_benefit_from({ benefit: BENEFITS[key].name(), tier: TIERS[tier].name })
  return owner === undefined ? from : `${m.servers_listing_locked_owner({ owner })} ${from}`
}
