/** Telling the list that something was committed, for the routes of other slices. */
import type { Log } from '#backend/log.ts'
import type { MasterList } from './master-list.ts'

/**
 * Resolves once the list knows, or once it could not be told just now: the change is committed, the list tries again by itself, and
 * the caller gets his answer.
 */
export type TellList = (...publicIds: readonly string[]) => Promise<void>

/** Each is two queries; a person with a thousand servers must not take the whole pool. */
const AT_ONCE = 4

export function createTellList(list: Pick<MasterList, 'refresh'>, log: Log): TellList {
  const tell = async (left: string[]) => {
    for (let publicId = left.pop(); publicId !== undefined; publicId = left.pop())
      await list.refresh(publicId).catch((error: unknown) => log.warn({ err: error }, 'The master list could not read a change yet.'))
  }
  return async (...publicIds) => {
    const left = [...publicIds]
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, left.length) }, () => tell(left)))
  }
}
