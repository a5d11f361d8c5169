/** Issues that the program resolves, in the transaction of the change that ends them. */
import type { Db } from '#backend/platform/database/open.ts'
import { type Ending, type MovedIssue, resolveOpen } from './open-issues.queries.ts'
import { recordAll, statusChanged } from './timeline.ts'

/** Resolves open issues about servers. Lock the servers first. @param why one sentence, as the owner reads it. */
export async function resolveIssuesOf(trx: Db, { why, ...ending }: Ending & { readonly why: string }): Promise<void> {
  if (ending.publicIds.length > 0) await recordEnded(trx, await resolveOpen(trx, ending), why, ending.now)
}

export async function recordEnded(trx: Db, rows: readonly MovedIssue[], why: string, now?: Date): Promise<void> {
  const ended = rows.map((issue) => statusChanged(issue, 'ISSUE_RESOLVED', issue.before, 'RESOLVED', why))
  await recordAll(trx, ended, now)
}
