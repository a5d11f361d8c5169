import * as notifications from '#contract/webhooks/notifications.ts'
import type { Live } from '#backend/services/live/live.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { getInbox, markRead } from './notifications.ts'
import { presentNotifications } from './notifications.present.ts'

export function bindNotifications(bind: Bind, { db, env }: Pick<Deps, 'db' | 'env'>, live: Pick<Live, 'invalidate'>): void {
  bind(notifications.list, async ({ caller, query }) => {
    const { pinned, rows, unread, hasMore } = await getInbox(db, caller.userId, query)
    const data = [...presentNotifications(env, pinned, { pinned: true }), ...presentNotifications(env, rows, { pinned: false })]
    return { data, unread, has_more: hasMore }
  })

  bind(notifications.markRead, async ({ caller, body }) => {
    const { hasChanged, unread } = await markRead(db, caller.userId, body.ids)
    if (hasChanged) live.invalidate([caller.userId], ['notifications'])
    return { unread }
  })
}
