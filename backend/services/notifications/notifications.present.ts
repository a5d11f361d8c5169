import type { Notification } from '#contract/webhooks/notifications.ts'
import { NOTIFICATION_TYPES, type NotificationType, NOTIFICATIONS } from '#contract/events/public-events.ts'
import { type PanelAddress, panelUrlOf } from '#backend/services/webhooks/bodies.ts'
import type { NotificationRow } from './notifications.queries.ts'
import { bodyOf, bodyOfMany } from './texts.ts'

/** Leaves out types that only newer versions know. */
export function presentNotifications(env: PanelAddress, rows: readonly NotificationRow[], { pinned }: { pinned: boolean }): Notification[] {
  return rows.flatMap((row) => {
    const type = NOTIFICATION_TYPES.find((each) => each === row.type)
    return type === undefined ? [] : [present(env, row, type, pinned)]
  })
}

function present(env: PanelAddress, row: NotificationRow, type: NotificationType, pinned: boolean): Notification {
  const { id, actor, data, server_id: publicId, count } = row
  const server = row.server_name ?? ''
  const names = [...new Map(row.servers.map((each) => [each.public_id, each.name])).values()]
  const isOfMany = names.length > 1
  return {
    id,
    type,
    at: row.created_at.toISOString(),
    read_at: row.read_at?.toISOString() ?? null,
    pinned,
    count,
    title: NOTIFICATIONS[type].title(),
    body: isOfMany ? bodyOfMany(type, names) : bodyOf(type, { server, actor, data }),
    server: publicId === null || isOfMany ? null : { public_id: publicId, name: server, url: `${panelUrlOf(env)}/servers/${publicId}` },
    link: isOfMany ? linkOfMany(type) : linkOf(type, row),
  }
}

const GROUP_LINKS = {
  issue: '/protection-issues',
  transfer: '/settings/transfers',
  benefit: '/benefits',
  account: '/settings/profile',
} as const

const LINKS: Readonly<Partial<Record<NotificationType, string>>> = {
  'manager.left': '/settings/managers',
  'webhook.disabled': '/settings/webhooks',
  'api_key.leaked': '/settings/api-keys',
}

/** A server that the user no longer owns has no page for them. */
function linkOf(type: NotificationType, { server_id: publicId, is_owner: isOwner, data }: NotificationRow): string {
  if (typeof data['issue_id'] === 'string') return `/protection-issues/${data['issue_id']}`
  return isOwner ? `/servers/${publicId}` : linkOfMany(type)
}

function linkOfMany(type: NotificationType): string {
  const { group } = NOTIFICATIONS[type]
  return LINKS[type] ?? (group in GROUP_LINKS ? GROUP_LINKS[group as keyof typeof GROUP_LINKS] : '/servers')
}
