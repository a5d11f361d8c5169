/** The user whose settings are edited. The route has loaded them. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { OwnerId } from '#web/features/benefits/benefits.api.ts'
import { adminUserOptions } from '#web/features/users/admin/admin-user.api.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { meOptions } from '#web/features/session/session.api.ts'

export type SettingsOwner = ReturnType<typeof useSettingsOwner>

export function useSettingsOwner(ownerId: OwnerId) {
  const { data: me } = useSuspenseQuery(meOptions)
  const { data: list } = useQuery({ ...serverListOptions, enabled: ownerId === undefined })
  const { data: user } = useQuery({ ...adminUserOptions(ownerId ?? ''), enabled: ownerId !== undefined })
  return {
    id: ownerId,
    /** Undefined for your own settings. */
    name: user?.discord.username,
    benefits: ((ownerId === undefined ? me : user)?.benefits ?? []).map(({ key }) => key),
    servers: (ownerId === undefined ? list?.owned : user?.masterListTokens) ?? [],
  }
}
