/** Telling the list that something was committed, for the routes of other slices. */
import type { Log } from '#backend/log.ts'
import type { MasterList } from './master-list.ts'

/**
 * Resolves once the list knows, or once it could not be told just now: the change is committed, the list tries again by itself, and
 * the caller gets his answer.
 */
export type TellList = (...publicIds: readonly string[]) => Promise<void>

export function createTellList(list: Pick<MasterList, 'refresh'>, log: Log): TellList {
  return async (...publicIds) => {
    const told = await Promise.allSettled(publicIds.map((publicId) => list.refresh(publicId)))
    for (const one of told)
      if (one.status === 'rejected') log.warn({ err: one.reason as unknown }, 'The master list could not read a change yet.')
  }
}
