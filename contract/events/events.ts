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

interface EventText {
  /** For tables and filters. */
  readonly title: () => string
  /** The icon's name in the Lucide set. */
  readonly icon: string
  readonly tone?: Tone
  /** A sentence about what happened. */
  readonly text: Sentence
}

type Sentence = (parts: EventParts) => string

/** A new event needs a row here and one in the subscribers' table. */
export const EVENTS = {
  SERVER_CREATED: { title: m.audit_server_created, icon: 'plus', tone: 'ok', text: m.audit_server_created_text },
  SERVER_CHANGED: { title: m.audit_server_changed, icon: 'pencil', text: m.audit_server_changed_text },
  SERVER_DELETED: { title: m.audit_server_deleted, icon: 'trash-2', tone: 'danger', text: m.audit_server_deleted_text },
  SERVER_RESTORED: { title: m.audit_server_restored, icon: 'archive-restore', tone: 'ok', text: m.audit_server_restored_text },
  SERVER_PURGED: { title: m.audit_server_purged, icon: 'trash', text: m.audit_server_purged_text },
  SERVER_BANNED: { title: m.audit_server_banned, icon: 'ban', tone: 'danger', text: m.audit_server_banned_text },
  SERVER_UNBANNED: { title: m.audit_server_unbanned, icon: 'shield-check', tone: 'ok', text: m.audit_server_unbanned_text },
  CREDENTIAL_REISSUED: { title: m.audit_credential_reissued, icon: 'key-round', tone: 'warn', text: m.audit_credential_reissued_text },
  CREDENTIAL_LEAKED: { title: m.audit_credential_leaked, icon: 'key-round', tone: 'danger', text: m.audit_credential_leaked_text },
  ADDRESS_RESET: { title: m.audit_address_reset, icon: 'map-pin', tone: 'warn', text: m.audit_address_reset_text },
  TRANSFER_OFFERED: { title: m.audit_transfer_offered, icon: 'arrow-right-left', tone: 'info', text: m.audit_transfer_offered_text },
  TRANSFER_CANCELLED: { title: m.audit_transfer_cancelled, icon: 'undo-2', text: m.audit_transfer_cancelled_text },
  TRANSFER_DECLINED: { title: m.audit_transfer_declined, icon: 'circle-slash', text: m.audit_transfer_declined_text },
  TRANSFER_ACCEPTED: { title: m.audit_transfer_accepted, icon: 'arrow-right-left', tone: 'ok', text: m.audit_transfer_accepted_text },
  TRANSFER_LAPSED: { title: m.audit_transfer_lapsed, icon: 'clock', text: m.audit_transfer_lapsed_text },
  MANAGER_GRANTED: { title: m.audit_manager_granted, icon: 'user-plus', tone: 'ok', text: m.audit_manager_granted_text },
  MANAGER_CHANGED: { title: m.audit_manager_changed, icon: 'user-cog', text: m.audit_manager_changed_text },
  MANAGER_REVOKED: { title: m.audit_manager_revoked, icon: 'user-minus', tone: 'danger', text: m.audit_manager_revoked_text },
  MANAGER_REFUSED: { title: m.audit_manager_left, icon: 'user-minus', text: m.audit_manager_left_text },
  ACCOUNT_CREATED: { title: m.audit_account_created, icon: 'user-check', tone: 'ok', text: m.audit_account_created_text },
  SESSION_ENDED: { title: m.audit_session_ended, icon: 'log-out', text: m.audit_session_ended_text },
  SESSIONS_ENDED: { title: m.audit_sessions_ended, icon: 'log-out', tone: 'warn', text: m.audit_sessions_ended_text },
  PREFERENCES_CHANGED: { title: m.audit_preferences_changed, icon: 'sliders-horizontal', text: m.audit_preferences_changed_text },
  ACCOUNT_DELETION_REQUESTED: {
    title: m.audit_account_deletion_requested,
    icon: 'calendar-clock',
    tone: 'danger',
    text: m.audit_account_deletion_requested_text,
  },
  ACCOUNT_DELETION_CANCELLED: {
    title: m.audit_account_deletion_cancelled,
    icon: 'undo-2',
    tone: 'ok',
    text: m.audit_account_deletion_cancelled_text,
  },
  ACCOUNT_ERASED: { title: m.audit_account_erased, icon: 'trash-2', tone: 'danger', text: m.audit_account_erased_text },
  ACCOUNT_BANNED: { title: m.audit_account_banned, icon: 'ban', tone: 'danger', text: m.audit_account_banned_text },
  ACCOUNT_UNBANNED: { title: m.audit_account_unbanned, icon: 'shield-check', tone: 'ok', text: m.audit_account_unbanned_text },
  API_KEY_CREATED: { title: m.audit_api_key_created, icon: 'key-round', tone: 'ok', text: m.audit_api_key_created_text },
  API_KEY_REVOKED: { title: m.audit_api_key_revoked, icon: 'key-round', tone: 'warn', text: m.audit_api_key_revoked_text },
  API_KEY_LEAKED: { title: m.audit_api_key_leaked, icon: 'key-round', tone: 'danger', text: m.audit_api_key_leaked_text },
  LIMITS_CHANGED: { title: m.audit_limits_changed, icon: 'sliders-horizontal', text: m.audit_limits_changed_text },
  BENEFIT_GRANTED: { title: m.audit_benefit_granted, icon: 'gift', tone: 'ok', text: m.audit_benefit_granted_text },
  BENEFIT_TAKEN: { title: m.audit_benefit_taken, icon: 'gift', text: m.audit_benefit_taken_text },
  TIER_CHANGED: { title: m.audit_tier_changed, icon: 'gem', text: m.audit_tier_changed_text },
  BENEFIT_SETTINGS_CHANGED: { title: m.audit_benefit_settings_changed, icon: 'settings-2', text: m.audit_benefit_settings_changed_text },
  GROUP_CREATED: { title: m.audit_group_created, icon: 'layers', tone: 'ok', text: m.audit_group_created_text },
  GROUP_RENAMED: { title: m.audit_group_renamed, icon: 'layers', text: m.audit_group_renamed_text },
  GROUP_DELETED: { title: m.audit_group_deleted, icon: 'layers', tone: 'danger', text: m.audit_group_deleted_text },
  ISSUE_OPENED: { title: m.audit_issue_opened, icon: 'shield-alert', tone: 'warn', text: m.audit_issue_opened_text },
  ISSUE_ACKNOWLEDGED: { title: m.audit_issue_acknowledged, icon: 'eye', text: m.audit_issue_acknowledged_text },
  ISSUE_REPLIED: { title: m.audit_issue_replied, icon: 'message-square', tone: 'info', text: m.audit_issue_replied_text },
  ISSUE_NOTED: { title: m.audit_issue_noted, icon: 'sticky-note', text: m.audit_issue_noted_text },
  ISSUE_CONSEQUENCE_CHANGED: {
    title: m.audit_issue_consequence_changed,
    icon: 'scale',
    tone: 'warn',
    text: m.audit_issue_consequence_changed_text,
  },
  ISSUE_RESOLVED: { title: m.audit_issue_resolved, icon: 'shield-check', tone: 'ok', text: m.audit_issue_resolved_text },
  ISSUE_DISMISSED: { title: m.audit_issue_dismissed, icon: 'shield-off', tone: 'ok', text: m.audit_issue_dismissed_text },
  ISSUE_REOPENED: { title: m.audit_issue_reopened, icon: 'shield-alert', tone: 'warn', text: m.audit_issue_reopened_text },
  SERVER_REPORTED: { title: m.audit_server_reported, icon: 'flag', text: m.audit_server_reported_text },
  WEBHOOK_CREATED: { title: m.audit_webhook_created, icon: 'webhook', tone: 'ok', text: m.audit_webhook_created_text },
  WEBHOOK_CHANGED: { title: m.audit_webhook_changed, icon: 'webhook', text: m.audit_webhook_changed_text },
  WEBHOOK_DELETED: { title: m.audit_webhook_deleted, icon: 'webhook', tone: 'danger', text: m.audit_webhook_deleted_text },
  WEBHOOK_SECRET_ROTATED: {
    title: m.audit_webhook_secret_rotated,
    icon: 'key-round',
    tone: 'warn',
    text: m.audit_webhook_secret_rotated_text,
  },
  WEBHOOK_DISABLED: { title: m.audit_webhook_disabled, icon: 'webhook', tone: 'danger', text: m.audit_webhook_disabled_text },
} as const satisfies Readonly<Record<string, EventText>>

export type Action = keyof typeof EVENTS

/** The sentences where the program acted: something expired, or an account was banned or erased. */
export const TEXTS_BY_SYSTEM: Readonly<Partial<Record<Action, Sentence>>> = {
  SERVER_UNBANNED: m.audit_server_unbanned_by_system,
  CREDENTIAL_LEAKED: m.audit_credential_leaked_by_system,
  TRANSFER_CANCELLED: m.audit_transfer_cancelled_by_system,
  TRANSFER_DECLINED: m.audit_transfer_declined_by_system,
  MANAGER_REVOKED: m.audit_manager_revoked_by_system,
  MANAGER_REFUSED: m.audit_manager_left_by_system,
  ACCOUNT_UNBANNED: m.audit_account_unbanned_by_system,
  API_KEY_LEAKED: m.audit_api_key_leaked_by_system,
  WEBHOOK_DISABLED: m.audit_webhook_disabled_by_system,
}

export const ACTIONS = Object.keys(EVENTS) as [Action, ...Action[]]

/** The role of the actor; `system` is the program itself. */
export const ACTOR_ROLES = ['self', 'manager', 'administrator', 'system'] as const
export type ActorRole = (typeof ACTOR_ROLES)[number]
