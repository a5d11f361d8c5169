/** Issues whose numbers another feature computes from its own rows, such as player reports. A finding would only add to them. */
import { v7 as uuidv7 } from 'uuid'
import type { IssueKind, Severity } from '#contract/protection.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { BY_SYSTEM, recordEvent } from '#backend/features/events/events.ts'
import { insertIssues } from './issue-upsert.queries.ts'
import { lockOpenIssueOf, updateIssue } from './issues.queries.ts'
import { recordIssueEvents } from './timeline.ts'

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
}

/** Locks the open issue and returns its id. Undefined if there is none. Lock its user and server first. */
export async function lockOpenIssue(trx: Db, { kind, userId, server }: Subject): Promise<string | undefined> {
  return (await lockOpenIssueOf(trx, kind, userId, server?.public_id ?? null))?.id
}

/** Opens the issue, or replaces the numbers of the open one. Returns its id. @param openId from `lockOpenIssue`. */
export async function setTalliedIssue(trx: Db, openId: string | undefined, tally: TalliedIssue, now: Date): Promise<string> {
  const { kind, userId, server, severity, summary, occurrences } = tally
  const columns = { severity, summary, evidence: JSON.stringify({ items: [], series: [] }), occurrences, last_seen_at: now }
  if (openId === undefined) {
    const subject = { kind, user_id: userId, server_id: server?.public_id ?? null, server_name: server?.name ?? '' }
    const issue = { id: uuidv7(), ...subject, ...columns, first_seen_at: now, opened_at: now, consequence_at: now }
    await insertIssues(trx, [issue])
    const entry = { kind: 'OPENED', status: 'OPEN', consequence: 'NOTICE' }
    await recordIssueEvents(trx, [{ issue, action: 'ISSUE_OPENED', entry, after: { severity, consequence: 'NOTICE' } }], now)
    return issue.id
  }
  await updateIssue(trx, openId, columns)
  // Announce notices contain the summary.
  await recordEvent(trx, { action: 'ISSUE_REPEATED', ...BY_SYSTEM, ownerId: userId, servers: server === null ? [] : [server.public_id] })
  return openId
}
