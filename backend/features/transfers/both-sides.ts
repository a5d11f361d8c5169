/** What the open panels of both sides hear of an offer. */
import type { Deps } from '#backend/platform/deps.ts'
import type { Live } from '#backend/features/live/live.ts'
import { type Ended, lapseTransfers } from './ending.ts'

/** Both sides hear that an offer began or is over. */
export function tellBoth(live: Live, { from_user_id, to_user_id }: Pick<Ended, 'from_user_id' | 'to_user_id'>): void {
  live.account([from_user_id, to_user_id], 'servers', 'activity')
}

/** The repeating task: offers that stood too long end. */
export async function lapseOldTransfers({ db }: Pick<Deps, 'db'>, live: Live): Promise<void> {
  for (const ended of await lapseTransfers(db)) tellBoth(live, ended)
}
