/** Has every node's list read servers again after a committed change. */
import type { Bus } from '#backend/platform/cluster/bus.ts'
import type { Log } from '#backend/platform/log.ts'
import type { MasterList } from './master-list.ts'

/**
 * Resolves once the list has read these servers, here and on every other living node, or once that failed: the list tries again by
 * itself. Never rejects.
 */
export type RefreshList = (...publicIds: readonly string[]) => Promise<void>

/** Each is two queries; a person with a thousand servers must not take the whole pool. */
const CONCURRENCY = 4

export function createRefreshList(list: Pick<MasterList, 'refresh'>, bus: Bus, log: Log): RefreshList {
  /** Returns how many could not be read. */
  const refreshAll = async (publicIds: readonly string[], isElsewhere: boolean): Promise<number> => {
    const left = [...publicIds]
    let failed = 0
    const work = async (): Promise<void> => {
      for (let publicId = left.pop(); publicId !== undefined; publicId = left.pop()) {
        try {
          await list.refresh(publicId, isElsewhere)
        } catch (error) {
          failed += 1
          log.warn({ err: error }, 'The master list could not read a change yet.')
        }
      }
    }
    await Promise.all(Array.from({ length: Math.min(CONCURRENCY, left.length) }, work))
    return failed
  }
  bus.on('refresh', async ({ publicIds }) => {
    // The publisher must not believe that the change holds here.
    if ((await refreshAll(publicIds, true)) > 0) throw new Error('Not every change could be read.')
  })
  return async (...publicIds) => {
    if (publicIds.length === 0) return
    await Promise.all([refreshAll(publicIds, false), bus.tell('refresh', { publicIds })])
  }
}
