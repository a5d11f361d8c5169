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
  readonly isDefault?: true
}

/** In the order of a reader. */
export const PUBLIC_EVENTS = {
  'server.online': {
    group: 'server',
    title: m.event_server_online,
    description: m.event_server_online_description,
    severity: 'ok',
    isDefault: true,
  },
  'server.offline': {
    group: 'server',
    title: m.event_server_offline,
    description: m.event_server_offline_description,
    severity: 'danger',
    isDefault: true,
  },
  'server.listed': { group: 'server', title: m.event_server_listed, description: m.event_server_listed_description, severity: 'ok' },
  'server.unlisted': {
    group: 'server',
    title: m.event_server_unlisted,
    description: m.event_server_unlisted_description,
    severity: 'warn',
    isDefault: true,
  },
  'players.threshold': {
    group: 'server',
    title: m.event_players_threshold,
    description: m.event_players_threshold_description,
    severity: 'info',
  },
  'server.created': { group: 'server', title: m.event_server_created, description: m.event_server_created_description, severity: 'ok' },
  'server.updated': { group: 'server', title: m.event_server_updated, description: m.event_server_updated_description, severity: 'info' },
  'server.deleted': { group: 'server', title: m.event_server_deleted, description: m.event_server_deleted_description, severity: 'danger' },
  'server.banned': {
    group: 'server',
    title: m.event_server_banned,
    description: m.event_server_banned_description,
    severity: 'danger',
    isDefault: true,
  },
  'server.unbanned': {
    group: 'server',
    title: m.event_server_unbanned,
    description: m.event_server_unbanned_description,
    severity: 'ok',
    isDefault: true,
  },
  'credential.reissued': {
    group: 'credential',
    title: m.event_credential_reissued,
    description: m.event_credential_reissued_description,
    severity: 'warn',
  },
  'credential.old_in_use': {
    group: 'credential',
    title: m.event_credential_old_in_use,
    description: m.event_credential_old_in_use_description,
    severity: 'warn',
    isDefault: true,
  },
  'credential.leaked': {
    group: 'credential',
    title: m.event_credential_leaked,
    description: m.event_credential_leaked_description,
    severity: 'danger',
    isDefault: true,
  },
  'address.bound': { group: 'address', title: m.event_address_bound, description: m.event_address_bound_description, severity: 'info' },
  'address.reset': { group: 'address', title: m.event_address_reset, description: m.event_address_reset_description, severity: 'warn' },
  'address.mismatch': {
    group: 'address',
    title: m.event_address_mismatch,
    description: m.event_address_mismatch_description,
    severity: 'warn',
    isDefault: true,
  },
  'transfer.offered': {
    group: 'transfer',
    title: m.event_transfer_offered,
    description: m.event_transfer_offered_description,
    severity: 'info',
    isDefault: true,
  },
  'transfer.accepted': {
    group: 'transfer',
    title: m.event_transfer_accepted,
    description: m.event_transfer_accepted_description,
    severity: 'ok',
  },
  'transfer.declined': {
    group: 'transfer',
    title: m.event_transfer_declined,
    description: m.event_transfer_declined_description,
    severity: 'info',
  },
  'transfer.cancelled': {
    group: 'transfer',
    title: m.event_transfer_cancelled,
    description: m.event_transfer_cancelled_description,
    severity: 'info',
  },
  'transfer.expired': {
    group: 'transfer',
    title: m.event_transfer_expired,
    description: m.event_transfer_expired_description,
    severity: 'info',
  },
  'manager.granted': { group: 'manager', title: m.event_manager_granted, description: m.event_manager_granted_description, severity: 'ok' },
  'manager.changed': {
    group: 'manager',
    title: m.event_manager_changed,
    description: m.event_manager_changed_description,
    severity: 'info',
  },
  'manager.revoked': {
    group: 'manager',
    title: m.event_manager_revoked,
    description: m.event_manager_revoked_description,
    severity: 'warn',
  },
  'manager.left': { group: 'manager', title: m.event_manager_left, description: m.event_manager_left_description, severity: 'info' },
  'issue.opened': {
    group: 'issue',
    title: m.event_issue_opened,
    description: m.event_issue_opened_description,
    severity: 'warn',
    isDefault: true,
  },
  'issue.escalated': {
    group: 'issue',
    title: m.event_issue_escalated,
    description: m.event_issue_escalated_description,
    severity: 'danger',
    isDefault: true,
  },
  'issue.replied': { group: 'issue', title: m.event_issue_replied, description: m.event_issue_replied_description, severity: 'info' },
  'issue.resolved': { group: 'issue', title: m.event_issue_resolved, description: m.event_issue_resolved_description, severity: 'ok' },
  'benefit.granted': { group: 'benefit', title: m.event_benefit_granted, description: m.event_benefit_granted_description, severity: 'ok' },
  'benefit.lapsed': { group: 'benefit', title: m.event_benefit_lapsed, description: m.event_benefit_lapsed_description, severity: 'warn' },
  'account.deletion_scheduled': {
    group: 'account',
    title: m.event_account_deletion_scheduled,
    description: m.event_account_deletion_scheduled_description,
    severity: 'danger',
  },
  'account.deletion_cancelled': {
    group: 'account',
    title: m.event_account_deletion_cancelled,
    description: m.event_account_deletion_cancelled_description,
    severity: 'ok',
  },
  'account.banned': {
    group: 'account',
    title: m.event_account_banned,
    description: m.event_account_banned_description,
    severity: 'danger',
  },
  'account.unbanned': {
    group: 'account',
    title: m.event_account_unbanned,
    description: m.event_account_unbanned_description,
    severity: 'ok',
  },
} as const satisfies Readonly<Record<string, PublicEventText>>

export type PublicEventType = keyof typeof PUBLIC_EVENTS
export const PUBLIC_EVENT_GROUP_KEYS = Object.keys(PUBLIC_EVENT_GROUPS) as PublicEventGroup[]
export const PUBLIC_EVENT_TYPES = Object.keys(PUBLIC_EVENTS) as [PublicEventType, ...PublicEventType[]]

/** What only the inbox receives. Its user cannot switch these off. */
const INBOX_ONLY_EVENTS = {
  'webhook.disabled': {
    group: 'account',
    title: m.event_webhook_disabled,
    description: m.event_webhook_disabled_description,
    severity: 'danger',
  },
  'api_key.leaked': {
    group: 'account',
    title: m.event_api_key_leaked,
    description: m.event_api_key_leaked_description,
    severity: 'danger',
  },
} as const satisfies Readonly<Record<string, PublicEventText>>

/** The events of the inbox. */
export const NOTIFICATIONS = { ...PUBLIC_EVENTS, ...INBOX_ONLY_EVENTS }

export type NotificationType = keyof typeof NOTIFICATIONS
export const NOTIFICATION_TYPES = Object.keys(NOTIFICATIONS) as [NotificationType, ...NotificationType[]]

/** What a new webhook has chosen. */
export const DEFAULT_PUBLIC_EVENTS = PUBLIC_EVENT_TYPES.filter((type) => 'isDefault' in PUBLIC_EVENTS[type])

/** The type of the event that only a test sends. It cannot be chosen. */
export const TEST_EVENT_TYPE = 'webhook.test'
