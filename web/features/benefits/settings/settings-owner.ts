/** The user whose settings are edited, with what the form needs. The route has loaded them. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { OwnerId } from '#web/features/benefits/benefits.api.ts'
import { adminUserOptions } from '#web/features/users/admin/admin-user.api.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { meOptions } from '#web/features/session/session.api.ts'

export type SettingsOwner = ReturnType<typeof useSettingsOwner>

export function useSettingsOwner(whose: OwnerId) {
  const { data: me } = useSuspenseQuery(meOptions)
  const { data: list } = useQuery({ ...serverListOptions, enabled: whose === undefined })
  const { data: user } = useQuery({ ...adminUserOptions(whose ?? ''), enabled: whose !== undefined })
  return {
    whose,
    /** The name of another user; undefined for one's own settings. */
    name: user?.discord.username,
    held: ((whose === undefined ? me : user)?.benefits ?? []).map(({ key }) => key),
    servers: (whose === undefined ? list?.owned : user?.masterListTokens) ?? [],
  }
}
