/** What a server's owner may give it: which benefits unlock its fields, and in which groups it can stand. */
import { type QueryClient, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { BENEFITS, type BenefitField, type BenefitKey, FIELD_BENEFITS, TIERS, tierWith } from '#contract/benefits.ts'
import type { AdminUser } from '#contract/users-admin.ts'
import { groupsOptions } from '#web/features/groups/groups.api.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { isAdministered, type ShownServer, may } from '#web/features/servers/access.ts'
import type { ListingInput } from './listing-input.ts'
import type { Look } from './look.ts'
import { appearanceOptions, managedOptions } from '#web/features/servers/servers.api.ts'
import { adminUserOptions } from '#web/features/users/admin/admin-user.api.ts'

export interface Entitlement {
  /** The benefits that the owner holds, of those that a field needs. */
  readonly held: ReadonlySet<BenefitKey>
  /** The owner's groups. */
  readonly groups: readonly { readonly id: string; readonly name: string }[]
}

/** The owner's entitlement; undefined until it is read, and for a manager who may not use it. With an error it could not be, and can be asked for again. */
export function useEntitlement(server: ShownServer): { entitlement?: Entitlement; error: Error | null; retry: () => void } {
  const { owner, user_id } = server
  const { data: me } = useSuspenseQuery(meOptions)
  const own = useQuery({ ...groupsOptions, enabled: owner === undefined })
  const client = useQueryClient()
  const asAdmin = isAdministered(server)
  const isAllowed = owner !== undefined && !asAdmin && may(server, 'EDIT_APPEARANCE')
  const others = useQuery({ ...appearanceOptions(user_id), enabled: isAllowed && (() => isAllowedStill(client, server)) })
  const anybodys = useQuery({ ...adminUserOptions(user_id), enabled: asAdmin })
  const { error, refetch } = asAdmin ? anybodys : owner ? others : own
  const retry = () => void refetch()
  if (asAdmin) return { error, retry, ...(anybodys.data && { entitlement: entitlementOf(anybodys.data) }) }
  if (owner) {
    return { error, retry, ...(others.data && { entitlement: { held: new Set(others.data.benefits), groups: others.data.groups } }) }
  }
  return { error, retry, ...(own.data && { entitlement: { held: new Set(me.benefits.map(({ key }) => key)), groups: own.data } }) }
}

/** Of somebody whom an administrator looks at. Of the groups only those that a server stands in are known. */
function entitlementOf({ benefits, masterListTokens }: AdminUser): Entitlement {
  const groups = masterListTokens.flatMap(({ group }) => group ?? [])
  return { held: new Set(benefits.map(({ key }) => key)), groups: [...new Map(groups.map((group) => [group.id, group])).values()] }
}

/** A permission that has just ended is known before the form is drawn without it: meanwhile nothing is asked that would be refused. */
function isAllowedStill(client: QueryClient, { user_id, public_id }: ShownServer): boolean {
  const known = client.getQueryState(managedOptions(user_id, public_id).queryKey)
  return known?.status !== 'error' && (known?.data === undefined || may(known.data, 'EDIT_APPEARANCE'))
}

export function unlocks({ held }: Entitlement, field: BenefitField): boolean {
  return held.has(FIELD_BENEFITS[field])
}

/** Why a field is locked: which benefit it needs, and from which tier that comes. @param owner somebody else, by name. */
export function lockedReason(field: BenefitField, owner?: string): string {
  const key = FIELD_BENEFITS[field]
  const tier = tierWith(key)
  const from = tier === null ? '' : `${BENEFITS[key].name} comes with ${TIERS[tier].name}.`
  return owner === undefined ? from : `${owner} does not have this benefit now. ${from}`
}

/** The server as it would be with what the form holds. */
export function typedLook(typed: ListingInput, entitlement: Entitlement): Look {
  const seen = (field: BenefitField) => unlocks(entitlement, field)
  return {
    iconUrl: seen('icon_image_id') && typed.icon_image_id !== null ? typed.icon_url : null,
    group: seen('group_id') ? (entitlement.groups.find(({ id }) => id === typed.group_id)?.name ?? null) : null,
    promoted: typed.promoted && seen('promoted'),
    vanity: seen('vanity_url') ? typed.vanity_url : null,
  }
}
