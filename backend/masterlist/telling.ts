/** Telling the list that something was committed, for the routes of other slices. */
import type { Bus } from '#backend/platform/cluster/bus.ts'
import type { Log } from '#backend/platform/log.ts'
import type { MasterList } from './master-list.ts'

/**
 * Resolves once the list knows, here and on every other living node, or once it could not be told just now: the change is committed, the
 * list tries again by itself, and the caller gets his answer.
 */
export type TellList = (...publicIds: readonly string[]) => Promise<void>

/** Each is two queries; a person with a thousand servers must not take the whole pool. */
const AT_ONCE = 4

export function createTellList(list: Pick<MasterList, 'refresh'>, bus: Bus, log: Log): TellList {
  /** Answers how many could not be read. */
  const refreshAll = async (publicIds: readonly string[], isElsewhere: boolean): Promise<number> => {
    const left = [...publicIds]
    let failed = 0
    const next = async (): Promise<void> => {
      for (let publicId = left.pop(); publicId !== undefined; publicId = left.pop()) {
        try {
          await list.refresh(publicId, isElsewhere)
        } catch (error) {
          failed += 1
          log.warn({ err: error }, 'The master list could not read a change yet.')
        }
      }
    }
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, left.length) }, next))
    return failed
  }
  bus.on('refresh', async ({ publicIds }) => {
    // Whoever told it must not believe that it holds here.
    if ((await refreshAll(publicIds, true)) > 0) throw new Error('Not every change could be read.')
  })
  return async (...publicIds) => {
    if (publicIds.length === 0) return
    await Promise.all([refreshAll(publicIds, false), bus.tell('refresh', { publicIds })])
  }
}
