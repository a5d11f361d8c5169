/** Issues that the program resolves, in the transaction of the change that ends them. */
import type { IssueKind } from '#contract/protection.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { type MovedIssue, resolveOpen } from './open-issues.queries.ts'
import { recordAll, statusChanged } from './timeline.ts'

interface Ending {
  readonly publicIds: readonly string[]
  /** For each of the servers, only this owner's; undefined for anybody's. */
  readonly ownerIds?: readonly (string | undefined)[]
  /** Left out for all. */
  readonly kinds?: readonly IssueKind[]
  /** One sentence, as the owner reads it. */
  readonly why: string
  /** The database's time where it is left out. */
  readonly now?: Date
}

/** Resolves open issues about servers. Lock the servers first. */
export async function resolveIssuesOf(trx: Db, { publicIds, ownerIds, kinds, why, now }: Ending): Promise<void> {
  if (publicIds.length > 0) await recordEnded(trx, await resolveOpen(trx, { publicIds, ownerIds, kinds }, now), why, now)
}

export async function recordEnded(trx: Db, rows: readonly MovedIssue[], why: string, now?: Date): Promise<void> {
  const ended = rows.map((issue) => statusChanged(issue, 'ISSUE_RESOLVED', issue.before, 'RESOLVED', why))
  await recordAll(trx, ended, now)
}
