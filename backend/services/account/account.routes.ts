import * as account from '#contract/users/account.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { cancelDeletion, requestDeletion } from '#backend/core/users/account-deletion.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { exportAll } from './export.ts'

export function bindAccount(bind: Bind, deps: Deps): void {
  const { db, env, clock } = deps

  bind(account.requestDeletion, async ({ caller }) => {
    const deleteAt = await requestDeletion(db, caller.userId, env.ACCOUNT_DELETION_DELAY_HOURS)
    return deleteAt.toISOString()
  })

  bind(account.cancelDeletion, ({ caller }) => cancelDeletion(db, caller.userId))

  bind(account.exportData, async ({ caller, reply }) => {
    const now = new Date(clock.now())
    const all = await exportAll(db, caller.userId, now)
    reply.header('content-disposition', `attachment; filename="muster-export-${now.toISOString().slice(0, 10)}.json"`)
    return all
  })
}
