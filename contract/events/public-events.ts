/** The events that users can subscribe to: their names, texts, groups and severities. `backend/app/publications.ts` says what causes each one. */
import { m } from '#api-messages'
import type { Tone } from './events.ts'

export const PUBLIC_EVENT_GROUPS = {
  server: () => m.event_group_server(),
  credential: () => m.event_group_credential(),
  address: () => m.event_group_address(),
  transfer: () => m.event_group_transfer(),
  manager: () => m.event_group_manager(),
  issue: () => m.event_group_issue(),
  benefit: () => m.event_group_benefit(),
  account: () => m.event_group_account(),
} as const
export type PublicEventGroup = keyof typeof PUBLIC_EVENT_GROUPS

interface PublicEventText {
  readonly group: PublicEventGroup
  readonly title: () => string
  /** When it happens, in one sentence. */
  readonly description: () => string
  readonly severity: Tone
  /** Whether a new webhook has it chosen. */
  readonly isDefault: boolean
}

type Row = readonly [group: PublicEventGroup, title: () => string, description: () => string, severity: Tone]

const event = (...[group, title, description, severity]: Row): PublicEventText => ({
  group,
  title,
  description,
  severity,
  isDefault: false,
})
const preselected = (...row: Row): PublicEventText => ({ ...event(...row), isDefault: true })

/** In the order of a reader. */
export const PUBLIC_EVENTS = {
  'server.online': preselected('server', m.event_server_online, m.event_server_online_description, 'ok'),
  'server.offline': preselected('server', m.event_server_offline, m.event_server_offline_description, 'danger'),
  'server.listed': event('server', m.event_server_listed, m.event_server_listed_description, 'ok'),
  'server.unlisted': preselected('server', m.event_server_unlisted, m.event_server_unlisted_description, 'warn'),
  'players.threshold': event('server', m.event_players_threshold, m.event_players_threshold_description, 'info'),
  'server.created': event('server', m.event_server_created, m.event_server_created_description, 'ok'),
  'server.updated': event('server', m.event_server_updated, m.event_server_updated_description, 'info'),
  'server.deleted': event('server', m.event_server_deleted, m.event_server_deleted_description, 'danger'),
  'server.banned': preselected('server', m.event_server_banned, m.event_server_banned_description, 'danger'),
  'server.unbanned': preselected('server', m.event_server_unbanned, m.event_server_unbanned_description, 'ok'),
  'credential.reissued': event('credential', m.event_credential_reissued, m.event_credential_reissued_description, 'warn'),
  'credential.old_in_use': preselected('credential', m.event_credential_old_in_use, m.event_credential_old_in_use_description, 'warn'),
  'credential.leaked': preselected('credential', m.event_credential_leaked, m.event_credential_leaked_description, 'danger'),
  'credential.shared': preselected('credential', m.event_credential_shared, m.event_credential_shared_description, 'warn'),
  'address.bound': event('address', m.event_address_bound, m.event_address_bound_description, 'info'),
  'address.moved': event('address', m.event_address_moved, m.event_address_moved_description, 'info'),
  'address.reset': event('address', m.event_address_reset, m.event_address_reset_description, 'warn'),
  'address.mismatch': preselected('address', m.event_address_mismatch, m.event_address_mismatch_description, 'warn'),
  'transfer.offered': preselected('transfer', m.event_transfer_offered, m.event_transfer_offered_description, 'info'),
  'transfer.accepted': event('transfer', m.event_transfer_accepted, m.event_transfer_accepted_description, 'ok'),
  'transfer.declined': event('transfer', m.event_transfer_declined, m.event_transfer_declined_description, 'info'),
  'transfer.cancelled': event('transfer', m.event_transfer_cancelled, m.event_transfer_cancelled_description, 'info'),
  'transfer.expired': event('transfer', m.event_transfer_expired, m.event_transfer_expired_description, 'info'),
  'manager.granted': event('manager', m.event_manager_granted, m.event_manager_granted_description, 'ok'),
  'manager.changed': event('manager', m.event_manager_changed, m.event_manager_changed_description, 'info'),
  'manager.revoked': event('manager', m.event_manager_revoked, m.event_manager_revoked_description, 'warn'),
  'manager.left': event('manager', m.event_manager_left, m.event_manager_left_description, 'info'),
  'issue.opened': preselected('issue', m.event_issue_opened, m.event_issue_opened_description, 'warn'),
  'issue.escalated': preselected('issue', m.event_issue_escalated, m.event_issue_escalated_description, 'danger'),
  'issue.replied': event('issue', m.event_issue_replied, m.event_issue_replied_description, 'info'),
  'issue.resolved': event('issue', m.event_issue_resolved, m.event_issue_resolved_description, 'ok'),
  'benefit.granted': event('benefit', m.event_benefit_granted, m.event_benefit_granted_description, 'ok'),
  'benefit.lapsed': event('benefit', m.event_benefit_lapsed, m.event_benefit_lapsed_description, 'warn'),
  'account.deletion_scheduled': event(
    'account',
    m.event_account_deletion_scheduled,
    m.event_account_deletion_scheduled_description,
    'danger',
  ),
  'account.deletion_cancelled': event('account', m.event_account_deletion_cancelled, m.event_account_deletion_cancelled_description, 'ok'),
  'account.banned': event('account', m.event_account_banned, m.event_account_banned_description, 'danger'),
  'account.unbanned': event('account', m.event_account_unbanned, m.event_account_unbanned_description, 'ok'),
} as const

export type PublicEventType = keyof typeof PUBLIC_EVENTS
export const PUBLIC_EVENT_GROUP_KEYS = Object.keys(PUBLIC_EVENT_GROUPS) as PublicEventGroup[]
export const PUBLIC_EVENT_TYPES = Object.keys(PUBLIC_EVENTS) as [PublicEventType, ...PublicEventType[]]

/** What only the inbox receives. Its user cannot switch these off. */
const INBOX_ONLY_EVENTS = {
  'webhook.disabled': event('account', m.event_webhook_disabled, m.event_webhook_disabled_description, 'danger'),
  'api_key.leaked': event('account', m.event_api_key_leaked, m.event_api_key_leaked_description, 'danger'),
} as const

/** The events of the inbox. */
export const NOTIFICATIONS = { ...PUBLIC_EVENTS, ...INBOX_ONLY_EVENTS }

export type NotificationType = keyof typeof NOTIFICATIONS
export const NOTIFICATION_TYPES = Object.keys(NOTIFICATIONS) as [NotificationType, ...NotificationType[]]

/** What a new webhook has chosen. */
export const DEFAULT_PUBLIC_EVENTS = PUBLIC_EVENT_TYPES.filter((type) => PUBLIC_EVENTS[type].isDefault)

/** The type of the event that only a test sends. It cannot be chosen. */
export const TEST_EVENT_TYPE = 'webhook.test'
