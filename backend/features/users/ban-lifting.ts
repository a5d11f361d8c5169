import type { Deps } from '#backend/platform/deps.ts'
import type { Doors } from '#backend/app/services.ts'
import { banForAddress, endedServerBans, liftServerBan, serversToBanAgain } from '#backend/features/servers/server-administration.ts'
import { forgetEndedBans } from '#backend/features/servers/remembered-bans.ts'
import { endedUserBans, liftUserBan } from './administration.ts'

/** What could not be lifted is tried again after this long; the others don't wait for it. */
const TRY_AGAIN_MS = 60_000

/**
 * The repeating task: lifts the bans of people and servers that are over, one by one, each told at once, and bans again who came back with
 * the address of a banned server that they deleted. With many nodes each happens once.
 */
export function createBanLifting({ db, env, clock, log }: Deps, { tellList, live }: Pick<Doors, 'tellList' | 'live'>): () => Promise<void> {
  const laterAt = new Map<string, number>()

  const lift = async (id: string, act: () => Promise<void>) => {
    try {
      await act()
    } catch (error) {
      laterAt.set(id, clock.uptime() + TRY_AGAIN_MS)
      log.warn({ err: error, of: id }, 'A ban that is over could not be lifted; it will be tried again.')
    }
  }

  const ofPerson = async (userId: string) => {
    const servers = await liftUserBan(db, userId, env.ACCOUNT_DELETION_DELAY_HOURS)
    if (servers === undefined) return
    await tellList(...servers)
    live.account([userId], 'me', 'servers', 'activity')
  }

  const ofServer = async (publicId: string) => {
    const ownerId = await liftServerBan(db, publicId)
    if (ownerId === undefined) return
    await tellList(publicId)
    live.account([ownerId], 'activity')
  }

  const banAgain = async (publicId: string) => {
    const ownerId = await banForAddress(db, publicId)
    if (ownerId === undefined) return
    await tellList(publicId)
    live.account([ownerId], 'servers', 'activity')
  }

  return async () => {
    for (const [id, at] of laterAt) if (clock.uptime() >= at) laterAt.delete(id)
    const waiting = [...laterAt.keys()]
    const isPerson = (id: string) => id.includes('-')
    for (const id of await endedUserBans(db, waiting.filter(isPerson))) await lift(id, () => ofPerson(id))
    const servers = await endedServerBans(
      db,
      waiting.filter((id) => !isPerson(id)),
    )
    for (const id of servers) await lift(id, () => ofServer(id))
    for (const id of await serversToBanAgain(db)) await lift(id, () => banAgain(id))
    await forgetEndedBans(db)
  }
}
