import * as protection from '#contract/protection/protection.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Bind, Caller } from '#backend/platform/http/bind.ts'
import { moderate } from './moderation.ts'
import { acknowledge, getAnyIssue, getIssue, issuesOf, replyTo } from './issues.ts'
import { type Reader, presentDetail, presentIssues } from './issues.present.ts'
import { queueOf } from './queue.ts'

export function bindProtection(bind: Bind, deps: Deps): void {
  const { db, clock } = deps
  const now = () => new Date(clock.now())
  // Administrators see all issues unmasked, including their own.
  const readerOf = (caller: Caller): Reader => (caller.isAdmin ? 'administrator' : 'owner')
  const show = async (caller: Caller, { userId, issueId }: { userId: string; issueId: string }) =>
    presentDetail(db, await getIssue(db, caller, userId, issueId), readerOf(caller), clock.now())

  bind(protection.issues, ({ query }) => queueOf(db, query))

  bind(protection.changeIssue, async ({ caller, params, body }) => {
    await moderate(db, caller.userId, params.id, body, now())
    return presentDetail(db, await getAnyIssue(db, params.id), 'administrator', clock.now())
  })

  bind(protection.issuesOfUser, async ({ caller, params }) =>
    presentIssues(db, await issuesOf(db, caller, params.userId), readerOf(caller)),
  )

  bind(protection.issue, ({ caller, params }) => show(caller, params))

  bind(protection.acknowledgeIssue, async ({ caller, params }) => {
    await acknowledge(db, caller, params.userId, params.issueId, now())
    return show(caller, params)
  })

  bind(protection.replyToIssue, async ({ caller, params, body }) => {
    await replyTo(db, caller, params.userId, params.issueId, body.message, now())
    return show(caller, params)
  })
}
