import * as account from '#contract/account.ts'
import type { Deps } from '#backend/deps.ts'
import { tooMany } from '#backend/errors.ts'
import type { Live } from '#backend/features/live/live.ts'
import { cancelDeletion, requestDeletion } from '#backend/features/users/leaving.ts'
import type { Bind } from '#backend/http/bind.ts'
import { TokenBuckets } from '#backend/http/rate-limit.ts'
import { exportAll } from './export.ts'

export function bindAccount(bind: Bind, { db, env, clock }: Deps, live: Live): void {
  const exports = env.RATE_LIMITS ? new TokenBuckets({ burst: 10, perSecond: 1 / 60, clock }) : undefined

  bind(account.requestDeletion, async ({ caller }) => {
    const deleteAt = await requestDeletion(db, caller.userId, env.ACCOUNT_DELETION_DELAY_HOURS)
    live.account([caller.userId], 'me', 'activity')
    return deleteAt.toISOString()
  })

  bind(account.cancelDeletion, async ({ caller }) => {
    await cancelDeletion(db, caller.userId)
    live.account([caller.userId], 'me', 'activity')
  })

  bind(account.exportAll, async ({ caller, reply }) => {
    const wait = exports?.take(caller.userId) ?? 0
    if (wait > 0) throw tooMany(wait)
    const now = new Date(clock.now())
    const all = await exportAll(db, caller.userId, now)
    reply.header('content-disposition', `attachment; filename="muster-export-${now.toISOString().slice(0, 10)}.json"`)
    reply.header('cache-control', 'no-store')
    return all
  })
}
