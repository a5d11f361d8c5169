import type { Deps } from '#backend/deps.ts'
import type { Doors } from '#backend/doors.ts'
import { liftServerBans } from '#backend/features/servers/server-administration.ts'
import { liftUserBans } from './administration.ts'

/** The repeating task: lifts the bans of people and servers that are over. With many nodes each is lifted once. */
export async function liftBans({ db, env }: Deps, { tellList, live }: Pick<Doors, 'tellList' | 'live'>): Promise<void> {
  for (const { userId, servers } of await liftUserBans(db, env.ACCOUNT_DELETION_DELAY_HOURS)) {
    await tellList(...servers)
    live.account([userId], 'me', 'servers', 'activity')
  }
  for (const { publicId, ownerId } of await liftServerBans(db)) {
    await tellList(publicId)
    live.account([ownerId], 'activity')
  }
}
