/** The settings of benefits: one's own, or those of somebody else for an administrator. */
import { queryOptions, useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { BenefitKey, SettingsKey } from '#contract/benefits.ts'
import type { Server } from '#contract/servers.ts'
import { call } from '#web/lib/call.ts'
import { adminUserOptions } from '#web/features/benefits/admin/admin-benefits.api.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { meOptions } from '#web/features/session/session.api.ts'

/** Whose settings: undefined is the signed-in person, else the id of the user that an administrator looks after. */
export type Whose = string | undefined

export const settingsOptions = (key: SettingsKey, whose: Whose) =>
  queryOptions({
    queryKey: ['benefits', 'settings', key, whose ?? 'own'],
    queryFn: ({ signal }) =>
      whose === undefined
        ? call('GET /api/users/benefits/{key}/settings', { params: { key }, signal })
        : call('GET /api/admin/users/{id}/benefits/{key}/settings', { params: { id: whose, key }, signal }),
  })

export interface Holder {
  /** The name of somebody else; undefined where they are one's own settings. */
  readonly name: string | undefined
  readonly held: readonly BenefitKey[]
  readonly servers: readonly Server[]
}

/** The person whose settings they are. The route has read it. */
export function useHolder(whose: Whose): Holder {
  const { data: me } = useSuspenseQuery(meOptions)
  const { data: list } = useQuery({ ...serverListOptions, enabled: whose === undefined })
  const { data: user } = useQuery({ ...adminUserOptions(whose ?? ''), enabled: whose !== undefined })
  return {
    name: user?.discord.username,
    held: ((whose === undefined ? me : user)?.benefits ?? []).map(({ key }) => key),
    servers: (whose === undefined ? list?.owned : user?.masterListTokens) ?? [],
  }
}

/** A look at a news feed, as the launcher will show it. */
export function useFeedPreview() {
  return useMutation({ mutationFn: (url: string) => call('POST /api/users/benefits/feed-preview', { body: { url } }) })
}
