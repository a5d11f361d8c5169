/** Telling what follows from somebody's benefits: the list first, so that whoever reads anew reads what players see. */
import type { Deps } from '#backend/platform/deps.ts'
import type { Doors } from '#backend/app/services.ts'
import { tellManagers } from '#backend/features/managers/telling.ts'

/** Somebody whose benefits changed, with his servers from the same transaction: once it has committed nothing may fail before the list is told. */
export interface Changed {
  readonly userId: string
  readonly servers: readonly string[]
}

/** To be called after the commit. */
export async function tellBenefits(
  deps: Pick<Deps, 'db' | 'log'>,
  doors: Pick<Doors, 'tellList' | 'live'>,
  ...changed: readonly Changed[]
): Promise<void> {
  await doors.tellList(...changed.flatMap(({ servers }) => servers))
  const people = changed.map(({ userId }) => userId)
  doors.live.account(people, 'me', 'servers', 'benefits', 'activity')
  // Which fields of his servers they can set follows from what he holds.
  for (const userId of people) await tellManagers(deps, doors, userId, 'benefits')
}
