/** Records each change of an issue as a timeline entry and a domain event. */
import type { Insertable, Selectable } from 'kysely'
import type { Action } from '#contract/events/events.ts'
import type { Db } from '#backend/platform/database/open.ts'
import type { Tables } from '#backend/platform/database/tables.ts'
import { BY_SYSTEM, type DomainEvent, type EventActor, recordEvent } from '#backend/core/events/events.ts'

type Issue = Pick<Selectable<Tables['protection_issues']>, 'id' | 'kind' | 'user_id' | 'server_id' | 'server_name' | 'is_visible_to_owner'>

export interface IssueEvent {
  readonly issue: Issue
  readonly action: Action
  readonly entry: Pick<Insertable<Tables['protection_timeline']>, 'kind' | 'status' | 'consequence' | 'text'>
  readonly before?: DomainEvent['before']
  readonly after?: DomainEvent['after']
  readonly causedBy?: DomainEvent['causedBy']
}

export function opened(issue: Issue & { readonly severity: string; readonly consequence: string }, text = ''): IssueEvent {
  const { severity, consequence } = issue
  return {
    issue,
    action: 'ISSUE_OPENED',
    entry: { kind: 'OPENED', status: 'OPEN', consequence, text },
    after: { severity, consequence },
  }
}

export function statusChanged(issue: Issue, action: Action, from: string, status: string, text = ''): IssueEvent {
  return { issue, action, entry: { kind: 'STATUS', status, text }, before: { status: from }, after: { status } }
}

export function consequenceChanged(issue: Issue, from: string, consequence: string, text = ''): IssueEvent {
  const entry = { kind: 'CONSEQUENCE', consequence, text }
  return { issue, action: 'ISSUE_CONSEQUENCE_CHANGED', entry, before: { consequence: from }, after: { consequence } }
}

/** @param now defaults to the database's time. */
export async function recordIssueEvents(trx: Db, events: readonly IssueEvent[], now?: Date, by: EventActor = BY_SYSTEM): Promise<void> {
  const author = by.as === 'self' ? 'owner' : by.as
  if (events.length === 0) return
  const common = { by: author, actor_id: by.actorId, ...(now && { at: now }) }
  await trx
    .insertInto('protection_timeline')
    .values(events.map(({ issue, entry }) => ({ issue_id: issue.id, ...common, ...entry })))
    .execute()
  await recordEvent(trx, ...events.map((event) => ({ ...by, ...domainEventOf(event) })))
}

function domainEventOf({ action, issue, before, after, causedBy }: IssueEvent) {
  const { id, kind, user_id: ownerId, server_id: publicId, server_name: name } = issue
  const event = { action, causedBy, ...(before && { before }), after: { issue_id: id, kind, ...after } }
  // Owners can read all events with their id.
  if (action === 'ISSUE_NOTED' || !issue.is_visible_to_owner) return { ...event, ownerId: null }
  return { ...event, ownerId, ...(publicId !== null && { server: { public_id: publicId, name } }) }
}
