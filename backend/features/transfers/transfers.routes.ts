import * as transfers from '#contract/transfers.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { notFound } from '#backend/platform/errors.ts'
import type { Live } from '#backend/features/live/live.ts'
import type { TellList } from '#backend/masterlist/telling.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { createLimit } from '#backend/platform/http/rate-limit.ts'
import { tellBoth } from './both-sides.ts'
import { acceptTransfer, endTransfer, offerServer } from './transfers.ts'
import { presentTransfers } from './transfers.present.ts'

const DAY_SECONDS = 86_400

export function bindTransfers(bind: Bind, deps: Deps, tellList: TellList, live: Live): void {
  const { db } = deps
  // An offer lands in somebody else's panel: nobody may fill it.
  const offers = createLimit(deps, 'offers', { burst: 20, perSecond: 20 / DAY_SECONDS })

  bind(transfers.offer, async ({ caller, body }) => {
    const row = await offers.run(caller.userId, () => offerServer(db, caller.userId, body))
    tellBoth(live, row)
    const [shown] = await presentTransfers(db, caller.userId, [row])
    // The recipient went in this very moment, and the offer with him.
    if (shown === undefined) throw notFound('user')
    return shown
  })

  bind(transfers.accept, async ({ caller, params }) => {
    const ended = await acceptTransfer(db, caller.userId, params.id)
    await tellList(ended.public_id)
    tellBoth(live, ended)
    // It left a group, whatever it was chosen for, and what was found of it.
    live.account([ended.from_user_id, ended.to_user_id], 'benefits', 'protection')
  })

  bind(transfers.cancel, async ({ caller, params }) => tellBoth(live, await endTransfer(db, caller.userId, params.id)))
}
