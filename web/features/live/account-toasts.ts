/** Toasts about changes that other users made to the account. */
import type { ActivityEntry } from '#contract/events/activity.ts'
import type { Action } from '#contract/events/events.ts'
import { PERMISSIONS } from '#contract/servers/permissions.ts'
import type { ServerTransfer } from '#contract/servers/transfers.ts'
import { m } from '#messages'
import { call } from '#web/lib/http/call.ts'
import { formatList } from '#web/lib/lists.ts'
import { dismissToast, toastInfo } from '#web/ui/toast.ts'
import { type AccountChange, changesBetween } from './account-changes.ts'
import type { AccountSnapshot } from './account-updates.ts'

export async function notifyAccountChanges(previous: AccountSnapshot, current: AccountSnapshot): Promise<void> {
  const changes = changesBetween(previous, current)
  if (changes.length === 0) return
  const needsActivity = changes.some(({ kind }) => kind !== 'transfer requested' && kind !== 'grant received')
  const activity = needsActivity ? await call('GET /api/users/activity').catch(() => []) : []
  // The server list shows the request itself.
  const isServerList = location.pathname === '/' || location.pathname === '/servers'
  for (const change of changes) {
    if (change.kind === 'transfer withdrawn') dismissToast(change.transfer.id)
    const text = toastTextOf(change, activity)
    if (text) toastInfo(text.title, change.kind === 'transfer requested' && isServerList ? undefined : text.description, text.id)
  }
}

interface ToastText {
  readonly title: string
  readonly description?: string
  /** `dismissToast` takes this ID. */
  readonly id?: string
}

const TRANSFER_ENDS: readonly Action[] = [
  'TRANSFER_ACCEPTED',
  'TRANSFER_DECLINED',
  'TRANSFER_LAPSED',
  'TRANSFER_CANCELLED',
  'SERVER_DELETED',
]
const GRANT_ENDS: readonly Action[] = ['MANAGER_REVOKED', 'MANAGER_REFUSED']

/** Undefined if the user made the change in another tab. @param activity newest first; it shows who ended a transfer or grant. */
export function toastTextOf(change: AccountChange, activity: readonly ActivityEntry[]): ToastText | undefined {
  switch (change.kind) {
    case 'transfer requested': {
      const { id, token, from_user } = change.transfer
      const title = m.live_transfer_requested({ user: from_user.discord.username, server: token.name })
      return { title, description: m.live_transfer_requested_hint(), id }
    }
    case 'transfer withdrawn':
      return incomingEndText(change.transfer, transferEnd(change.transfer, activity))
    case 'transfer accepted':
    case 'transfer ended':
      return outgoingEndText(change.transfer, transferEnd(change.transfer, activity))
    case 'grant received': {
      const { owner, permissions } = change.grant
      const names = formatList(permissions.map((key) => PERMISSIONS[key].name()))
      return {
        title: m.live_manager_added({ user: owner.discord.username }),
        description: m.live_manager_added_permissions({ permissions: names }),
      }
    }
    case 'grant ended': {
      const { owner, owner_id } = change.grant
      const user = owner.discord.username
      const end = newestOf(activity, GRANT_ENDS, (entry) => entry.owner?.id === owner_id || isErased(entry, entry.owner))
      if (end?.action !== 'MANAGER_REVOKED') return undefined
      return {
        title: m.live_manager_removed({ user }),
        description: end.as === 'system' ? m.live_account_erased() : m.live_manager_removed_by({ user }),
      }
    }
    case 'manager left': {
      const { manager, manager_id } = change.grant
      const user = manager.discord.username
      const end = newestOf(activity, GRANT_ENDS, (entry) => entry.user?.id === manager_id || isErased(entry, entry.user))
      if (end?.action !== 'MANAGER_REFUSED') return undefined
      return {
        title: m.live_manager_left({ user }),
        description: end.as === 'system' ? m.live_account_erased() : m.live_manager_left_by({ user }),
      }
    }
  }
}

function incomingEndText({ token, from_user }: ServerTransfer, end: ActivityEntry | undefined): ToastText | undefined {
  const names = { user: from_user.discord.username, server: token.name }
  if (end?.action === 'TRANSFER_LAPSED') return { title: m.live_transfer_incoming_expired(names) }
  if (end?.action !== 'TRANSFER_CANCELLED') return undefined
  return { title: end.actor?.id === from_user.id ? m.live_transfer_cancelled(names) : m.live_transfer_incoming_ended(names) }
}

function outgoingEndText({ token, to_user }: ServerTransfer, end: ActivityEntry | undefined): ToastText | undefined {
  const names = { user: to_user.discord.username, server: token.name }
  const action = end?.action
  if (action === 'TRANSFER_ACCEPTED') return { title: m.live_transfer_accepted(names), description: m.live_transfer_accepted_hint() }
  if (action === 'TRANSFER_DECLINED') return { title: m.live_transfer_declined(names), description: m.live_transfer_server_kept() }
  if (action === 'TRANSFER_LAPSED') return { title: m.live_transfer_expired(names), description: m.live_transfer_expired_hint(names) }
  // Gives no reason: it can be a ban, which is private.
  if (action === 'TRANSFER_CANCELLED' && end?.as === 'system')
    return { title: m.live_transfer_ended(names), description: m.live_transfer_server_kept() }
  return undefined
}

/** The erasure of an account removes its name from the activity. */
const isErased = ({ as }: ActivityEntry, user: ActivityEntry['user']) => as === 'system' && user === null

function transferEnd({ token }: ServerTransfer, activity: readonly ActivityEntry[]): ActivityEntry | undefined {
  return newestOf(activity, TRANSFER_ENDS, (entry) => entry.server?.public_id === token.public_id)
}

function newestOf(activity: readonly ActivityEntry[], actions: readonly Action[], matches: (entry: ActivityEntry) => boolean) {
  return activity.find((entry) => actions.includes(entry.action) && matches(entry))
}
