import * as transfers from '#contract/transfers.ts'
import type { Deps } from '#backend/deps.ts'
import { tooMany } from '#backend/errors.ts'
import type { Live } from '#backend/features/live/live.ts'
import type { TellList } from '#backend/features/masterlist/telling.ts'
import type { Bind } from '#backend/http/bind.ts'
import { TokenBuckets } from '#backend/http/rate-limit.ts'
import { type Ended, acceptTransfer, endTransfer, lapseTransfers, offerServer } from './transfers.ts'
import { presentTransfers } from './transfers.present.ts'

const DAY_SECONDS = 86_400

export function bindTransfers(bind: Bind, { db, env, clock }: Deps, tellList: TellList, live: Live): void {
  // An offer lands in somebody else's panel: nobody may fill it.
  const offers = env.RATE_LIMITS ? new TokenBuckets({ burst: 20, perSecond: 20 / DAY_SECONDS, clock }) : undefined

  bind(transfers.offer, async ({ caller, body }) => {
    const wait = offers?.take(caller.userId) ?? 0
    if (wait > 0) throw tooMany(wait)
    const row = await offerServer(db, caller.userId, body).catch((error: unknown) => {
      offers?.giveBack(caller.userId)
      throw error
    })
    live.account([row.from_user_id, row.to_user_id], 'servers', 'activity')
    const [shown] = await presentTransfers(db, caller.userId, [row])
    if (shown === undefined) throw new Error('An offer was made and can not be shown.')
    return shown
  })

  bind(transfers.accept, async ({ caller, params }) => {
    const ended = await acceptTransfer(db, caller.userId, params.id)
    await tellList(ended.public_id)
    tellBoth(live, ended)
  })

  bind(transfers.cancel, async ({ caller, params }) => tellBoth(live, await endTransfer(db, caller.userId, params.id)))
}

/** Both sides' panels hear that an offer is over. */
export function tellBoth(live: Live, ended: Ended): void {
  live.account([ended.from_user_id, ended.to_user_id], 'servers', 'activity')
}

/** The repeating task: offers that stood too long end. */
export async function lapseOldTransfers({ db }: Pick<Deps, 'db'>, live: Live): Promise<void> {
  for (const ended of await lapseTransfers(db)) tellBoth(live, ended)
}
