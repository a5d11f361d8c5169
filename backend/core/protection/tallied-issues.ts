/** Issues whose numbers another feature computes from its own rows, such as player reports. A finding would only add to them. */
import { v7 as uuidv7 } from 'uuid'
import type { IssueKind, Severity } from '#contract/protection/protection.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { BY_SYSTEM, recordEvent } from '#backend/core/events/events.ts'
import { insertIssues, updateIssue } from './issues.queries.ts'
import { opened, recordIssueEvents } from './timeline.ts'

interface Subject {
  readonly kind: IssueKind
  readonly userId: string
  /** Null for an issue of the account. */
  readonly server: { readonly public_id: string; readonly name: string } | null
}

interface TalliedIssue extends Subject {
  readonly severity: Severity
  readonly summary: string
  readonly occurrences: number
  /** From then on the owner sees the issue. False takes nothing back. */
  readonly reachesOwner: boolean
}

type OpenIssue = NonNullable<Awaited<ReturnType<typeof lockOpenIssue>>>

/** Locks the open issue. Undefined if there is none. Lock its user and server first. */
export function lockOpenIssue(trx: Db, { kind, userId, server }: Subject) {
  return trx
    .selectFrom('protection_issues')
    .select(['id', 'consequence', 'is_visible_to_owner'])
    .where('kind', '=', kind)
    .where('user_id', '=', userId)
    .where('server_id', 'is not distinct from', server?.public_id ?? null)
    .where('status', 'in', ['OPEN', 'ACKNOWLEDGED'])
    .forUpdate()
    .executeTakeFirst()
}

/** Opens the issue, or replaces the numbers of the open one. Returns its id. @param open from `lockOpenIssue`. */
export async function setTalliedIssue(trx: Db, open: OpenIssue | undefined, tally: TalliedIssue, now: Date): Promise<string> {
  const { kind, userId, server, severity, summary, occurrences, reachesOwner } = tally
  const subject = { kind, user_id: userId, server_id: server?.public_id ?? null, server_name: server?.name ?? '' }
  const counts = { severity, summary, evidence: JSON.stringify({ items: [], series: [] }), occurrences, last_seen_at: now }
  const { id, consequence, is_visible_to_owner: wasVisible } = open ?? { ...NEW, id: uuidv7() }
  // To the owner, it opens when it reaches them.
  const times = wasVisible ? {} : { opened_at: now, consequence_at: now }
  const columns = { ...counts, ...times, is_visible_to_owner: wasVisible || reachesOwner }
  if (open === undefined) await insertIssues(trx, [{ id, ...subject, ...columns, first_seen_at: now }])
  else await updateIssue(trx, id, columns)
  if (wasVisible)
    // Announce notices contain the summary.
    await recordEvent(trx, { action: 'ISSUE_REPEATED', ...BY_SYSTEM, ownerId: userId, servers: server === null ? [] : [server.public_id] })
  else if (reachesOwner) await recordIssueEvents(trx, [opened({ id, ...subject, ...columns, consequence })], now)
  return id
}

const NEW = { consequence: 'NOTICE', is_visible_to_owner: false } as const
