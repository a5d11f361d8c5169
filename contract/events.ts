/** Titles and texts of all events in the audit log. `backend/app/subscribers.ts` has what each one causes. */

/** The colour of an event. Its icon and text say the same. */
export type Tone = 'ok' | 'info' | 'warn' | 'danger'

interface EventText {
  /** For tables and filters. */
  readonly title: string
  /** The icon's name in the Lucide set. */
  readonly icon: string
  readonly tone?: Tone
  /**
   * A sentence with placeholders:
   * - `who`: the actor
   * - `owners`: the owner of the account, as your or alice’s
   * - `user`: the other user
   * - `other`: the sender or recipient who did not act
   * - `server`, and `issue`: the protection issue
   */
  readonly text: string
  /** The text where the program acted: something expired, or an account was banned or erased. */
  readonly bySystem?: string
}

/** A new event needs a row here and one in the subscribers' table. */
export const EVENTS = {
  SERVER_CREATED: { title: 'Server created', icon: 'plus', tone: 'ok', text: '{who} created {server}' },
  SERVER_CHANGED: { title: 'Server changed', icon: 'pencil', text: '{who} changed {server}' },
  SERVER_DELETED: { title: 'Server deleted', icon: 'trash-2', tone: 'danger', text: '{who} deleted {server}' },
  SERVER_RESTORED: { title: 'Server restored', icon: 'archive-restore', tone: 'ok', text: '{who} restored {server}' },
  SERVER_PURGED: {
    title: 'Server deleted for good',
    icon: 'trash',
    text: '{server} was deleted for good',
  },
  SERVER_BANNED: { title: 'Server banned', icon: 'ban', tone: 'danger', text: '{who} banned {server}' },
  SERVER_UNBANNED: {
    title: 'Server ban lifted',
    icon: 'shield-check',
    tone: 'ok',
    text: '{who} lifted the ban on {server}',
    bySystem: 'The ban on {server} ended',
  },
  CREDENTIAL_REISSUED: {
    title: 'Credential reissued',
    icon: 'key-round',
    tone: 'warn',
    text: '{who} created a new credential for {server}',
  },
  CREDENTIAL_LEAKED: {
    title: 'Credential leaked',
    icon: 'key-round',
    tone: 'danger',
    text: '{who} revoked a leaked credential of {server}',
    bySystem: 'A leaked credential of {server} was revoked',
  },
  ADDRESS_RESET: { title: 'Bound address reset', icon: 'map-pin', tone: 'warn', text: '{who} reset the bound address of {server}' },
  TRANSFER_OFFERED: {
    title: 'Transfer requested',
    icon: 'arrow-right-left',
    tone: 'info',
    text: '{who} sent {user} a transfer request for {server}',
  },
  TRANSFER_CANCELLED: {
    title: 'Transfer cancelled',
    icon: 'undo-2',
    text: '{who} cancelled the transfer of {server} to {user}',
    bySystem: 'The transfer of {server} to {user} was cancelled',
  },
  TRANSFER_DECLINED: {
    title: 'Transfer declined',
    icon: 'circle-slash',
    text: '{who} declined the transfer of {server} from {other}',
    bySystem: 'The transfer of {server} was cancelled',
  },
  TRANSFER_ACCEPTED: { title: 'Server transferred', icon: 'arrow-right-left', tone: 'ok', text: '{who} accepted {server} from {other}' },
  TRANSFER_LAPSED: { title: 'Transfer expired', icon: 'clock', text: 'The transfer of {server} to {user} expired' },
  MANAGER_GRANTED: { title: 'Manager added', icon: 'user-plus', tone: 'ok', text: '{who} added {user} as a manager' },
  MANAGER_CHANGED: { title: 'Permissions changed', icon: 'user-cog', text: '{who} changed the permissions of {user} for {owners} servers' },
  MANAGER_REVOKED: {
    title: 'Manager removed',
    icon: 'user-minus',
    tone: 'danger',
    text: '{who} removed {user} as a manager of {owners} servers',
    bySystem: 'An account whose servers {user} managed was erased',
  },
  MANAGER_REFUSED: {
    title: 'Manager left',
    icon: 'user-minus',
    text: '{who} stopped managing {owners} servers',
    bySystem: 'An account that managed {owners} servers was erased',
  },
  ACCOUNT_CREATED: { title: 'First sign-in', icon: 'user-check', tone: 'ok', text: '{who} signed in for the first time' },
  SESSION_ENDED: { title: 'Session ended', icon: 'log-out', text: '{who} ended one of {owners} sessions' },
  SESSIONS_ENDED: { title: 'Sessions ended', icon: 'log-out', tone: 'warn', text: '{who} ended all of {owners} other sessions' },
  PREFERENCES_CHANGED: { title: 'Preferences changed', icon: 'sliders-horizontal', text: '{who} changed {owners} preferences' },
  ACCOUNT_DELETION_REQUESTED: {
    title: 'Deletion requested',
    icon: 'calendar-clock',
    tone: 'danger',
    text: '{who} requested the deletion of {owners} account',
  },
  ACCOUNT_DELETION_CANCELLED: {
    title: 'Deletion cancelled',
    icon: 'undo-2',
    tone: 'ok',
    text: '{who} cancelled the deletion of {owners} account',
  },
  ACCOUNT_ERASED: { title: 'Account erased', icon: 'trash-2', tone: 'danger', text: '{who} erased an account' },
  ACCOUNT_BANNED: { title: 'User banned', icon: 'ban', tone: 'danger', text: '{who} banned {owners} account' },
  ACCOUNT_UNBANNED: {
    title: 'User ban lifted',
    icon: 'shield-check',
    tone: 'ok',
    text: '{who} lifted the ban on {owners} account',
    bySystem: 'The ban on {owners} account ended',
  },
  API_KEY_CREATED: { title: 'API key created', icon: 'key-round', tone: 'ok', text: '{who} created an API key' },
  API_KEY_REVOKED: { title: 'API key revoked', icon: 'key-round', tone: 'warn', text: '{who} revoked an API key' },
  API_KEY_LEAKED: {
    title: 'API key leaked',
    icon: 'key-round',
    tone: 'danger',
    text: '{who} revoked a leaked API key',
    bySystem: 'One of {owners} API keys leaked and was revoked',
  },
  LIMITS_CHANGED: { title: 'Limits changed', icon: 'sliders-horizontal', text: '{who} changed {owners} limits' },
  BENEFIT_GRANTED: { title: 'Benefit granted', icon: 'gift', tone: 'ok', text: '{who} granted one of {owners} benefits' },
  BENEFIT_TAKEN: { title: 'Benefit revoked', icon: 'gift', text: '{who} revoked one of {owners} benefits' },
  TIER_CHANGED: { title: 'Tier changed', icon: 'gem', text: '{who} changed {owners} tier' },
  BENEFIT_SETTINGS_CHANGED: {
    title: 'Benefit settings changed',
    icon: 'settings-2',
    text: '{who} changed the settings of one of {owners} benefits',
  },
  GROUP_CREATED: { title: 'Group created', icon: 'layers', tone: 'ok', text: '{who} created a group' },
  GROUP_RENAMED: { title: 'Group renamed', icon: 'layers', text: '{who} renamed one of {owners} groups' },
  GROUP_DELETED: { title: 'Group deleted', icon: 'layers', tone: 'danger', text: '{who} deleted one of {owners} groups' },
  ISSUE_OPENED: { title: 'Issue opened', icon: 'shield-alert', tone: 'warn', text: '{who} opened {issue} on {server}' },
  ISSUE_ACKNOWLEDGED: { title: 'Issue acknowledged', icon: 'eye', text: '{who} acknowledged {issue} on {server}' },
  ISSUE_REPLIED: { title: 'Issue reply', icon: 'message-square', tone: 'info', text: '{who} replied to {issue} on {server}' },
  ISSUE_NOTED: { title: 'Note added', icon: 'sticky-note', text: '{who} added a note to {issue}' },
  ISSUE_CONSEQUENCE_CHANGED: {
    title: 'Consequence changed',
    icon: 'scale',
    tone: 'warn',
    text: '{who} changed the consequence of {issue} on {server}',
  },
  ISSUE_RESOLVED: { title: 'Issue resolved', icon: 'shield-check', tone: 'ok', text: '{who} resolved {issue} on {server}' },
  ISSUE_DISMISSED: { title: 'Issue dismissed', icon: 'shield-off', tone: 'ok', text: '{who} dismissed {issue} on {server}' },
  ISSUE_REOPENED: { title: 'Issue reopened', icon: 'shield-alert', tone: 'warn', text: '{who} reopened {issue} on {server}' },
  WEBHOOK_CREATED: { title: 'Webhook created', icon: 'webhook', tone: 'ok', text: '{who} created a webhook' },
  WEBHOOK_CHANGED: { title: 'Webhook changed', icon: 'webhook', text: '{who} changed a webhook' },
  WEBHOOK_DELETED: { title: 'Webhook deleted', icon: 'webhook', tone: 'danger', text: '{who} deleted a webhook' },
  WEBHOOK_SECRET_ROTATED: {
    title: 'Webhook secret replaced',
    icon: 'key-round',
    tone: 'warn',
    text: '{who} replaced the secret of a webhook',
  },
  WEBHOOK_DISABLED: {
    title: 'Webhook disabled',
    icon: 'webhook',
    tone: 'danger',
    text: '{who} disabled a webhook',
    bySystem: 'A webhook was disabled because its receiver does not work',
  },
} as const satisfies Readonly<Record<string, EventText>>

export type Action = keyof typeof EVENTS
export const ACTIONS = Object.keys(EVENTS) as [Action, ...Action[]]

/** The role of the actor; `system` is the program itself. */
export const ACTOR_ROLES = ['self', 'manager', 'administrator', 'system'] as const
export type ActorRole = (typeof ACTOR_ROLES)[number]
