/** The events that users can subscribe to: their names, texts, groups and severities. `backend/app/publications.ts` says what causes each one. */
import type { Tone } from './events.ts'

export const PUBLIC_EVENT_GROUPS = {
  server: 'Servers',
  credential: 'Credentials',
  address: 'Addresses',
  transfer: 'Transfers',
  manager: 'Managers',
  issue: 'Protection issues',
  benefit: 'Benefits',
  account: 'Account',
} as const
export type PublicEventGroup = keyof typeof PUBLIC_EVENT_GROUPS

interface PublicEventText {
  readonly group: PublicEventGroup
  readonly title: string
  /** When it happens, in one sentence. */
  readonly description: string
  readonly severity: Tone
  /** Whether a new webhook has it chosen. */
  readonly isDefault?: true
}

/** In the order of a reader. */
export const PUBLIC_EVENTS = {
  'server.online': {
    group: 'server',
    title: 'Server online',
    description: 'A server is back after it was reported offline.',
    severity: 'ok',
    isDefault: true,
  },
  'server.offline': {
    group: 'server',
    title: 'Server offline',
    description: 'A server has been silent for the time that you chose.',
    severity: 'danger',
    isDefault: true,
  },
  'server.listed': { group: 'server', title: 'Server listed', description: 'Players can find the server on the list.', severity: 'ok' },
  'server.unlisted': {
    group: 'server',
    title: 'Server unlisted',
    description: 'An online server is no longer on the list.',
    severity: 'warn',
    isDefault: true,
  },
  'players.threshold': {
    group: 'server',
    title: 'Many players',
    description: 'A server has more players than the number that you chose.',
    severity: 'info',
  },
  'server.created': { group: 'server', title: 'Server created', description: 'A server was created or restored.', severity: 'ok' },
  'server.updated': { group: 'server', title: 'Server changed', description: 'The details of a server changed.', severity: 'info' },
  'server.deleted': { group: 'server', title: 'Server deleted', description: 'A server was deleted.', severity: 'danger' },
  'server.banned': {
    group: 'server',
    title: 'Server banned',
    description: 'An administrator banned a server.',
    severity: 'danger',
    isDefault: true,
  },
  'server.unbanned': {
    group: 'server',
    title: 'Server ban lifted',
    description: 'The ban of a server ended.',
    severity: 'ok',
    isDefault: true,
  },
  'credential.reissued': {
    group: 'credential',
    title: 'Credential reissued',
    description: 'A server got a new credential.',
    severity: 'warn',
  },
  'credential.old_in_use': {
    group: 'credential',
    title: 'Old credential in use',
    description: 'A program still announces with a credential that was replaced.',
    severity: 'warn',
    isDefault: true,
  },
  'credential.leaked': {
    group: 'credential',
    title: 'Credential leaked',
    description: 'A leaked credential was revoked.',
    severity: 'danger',
    isDefault: true,
  },
  'address.bound': {
    group: 'address',
    title: 'Address bound',
    description: 'The first announce of a credential bound it to an address.',
    severity: 'info',
  },
  'address.reset': {
    group: 'address',
    title: 'Bound address reset',
    description: 'The next announce binds the credential again.',
    severity: 'warn',
  },
  'address.mismatch': {
    group: 'address',
    title: 'Announce from another address',
    description: 'A program announces from an address that the credential is not bound to.',
    severity: 'warn',
    isDefault: true,
  },
  'transfer.offered': {
    group: 'transfer',
    title: 'Transfer requested',
    description: 'You sent or received a transfer request.',
    severity: 'info',
    isDefault: true,
  },
  'transfer.accepted': { group: 'transfer', title: 'Transfer accepted', description: 'A server has a new owner.', severity: 'ok' },
  'transfer.declined': {
    group: 'transfer',
    title: 'Transfer declined',
    description: 'The recipient declined a transfer.',
    severity: 'info',
  },
  'transfer.cancelled': { group: 'transfer', title: 'Transfer cancelled', description: 'A transfer was cancelled.', severity: 'info' },
  'transfer.expired': {
    group: 'transfer',
    title: 'Transfer expired',
    description: 'The recipient did not respond in time.',
    severity: 'info',
  },
  'manager.granted': {
    group: 'manager',
    title: 'Manager added',
    description: "A user can now manage another user's servers.",
    severity: 'ok',
  },
  'manager.changed': {
    group: 'manager',
    title: 'Manager permissions changed',
    description: 'The permissions of a manager changed.',
    severity: 'info',
  },
  'manager.revoked': { group: 'manager', title: 'Manager removed', description: 'An owner removed a manager.', severity: 'warn' },
  'manager.left': { group: 'manager', title: 'Manager left', description: 'A manager stopped managing.', severity: 'info' },
  'issue.opened': {
    group: 'issue',
    title: 'Issue opened',
    description: 'An automatic check found a problem with a server.',
    severity: 'warn',
    isDefault: true,
  },
  'issue.escalated': {
    group: 'issue',
    title: 'Issue escalated',
    description: 'The consequence of an issue changed.',
    severity: 'danger',
    isDefault: true,
  },
  'issue.replied': { group: 'issue', title: 'Issue reply', description: 'There is a new reply to an issue.', severity: 'info' },
  'issue.resolved': { group: 'issue', title: 'Issue resolved', description: 'An issue was resolved or dismissed.', severity: 'ok' },
  'benefit.granted': { group: 'benefit', title: 'Benefit granted', description: 'Your account can now use a benefit.', severity: 'ok' },
  'benefit.lapsed': {
    group: 'benefit',
    title: 'Benefit ended',
    description: 'Your account can no longer use a benefit.',
    severity: 'warn',
  },
  'account.deletion_scheduled': {
    group: 'account',
    title: 'Account deletion scheduled',
    description: 'Your account will be deleted.',
    severity: 'danger',
  },
  'account.deletion_cancelled': {
    group: 'account',
    title: 'Account deletion cancelled',
    description: 'Your account will not be deleted.',
    severity: 'ok',
  },
  'account.banned': { group: 'account', title: 'Account banned', description: 'An administrator banned your account.', severity: 'danger' },
  'account.unbanned': { group: 'account', title: 'Account ban lifted', description: 'The ban of your account ended.', severity: 'ok' },
} as const satisfies Readonly<Record<string, PublicEventText>>

export type PublicEventType = keyof typeof PUBLIC_EVENTS
export const PUBLIC_EVENT_TYPES = Object.keys(PUBLIC_EVENTS) as [PublicEventType, ...PublicEventType[]]

/** What only the inbox receives. Its user cannot switch these off. */
const INBOX_ONLY_EVENTS = {
  'webhook.disabled': {
    group: 'account',
    title: 'Webhook disabled',
    description: 'A webhook was disabled because its receiver does not work.',
    severity: 'danger',
  },
  'api_key.leaked': { group: 'account', title: 'API key leaked', description: 'A leaked API key was revoked.', severity: 'danger' },
} as const satisfies Readonly<Record<string, PublicEventText>>

/** The events of the inbox. */
export const NOTIFICATIONS = { ...PUBLIC_EVENTS, ...INBOX_ONLY_EVENTS }

export type NotificationType = keyof typeof NOTIFICATIONS
export const NOTIFICATION_TYPES = Object.keys(NOTIFICATIONS) as [NotificationType, ...NotificationType[]]

/** What a new webhook has chosen. */
export const DEFAULT_PUBLIC_EVENTS = PUBLIC_EVENT_TYPES.filter((type) => 'isDefault' in PUBLIC_EVENTS[type])

/** The type of the event that only a test sends. It cannot be chosen. */
export const TEST_EVENT_TYPE = 'webhook.test'
