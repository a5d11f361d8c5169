import type { Deps } from '#backend/platform/deps.ts'
import { RetryLater } from '#backend/platform/retry-later.ts'
import { endedUserBans, liftUserBan } from '#backend/features/users/administration.ts'
import { forgetEndedBans } from './remembered-bans.ts'
import { banForAddress, endedServerBans, liftServerBan, serversToBanAgain } from './server-administration.ts'

const isUserId = (id: string) => id.includes('-')

/**
 * The repeating task: lifts the bans of people and servers that are over, and bans servers that came back with the address of a banned
 * one that their owner deleted. With many nodes each happens once.
 */
export function createBanExpiry(deps: Pick<Deps, 'db' | 'env' | 'clock' | 'log'>): () => Promise<void> {
  const { db, env } = deps
  const retries = new RetryLater(deps)
  const run = (id: string, act: () => Promise<void>) =>
    retries.run(id, act, 'A ban that is over could not be lifted; it will be tried again.')

  return async () => {
    const { postponed } = retries
    const people = await endedUserBans(db, postponed.filter(isUserId))
    for (const id of people) await run(id, () => liftUserBan(db, id, env.ACCOUNT_DELETION_DELAY_HOURS))
    const postponedServers = postponed.filter((id) => !isUserId(id))
    for (const id of await endedServerBans(db, postponedServers)) await run(id, () => liftServerBan(db, id))
    for (const id of await serversToBanAgain(db)) await run(id, () => banForAddress(db, id))
    await forgetEndedBans(db)
  }
}
