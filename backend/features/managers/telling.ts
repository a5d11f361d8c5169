/** Telling managers that something of their owner's is to be read anew. */
import type { AccountPart } from '#contract/live.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Doors } from '#backend/app/services.ts'
import { managersAmong } from './managers.ts'

/**
 * Tells those with a panel open who manage for this owner now. What it is about is committed, so a database that can't be asked costs
 * them a moment and the caller nothing.
 */
export async function tellManagers(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  { live }: Pick<Doors, 'live'>,
  ownerId: string,
  ...changed: readonly AccountPart[]
): Promise<void> {
  live.managersElsewhere(ownerId, changed)
  await tellManagersHere({ db, log }, { live }, ownerId, changed)
}

/** The same for the panels of this node alone. */
export async function tellManagersHere(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  { live }: Pick<Doors, 'live'>,
  ownerId: string,
  changed: readonly AccountPart[],
): Promise<void> {
  try {
    const managers = await managersAmong(db, ownerId, live.managersOf(ownerId))
    live.accountHere(
      managers.map((one) => one.manager_id),
      changed,
    )
  } catch (error) {
    log.warn({ err: error }, 'A change could not be told to open panels.')
  }
}
