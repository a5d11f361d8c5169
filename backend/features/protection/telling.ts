/** What the list and the open panels hear of issues. */
import type { Doors } from '#backend/app/services.ts'
import type { Ended } from './ending.ts'
import type { Raised } from './raising.ts'

type Telling = Pick<Doors, 'tellList' | 'live'>

/** Issues began or were found again. */
export async function tellRaised({ tellList, live }: Telling, raised: readonly Raised[]): Promise<void> {
  for (const { ownerId, isNew } of raised) live.account([ownerId], 'protection', ...(isNew ? (['activity'] as const) : []))
  await tellList(...new Set(raised.filter((one) => one.concernsList).map((one) => one.publicId)))
}

/** Issues ended, or something else follows from them now. */
export async function tellEnded({ tellList, live }: Telling, ended: readonly Ended[]): Promise<void> {
  live.account(
    ended.map((one) => one.ownerId),
    'protection',
    'activity',
  )
  await tellList(...new Set(ended.flatMap(({ publicId }) => publicId ?? [])))
}
