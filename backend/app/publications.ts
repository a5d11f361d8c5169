/** Which public events (contract/events/public-events.ts) follow from each domain event, and for whom. Webhooks and inboxes (`notifications.ts`) receive them. Changes of live servers are published by `server-watcher.ts`. */
import { ISSUES, type IssueKind } from '#contract/protection/issue-kinds.ts'
import type { Consequence } from '#contract/protection/protection.ts'
import type { PublicEventType } from '#contract/events/public-events.ts'
import { inEnglish } from '#backend/platform/messages/language.ts'
import type { DomainEvent, EventType } from '#backend/core/events/events.ts'
import { consequenceRank } from '#backend/core/protection/enforcement.ts'
import type { PublicEvent } from '#backend/services/webhooks/publish.ts'

type Data = PublicEvent['data']
type Publish = (event: DomainEvent) => readonly PublicEvent[]

function eventFor(userId: string | null | undefined, type: PublicEventType, { server }: DomainEvent, data: Data = {}): PublicEvent[] {
  if (userId == null) return []
  return [{ type, ownerId: userId, ...(server && { server: { public_id: server.public_id, name: server.name } }), data }]
}

const NO_DATA = () => ({})

/** For the owner of the server or of the account. */
const toOwner =
  (type: PublicEventType, dataOf: (event: DomainEvent) => Data = NO_DATA): Publish =>
  (event) =>
    eventFor(event.ownerId, type, event, dataOf(event))

/** For both sides, each with its role. */
const toBoth =
  (type: PublicEventType, ownerRole: string, otherRole: string): Publish =>
  (event) => [...eventFor(event.ownerId, type, event, { role: ownerRole }), ...eventFor(event.otherId, type, event, { role: otherRole })]

const transfer = (type: PublicEventType) => toBoth(type, 'sender', 'recipient')
const manager = (type: PublicEventType) => toBoth(type, 'owner', 'manager')

const changedFields = ({ after = {} }: DomainEvent) => ({ changed: Object.keys(after) })
const banData = ({ after = {} }: DomainEvent) => ({ reason: after['ban_reason'] ?? null, until: after['banned_until'] ?? null })

const ISSUE_TYPES: Readonly<Partial<Record<IssueKind, PublicEventType>>> = {
  ADDRESS_MISMATCH: 'address.mismatch',
  REVOKED_CREDENTIAL: 'credential.old_in_use',
}

function issueData({ after = {} }: DomainEvent): Data {
  const { issue_id: id, kind, status, consequence } = after
  const name = Object.entries(ISSUES).find(([key]) => key === kind)?.[1].name
  return {
    issue_id: id,
    kind,
    summary: name && inEnglish(name),
    ...(status !== undefined && { status }),
    ...(consequence !== undefined && { consequence }),
  }
}

const issue = (type: PublicEventType) => toOwner(type, issueData)

const issueOpened: Publish = (event) => {
  const special = ISSUE_TYPES[event.after?.['kind'] as IssueKind]
  return [...issue('issue.opened')(event), ...(special === undefined ? [] : issue(special)(event))]
}

const rankOf = (values: DomainEvent['after']) => consequenceRank(values?.['consequence'] as Consequence)

/** An administrator can also choose a weaker consequence, or the same one. */
const issueEscalated: Publish = (event) => (rankOf(event.after) > rankOf(event.before) ? issue('issue.escalated')(event) : [])

/** A grant of a benefit that the tier gives too is no event, and a tier can give and end several benefits. */
const benefitsChanged: Publish = (event) => [
  ...(event.gained ?? []).flatMap((benefit) => eventFor(event.ownerId, 'benefit.granted', event, { benefit })),
  ...(event.lost ?? []).flatMap((benefit) => eventFor(event.ownerId, 'benefit.lapsed', event, { benefit })),
]

/** Events that no row names are not public. */
const PUBLICATIONS: Readonly<Partial<Record<EventType, Publish>>> = {
  SERVER_CREATED: toOwner('server.created'),
  SERVER_CHANGED: toOwner('server.updated', changedFields),
  SERVER_DELETED: toOwner('server.deleted'),
  SERVER_RESTORED: toOwner('server.created', () => ({ restored: true })),
  SERVER_BANNED: toOwner('server.banned', banData),
  SERVER_UNBANNED: toOwner('server.unbanned'),
  CREDENTIAL_REISSUED: toOwner('credential.reissued'),
  CREDENTIAL_LEAKED: toOwner('credential.leaked'),
  ADDRESS_MOVED: toOwner('address.moved', ({ before = {}, after = {} }) => ({ ...after, previous_address: before['bound_address'] })),
  ADDRESS_RESET: toOwner('address.reset'),

  TRANSFER_OFFERED: transfer('transfer.offered'),
  TRANSFER_ACCEPTED: transfer('transfer.accepted'),
  TRANSFER_DECLINED: transfer('transfer.declined'),
  TRANSFER_CANCELLED: transfer('transfer.cancelled'),
  TRANSFER_LAPSED: transfer('transfer.expired'),

  MANAGER_GRANTED: manager('manager.granted'),
  MANAGER_CHANGED: manager('manager.changed'),
  MANAGER_REVOKED: manager('manager.revoked'),
  MANAGER_REFUSED: manager('manager.left'),

  ISSUE_OPENED: issueOpened,
  ISSUE_REOPENED: issue('issue.opened'),
  ISSUE_CONSEQUENCE_CHANGED: issueEscalated,
  ISSUE_REPLIED: issue('issue.replied'),
  ISSUE_RESOLVED: issue('issue.resolved'),
  ISSUE_DISMISSED: issue('issue.resolved'),

  BENEFIT_GRANTED: benefitsChanged,
  BENEFIT_TAKEN: benefitsChanged,
  TIER_CHANGED: benefitsChanged,

  ACCOUNT_DELETION_REQUESTED: toOwner('account.deletion_scheduled', ({ after }) => ({ delete_at: after?.['delete_at'] })),
  ACCOUNT_DELETION_CANCELLED: toOwner('account.deletion_cancelled'),
  ACCOUNT_BANNED: toOwner('account.banned', banData),
  ACCOUNT_UNBANNED: toOwner('account.unbanned'),
}

export const publicEventsOf = (event: DomainEvent): readonly PublicEvent[] => PUBLICATIONS[event.action]?.(event) ?? []
