/** Toasts about what others did to the account, by its activity. */
import type { ActivityEntry } from '#contract/events/activity.ts'
import type { Action } from '#contract/events/events.ts'
import { type Permission, PERMISSIONS } from '#contract/servers/permissions.ts'
import { m } from '#messages'
import { call } from '#web/lib/http/call.ts'
import { formatList } from '#web/lib/lists.ts'
import { serverTime } from '#web/lib/server-clock.ts'
import { dismissToast, toastInfo } from '#web/ui/toast.ts'

/** Older entries get no toast, nor do those from before the page was opened. */
const MAX_AGE_MS = 120_000

const shownIds = new Set<string>()

export async function showAccountToasts(userId: string): Promise<void> {
  const since = serverTime(Math.max(performance.timeOrigin, Date.now() - MAX_AGE_MS))
  const activity = await call('GET /api/users/activity')
  for (const entry of activity.filter(({ id, at }) => Date.parse(at) >= since && !shownIds.has(id)).toReversed()) {
    shownIds.add(entry.id)
    const toast = toastOf(entry, userId)
    // What the toast of an offer asks for is decided.
    if (entry.action.startsWith('TRANSFER_') && !toast?.id) dismissToast(entry.server?.public_id ?? '')
    if (toast) toastInfo(toast.title, toast.description, toast.id)
  }
}

interface Toast {
  readonly title: string
  readonly description?: string | undefined
  /** Of an offer, by its server: the end of the offer dismisses it. */
  readonly id?: string | undefined
}

/** Undefined for changes without a toast. */
export function toastOf(entry: ActivityEntry, userId: string): Toast | undefined {
  const { action, actor, owner, user, server } = entry
  // The user did it in another tab.
  if (actor?.id === userId) return undefined
  const isOwner = owner?.id === userId
  const other = isOwner ? user : owner
  const names = { user: other?.discord.username ?? m.activity_user_erased(), server: server?.name ?? m.activity_server_any() }
  return (isOwner ? TO_OWNER : TO_OTHER)[action]?.(names, entry)
}

type Names = Record<'user' | 'server', string>
type Toasts = Readonly<Partial<Record<Action, (names: Names, entry: ActivityEntry) => Toast | undefined>>>

const TO_OWNER: Toasts = {
  TRANSFER_ACCEPTED: (names) => ({ title: m.live_transfer_accepted(names), description: m.live_transfer_accepted_hint() }),
  TRANSFER_DECLINED: (names) => ({ title: m.live_transfer_declined(names), description: m.live_transfer_server_kept() }),
  TRANSFER_LAPSED: (names) => ({ title: m.live_transfer_expired(names), description: m.live_transfer_expired_hint(names) }),
  // Gives no reason: it can be a ban, which is private.
  TRANSFER_CANCELLED: (names, { as }) =>
    as === 'system' ? { title: m.live_transfer_ended(names), description: m.live_transfer_server_kept() } : undefined,
  MANAGER_REFUSED: (names, { as }) => ({
    title: m.live_manager_left(names),
    description: as === 'system' ? m.live_account_erased() : m.live_manager_left_by(names),
  }),
  ISSUE_OPENED: issueToast({ system: m.live_issue_opened, hint: m.live_issue_opened_hint }),
  ISSUE_ACKNOWLEDGED: issueToast({ administrator: m.live_issue_acknowledged }),
  ISSUE_REPLIED: issueToast({ administrator: m.live_issue_replied, hint: m.live_issue_replied_hint }),
  ISSUE_CONSEQUENCE_CHANGED: issueToast({
    administrator: m.live_issue_consequence_set,
    system: m.live_issue_consequence_changed,
    hint: m.live_issue_consequence_hint,
  }),
  ISSUE_RESOLVED: issueToast({
    administrator: m.live_issue_resolved_by_admin,
    system: m.live_issue_resolved,
    hint: m.live_issue_closed_hint,
  }),
  ISSUE_DISMISSED: issueToast({ administrator: m.live_issue_dismissed, hint: m.live_issue_closed_hint }),
  ISSUE_REOPENED: issueToast({ administrator: m.live_issue_reopened }),
}

const TO_OTHER: Toasts = {
  TRANSFER_OFFERED: (names, { server }) => ({
    title: m.live_transfer_requested(names),
    // The server list shows the offer itself.
    description: ['/', '/servers'].includes(location.pathname) ? undefined : m.live_transfer_requested_hint(),
    id: server?.public_id,
  }),
  TRANSFER_LAPSED: (names) => ({ title: m.live_transfer_incoming_expired(names) }),
  TRANSFER_CANCELLED: (names, { actor }) => ({
    title: actor === null ? m.live_transfer_incoming_ended(names) : m.live_transfer_cancelled(names),
  }),
  MANAGER_GRANTED: (names, { after }) => {
    const permissions = (after?.['permissions'] ?? []) as readonly Permission[]
    const list = formatList(permissions.map((key) => PERMISSIONS[key].name()))
    return { title: m.live_manager_added(names), description: m.live_manager_added_permissions({ permissions: list }) }
  },
  MANAGER_REVOKED: (names, { as }) => ({
    title: m.live_manager_removed(names),
    description: as === 'system' ? m.live_account_erased() : m.live_manager_removed_by(names),
  }),
}

interface IssueTexts extends Partial<Record<ActivityEntry['as'], (names: Names) => string>> {
  readonly hint?: () => string
}

function issueToast({ hint, ...titles }: IssueTexts) {
  return (names: Names, { as }: ActivityEntry): Toast | undefined => {
    const title = titles[as]?.(names)
    return title === undefined ? undefined : { title, description: hint?.() }
  }
}
