/** Toasts about the protection issues of the user's servers. */
import type { ActivityEntry } from '#contract/events/activity.ts'
import type { Action } from '#contract/events/events.ts'
import type { Me } from '#contract/users/users.ts'
import { m } from '#messages'
import { isAdmin } from '#web/features/session/is-admin.ts'
import { call } from '#web/lib/http/call.ts'
import { serverTime } from '#web/lib/server-clock.ts'
import { toastInfo } from '#web/ui/toast.ts'

/** Older entries get no toast. */
const MAX_AGE_MS = 120_000

const shownIds = new Set<string>()

export async function notifyProtectionChanges(me: Me | undefined): Promise<void> {
  const entries = recentChanges(await call('GET /api/users/activity'))
  const ownIds = me && isAdmin(me) && entries.some(({ as }) => as === 'administrator') ? await ownActionIds(me) : new Set<string>()
  for (const entry of entries.toReversed()) {
    if (shownIds.has(entry.id)) continue
    shownIds.add(entry.id)
    if (ownIds.has(entry.id)) continue
    const text = toastTextOf(entry)
    if (text) toastInfo(text.title, text.description, `issue-${entry.id}`)
  }
}

/** IDs of this administrator's actions. The audit log names the administrator, the activity does not. */
async function ownActionIds({ id }: Me): Promise<ReadonlySet<string>> {
  const query = { actor_id: id, as: 'administrator' }
  const { data } = await call('GET /api/admin/audit', { query, fullBody: true })
  return new Set(data.map((row) => row.id))
}

/** Recent entries by others that have no toast yet. */
function recentChanges(activity: readonly ActivityEntry[]): ActivityEntry[] {
  return activity.filter(
    (entry) =>
      (entry.as === 'administrator' || entry.as === 'system') &&
      entry.action in TEXTS &&
      !shownIds.has(entry.id) &&
      serverTime(Date.now()) - Date.parse(entry.at) < MAX_AGE_MS,
  )
}

type Title = (inputs: { server: string }) => string

const TEXTS: Partial<Record<Action, { byAdministrator?: Title; bySystem?: Title; description?: string }>> = {
  ISSUE_OPENED: { bySystem: m.live_issue_opened, description: m.live_issue_opened_hint() },
  ISSUE_ACKNOWLEDGED: { byAdministrator: m.live_issue_acknowledged },
  ISSUE_REPLIED: { byAdministrator: m.live_issue_replied, description: m.live_issue_replied_hint() },
  ISSUE_CONSEQUENCE_CHANGED: {
    byAdministrator: m.live_issue_consequence_set,
    bySystem: m.live_issue_consequence_changed,
    description: m.live_issue_consequence_hint(),
  },
  ISSUE_RESOLVED: {
    byAdministrator: m.live_issue_resolved_by_admin,
    bySystem: m.live_issue_resolved,
    description: m.live_issue_closed_hint(),
  },
  ISSUE_DISMISSED: { byAdministrator: m.live_issue_dismissed, description: m.live_issue_closed_hint() },
  ISSUE_REOPENED: { byAdministrator: m.live_issue_reopened },
}

/** Undefined for changes without a toast. */
function toastTextOf({ action, as, server }: ActivityEntry): { title: string; description: string | undefined } | undefined {
  const { byAdministrator, bySystem, description } = TEXTS[action] ?? {}
  const title = as === 'administrator' ? byAdministrator : bySystem
  return title && { title: title({ server: server?.name ?? m.activity_server_any() }), description }
}
