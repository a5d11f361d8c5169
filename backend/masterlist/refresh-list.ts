/** Reloads servers on every node's list after a committed change. */
import pLimit from 'p-limit'
import type { Bus } from '#backend/platform/cluster/bus.ts'
import type { RunningMasterList } from './masterlist.ts'

/** Resolves once this node and all others have reloaded these servers, or after 1.5 seconds for the others. Failures are retried. Never rejects. */
export type RefreshList = (...publicIds: readonly string[]) => Promise<void>

/** Each reload is two queries, and an owner with a thousand servers must not occupy the whole pool. */
const CONCURRENCY = 4

export function createRefreshList(list: Pick<RunningMasterList, 'refresh'>, bus: Bus): RefreshList {
  /** Returns whether all reloads succeeded. */
  const refreshAll = async (publicIds: readonly string[], isRemote: boolean): Promise<boolean> => {
    const refresh = (publicId: string) =>
      list.refresh(publicId, isRemote).then(
        () => true,
        () => false,
      )
    return !(await pLimit(CONCURRENCY).map(publicIds, refresh)).includes(false)
  }
  bus.on('refresh', async ({ publicIds }) => {
    // Throwing withholds the acknowledgement, so the publishing node doesn't assume that the change applies here.
    if (!(await refreshAll(publicIds, true))) throw new Error('Some servers could not be reloaded.')
  })
  return async (...publicIds) => {
    if (publicIds.length === 0) return
    await Promise.all([refreshAll(publicIds, false), bus.publishAndWait('refresh', { publicIds })])
  }
}
