/** Which notifications follow from each domain event, and for whom. Users are not notified of what they do themselves. */
import type { NotificationType } from '#contract/events/public-events.ts'
import type { DomainEvent, EventType } from '#backend/core/events/events.ts'
import type { NewNotification } from '#backend/services/notifications/notifications.ts'
import { publicEventsOf } from './publications.ts'

/** For the owner, beside the public events. */
const INBOX_ONLY: Readonly<Partial<Record<EventType, NotificationType>>> = {
  WEBHOOK_DISABLED: 'webhook.disabled',
  API_KEY_LEAKED: 'api_key.leaked',
}

/** Webhooks get these beside `issue.opened`. An inbox has one notification for each issue. */
const KINDS_OF_ISSUES: readonly NotificationType[] = ['address.mismatch', 'credential.old_in_use']

export function notificationsOf(event: DomainEvent): readonly NewNotification[] {
  const { actorId, as, causedBy } = event
  // The program and administrators stay anonymous.
  const actor = as === 'self' || as === 'manager' ? actorId : null
  const notifications = [...publicOf(event), ...inboxOnlyOf(event)].filter(({ userId }) => userId !== actorId && userId !== causedBy)
  return notifications.map((notification) => ({
    ...notification,
    actorId: actor,
    ...(KINDS_OF_ISSUES.includes(notification.type) && { unless: 'issue.opened' as const }),
  }))
}

/** A change of tier grants or ends several benefits, which share one notification. */
function publicOf(event: DomainEvent): NewNotification[] {
  const groups = Map.groupBy(publicEventsOf(event), ({ ownerId, type }) => `${ownerId} ${type}`)
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map(({ ownerId, type, server, data = {} }) => {
      const benefits = group.flatMap((each) => each.data?.['benefit'] ?? [])
      return { userId: ownerId, type, ...(server && { server }), data: benefits.length === 0 ? data : { benefits } }
    }),
  )
}

function inboxOnlyOf({ action, ownerId, after }: DomainEvent): NewNotification[] {
  const type = INBOX_ONLY[action]
  return type === undefined || ownerId === null
    ? []
    : [{ userId: ownerId, type, data: { name: after?.['name'], reason: after?.['reason'] } }]
}
