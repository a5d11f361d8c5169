import * as transfers from '#contract/servers/transfers.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { orNotFound } from '#backend/platform/errors.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { acceptTransfer, cancelOrDeclineTransfer, offerServer } from './transfers.ts'
import { presentTransfers } from './transfers.present.ts'

export function bindTransfers(bind: Bind, deps: Deps): void {
  const { db } = deps

  bind(transfers.offer, async ({ caller, body }) => {
    const row = await offerServer(db, caller.userId, body)
    const [transfer] = await presentTransfers(deps, caller.userId, [row])
    // The recipient's account was erased in the meantime, and the offer with it.
    return orNotFound(transfer, 'USER_NOT_FOUND')
  })

  bind(transfers.accept, ({ caller, params }) => acceptTransfer(db, caller.userId, params.id))

  bind(transfers.cancel, ({ caller, params }) => cancelOrDeclineTransfer(db, caller.userId, params.id))
}
