import * as transfers from '#contract/transfers.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { notFound } from '#backend/platform/errors.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { createRateLimit } from '#backend/platform/http/rate-limit.ts'
import { acceptTransfer, cancelOrDeclineTransfer, offerServer } from './transfers.ts'
import { presentTransfers } from './transfers.present.ts'

const DAY_SECONDS = 86_400

export function bindTransfers(bind: Bind, deps: Deps): void {
  const { db } = deps
  // An offer appears in another user's panel, so its rate is limited.
  const offers = createRateLimit(deps, 'offers', { burst: 20, perSecond: 20 / DAY_SECONDS })

  bind(transfers.offer, async ({ caller, body }) => {
    const row = await offers.run(caller.userId, () => offerServer(db, caller.userId, body))
    const [transfer] = await presentTransfers(db, caller.userId, [row])
    // The recipient's account was erased in the meantime, and the offer with it.
    if (transfer === undefined) throw notFound('USER_NOT_FOUND')
    return transfer
  })

  bind(transfers.accept, ({ caller, params }) => acceptTransfer(db, caller.userId, params.id))

  bind(transfers.cancel, ({ caller, params }) => cancelOrDeclineTransfer(db, caller.userId, params.id))
}
