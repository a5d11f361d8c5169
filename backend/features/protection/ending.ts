/** How issues end that nobody settles: by the program, in somebody's transaction. For other slices too, so it knows none but the activity. */
import type { IssueKind } from '#contract/protection.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { BY_SYSTEM, recordEvent } from '#backend/features/events/events.ts'
import { type EndedIssue, resolveOpen } from './ending.queries.ts'
import { insertTimeline } from './issues.queries.ts'

interface Over {
  readonly publicIds: readonly string[]
  /** For each of the servers whose issues; anybody's where it is left out. */
  readonly ownerIds?: readonly (string | undefined)[]
  /** All where it is left out. */
  readonly kinds?: readonly IssueKind[]
  /** One sentence, as the owner reads it. */
  readonly why: string
  /** The database's where it is left out. */
  readonly now?: Date
}

/**
 * Resolves what is open about servers. Call it in the transaction of the change that ends it, once the servers are held.
 */
export async function resolveIssuesOf(trx: Db, { publicIds, ownerIds, kinds, why, now }: Over): Promise<void> {
  if (publicIds.length > 0) await writeDownEnded(trx, await resolveOpen(trx, { publicIds, ownerIds, kinds }, now), why, now)
}

/** What says that issues were resolved by the program. */
export async function writeDownEnded(trx: Db, rows: readonly EndedIssue[], why: string, now?: Date): Promise<void> {
  await insertTimeline(
    trx,
    rows.map(({ id }) => ({
      issue_id: id,
      ...(now !== undefined && { at: now }),
      kind: 'STATUS',
      by: 'system',
      status: 'RESOLVED',
      text: why,
    })),
  )
  await recordEvent(
    trx,
    ...rows.map((row) => ({
      action: 'ISSUE_RESOLVED' as const,
      ...BY_SYSTEM,
      ownerId: row.user_id,
      ...(row.server_id !== null && { server: { public_id: row.server_id, name: row.server_name } }),
      before: { status: row.before },
      after: { issue_id: row.id, kind: row.kind, status: 'RESOLVED' },
    })),
  )
}
