/** Reloads servers on every node's list after a committed change. */
import type { Bus } from '#backend/platform/cluster/bus.ts'
import type { Log } from '#backend/platform/log.ts'
import type { RunningMasterList } from './masterlist.ts'

/** Resolves once this node has reloaded these servers, or will retry, and the others have or 1.5 seconds have passed. Never rejects. */
export type RefreshList = (...publicIds: readonly string[]) => Promise<void>

/** Each is two queries, and a person with a thousand servers must not take the whole pool. */
const CONCURRENCY = 4

export function createRefreshList(list: Pick<RunningMasterList, 'refresh'>, bus: Bus, log: Log): RefreshList {
  /** Returns whether all could be read. */
  const refreshAll = async (publicIds: readonly string[], isElsewhere: boolean): Promise<boolean> => {
    const left = publicIds.values()
    let hasFailed = false
    const refreshRest = async () => {
      for (const publicId of left) {
        await list.refresh(publicId, isElsewhere).catch((error: unknown) => {
          hasFailed = true
          log.warn({ err: error }, 'The master list could not read a change yet.')
        })
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, refreshRest))
    return !hasFailed
  }
  bus.on('refresh', async ({ publicIds }) => {
    // The node that told us must not believe that the change holds here: a handler that throws is not answered.
    if (!(await refreshAll(publicIds, true))) throw new Error('Not every change could be read.')
  })
  return async (...publicIds) => {
    if (publicIds.length === 0) return
    await Promise.all([refreshAll(publicIds, false), bus.publishAndWait('refresh', { publicIds })])
  }
}
