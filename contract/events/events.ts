/** Titles and texts of all events in the audit log. `backend/app/subscribers.ts` has what each one causes. */
import { m } from '#api-messages'

/** The colour of an event. Its icon and text say the same. */
export type Tone = 'ok' | 'info' | 'warn' | 'danger'

/** The parameters of a sentence. */
interface EventParts {
  /** The actor. */
  readonly who: string
  /** The owner of the account, in the possessive: `your` or `alice’s`. */
  readonly owners: string
  /** The other user. */
  readonly user: string
  /** The sender or recipient who did not act. */
  readonly other: string
  readonly server: string
  /** The protection issue. */
  readonly issue: string
}

type Sentence = (parts: EventParts) => string

/**
 * @param title for tables and filters.
 * @param text what happened.
 * @param icon its name in the Lucide set.
 */
const event = <Icon extends string>(title: () => string, text: Sentence, icon: Icon, tone?: Tone) => ({ title, text, icon, tone })

/** A new event needs a row here and one in the subscribers' table. */
export const EVENTS = {
  SERVER_CREATED: event(m.audit_server_created, m.audit_server_created_text, 'plus', 'ok'),
  SERVER_CHANGED: event(m.audit_server_changed, m.audit_server_changed_text, 'pencil'),
  SERVER_DELETED: event(m.audit_server_deleted, m.audit_server_deleted_text, 'trash-2', 'danger'),
  SERVER_RESTORED: event(m.audit_server_restored, m.audit_server_restored_text, 'archive-restore', 'ok'),
  SERVER_PURGED: event(m.audit_server_purged, m.audit_server_purged_text, 'trash'),
  SERVER_BANNED: event(m.audit_server_banned, m.audit_server_banned_text, 'ban', 'danger'),
  SERVER_UNBANNED: event(m.audit_server_unbanned, m.audit_server_unbanned_text, 'shield-check', 'ok'),
  CREDENTIAL_REISSUED: event(m.audit_credential_reissued, m.audit_credential_reissued_text, 'key-round', 'warn'),
  CREDENTIAL_LEAKED: event(m.audit_credential_leaked, m.audit_credential_leaked_text, 'key-round', 'danger'),
  ADDRESS_BOUND: event(m.audit_address_bound, m.audit_address_bound_text, 'map-pin', 'ok'),
  ADDRESS_MOVED: event(m.audit_address_moved, m.audit_address_moved_text, 'map-pin', 'info'),
  ADDRESS_RESET: event(m.audit_address_reset, m.audit_address_reset_text, 'map-pin', 'warn'),
  TRANSFER_OFFERED: event(m.audit_transfer_offered, m.audit_transfer_offered_text, 'arrow-right-left', 'info'),
  TRANSFER_CANCELLED: event(m.audit_transfer_cancelled, m.audit_transfer_cancelled_text, 'undo-2'),
  TRANSFER_DECLINED: event(m.audit_transfer_declined, m.audit_transfer_declined_text, 'circle-slash'),
  TRANSFER_ACCEPTED: event(m.audit_transfer_accepted, m.audit_transfer_accepted_text, 'arrow-right-left', 'ok'),
  TRANSFER_LAPSED: event(m.audit_transfer_lapsed, m.audit_transfer_lapsed_text, 'clock'),
  MANAGER_GRANTED: event(m.audit_manager_granted, m.audit_manager_granted_text, 'user-plus', 'ok'),
  MANAGER_CHANGED: event(m.audit_manager_changed, m.audit_manager_changed_text, 'user-cog'),
  MANAGER_REVOKED: event(m.audit_manager_revoked, m.audit_manager_revoked_text, 'user-minus', 'danger'),
  MANAGER_REFUSED: event(m.audit_manager_left, m.audit_manager_left_text, 'user-minus'),
  ACCOUNT_CREATED: event(m.audit_account_created, m.audit_account_created_text, 'user-check', 'ok'),
  SESSION_ENDED: event(m.audit_session_ended, m.audit_session_ended_text, 'log-out'),
  SESSIONS_ENDED: event(m.audit_sessions_ended, m.audit_sessions_ended_text, 'log-out', 'warn'),
  IDENTITY_LINKED: event(m.audit_identity_linked, m.audit_identity_linked_text, 'link', 'ok'),
  IDENTITY_UNLINKED: event(m.audit_identity_unlinked, m.audit_identity_unlinked_text, 'unlink', 'warn'),
  RECOVERY_LINK_CREATED: event(m.audit_recovery_link_created, m.audit_recovery_link_created_text, 'life-buoy', 'warn'),
  RECOVERY_LINK_USED: event(m.audit_recovery_link_used, m.audit_recovery_link_used_text, 'life-buoy', 'warn'),
  PREFERENCES_CHANGED: event(m.audit_preferences_changed, m.audit_preferences_changed_text, 'sliders-horizontal'),
  ACCOUNT_DELETION_REQUESTED: event(
    m.audit_account_deletion_requested,
    m.audit_account_deletion_requested_text,
    'calendar-clock',
    'danger',
  ),
  ACCOUNT_DELETION_CANCELLED: event(m.audit_account_deletion_cancelled, m.audit_account_deletion_cancelled_text, 'undo-2', 'ok'),
  ACCOUNT_ERASED: event(m.audit_account_erased, m.audit_account_erased_text, 'trash-2', 'danger'),
  ACCOUNT_BANNED: event(m.audit_account_banned, m.audit_account_banned_text, 'ban', 'danger'),
  ACCOUNT_UNBANNED: event(m.audit_account_unbanned, m.audit_account_unbanned_text, 'shield-check', 'ok'),
  API_KEY_CREATED: event(m.audit_api_key_created, m.audit_api_key_created_text, 'key-round', 'ok'),
  API_KEY_REVOKED: event(m.audit_api_key_revoked, m.audit_api_key_revoked_text, 'key-round', 'warn'),
  API_KEY_LEAKED: event(m.audit_api_key_leaked, m.audit_api_key_leaked_text, 'key-round', 'danger'),
  LIMITS_CHANGED: event(m.audit_limits_changed, m.audit_limits_changed_text, 'sliders-horizontal'),
  BENEFIT_GRANTED: event(m.audit_benefit_granted, m.audit_benefit_granted_text, 'gift', 'ok'),
  BENEFIT_TAKEN: event(m.audit_benefit_taken, m.audit_benefit_taken_text, 'gift'),
  TIER_CHANGED: event(m.audit_tier_changed, m.audit_tier_changed_text, 'gem'),
  BENEFIT_SETTINGS_CHANGED: event(m.audit_benefit_settings_changed, m.audit_benefit_settings_changed_text, 'settings-2'),
  GROUP_CREATED: event(m.audit_group_created, m.audit_group_created_text, 'layers', 'ok'),
  GROUP_RENAMED: event(m.audit_group_renamed, m.audit_group_renamed_text, 'layers'),
  GROUP_DELETED: event(m.audit_group_deleted, m.audit_group_deleted_text, 'layers', 'danger'),
  ISSUE_OPENED: event(m.audit_issue_opened, m.audit_issue_opened_text, 'shield-alert', 'warn'),
  ISSUE_ACKNOWLEDGED: event(m.audit_issue_acknowledged, m.audit_issue_acknowledged_text, 'eye'),
  ISSUE_REPLIED: event(m.audit_issue_replied, m.audit_issue_replied_text, 'message-square', 'info'),
  ISSUE_NOTED: event(m.audit_issue_noted, m.audit_issue_noted_text, 'sticky-note'),
  ISSUE_CONSEQUENCE_CHANGED: event(m.audit_issue_consequence_changed, m.audit_issue_consequence_changed_text, 'scale', 'warn'),
  ISSUE_RESOLVED: event(m.audit_issue_resolved, m.audit_issue_resolved_text, 'shield-check', 'ok'),
  ISSUE_DISMISSED: event(m.audit_issue_dismissed, m.audit_issue_dismissed_text, 'shield-off', 'ok'),
  ISSUE_REOPENED: event(m.audit_issue_reopened, m.audit_issue_reopened_text, 'shield-alert', 'warn'),
  SERVER_REPORTED: event(m.audit_server_reported, m.audit_server_reported_text, 'flag'),
  WEBHOOK_CREATED: event(m.audit_webhook_created, m.audit_webhook_created_text, 'webhook', 'ok'),
  WEBHOOK_CHANGED: event(m.audit_webhook_changed, m.audit_webhook_changed_text, 'webhook'),
  WEBHOOK_DELETED: event(m.audit_webhook_deleted, m.audit_webhook_deleted_text, 'webhook', 'danger'),
  WEBHOOK_SECRET_ROTATED: event(m.audit_webhook_secret_rotated, m.audit_webhook_secret_rotated_text, 'key-round', 'warn'),
  WEBHOOK_DISABLED: event(m.audit_webhook_disabled, m.audit_webhook_disabled_text, 'webhook', 'danger'),
} as const

export type Action = keyof typeof EVENTS

/** The sentences where the program acted: something expired, or an account was banned or erased. */
export const TEXTS_BY_SYSTEM: Readonly<Partial<Record<Action, Sentence>>> = {
  SERVER_UNBANNED: m.audit_server_unbanned_by_system,
  CREDENTIAL_LEAKED: m.audit_credential_leaked_by_system,
  ADDRESS_BOUND: m.audit_address_bound_by_system,
  ADDRESS_MOVED: m.audit_address_moved_by_system,
  TRANSFER_CANCELLED: m.audit_transfer_cancelled_by_system,
  TRANSFER_DECLINED: m.audit_transfer_declined_by_system,
  MANAGER_REVOKED: m.audit_manager_revoked_by_system,
  MANAGER_REFUSED: m.audit_manager_left_by_system,
  ACCOUNT_UNBANNED: m.audit_account_unbanned_by_system,
  RECOVERY_LINK_CREATED: m.audit_recovery_link_created_by_system,
  API_KEY_LEAKED: m.audit_api_key_leaked_by_system,
  WEBHOOK_DISABLED: m.audit_webhook_disabled_by_system,
}

export const ACTIONS = Object.keys(EVENTS) as [Action, ...Action[]]

/** The role of the actor; `system` is the program itself. */
export const ACTOR_ROLES = ['self', 'manager', 'administrator', 'system'] as const
export type ActorRole = (typeof ACTOR_ROLES)[number]
