/** Every kind of happening in two or three words, for tables and filters. An action without words does not compile. */
import type { Action, ActorRole } from '#contract/activity.ts'

export const TITLES: Readonly<Record<Action, string>> = {
  SERVER_CREATED: 'Server registered',
  SERVER_CHANGED: 'Server changed',
  SERVER_DELETED: 'Server deleted',
  SERVER_BANNED: 'Server banned',
  SERVER_UNBANNED: 'Ban of a server lifted',
  CREDENTIAL_REISSUED: 'Credential reissued',
  ADDRESS_RESET: 'Bound address reset',
  TRANSFER_OFFERED: 'Server offered',
  TRANSFER_CANCELLED: 'Offer taken back',
  TRANSFER_DECLINED: 'Offer declined',
  TRANSFER_ACCEPTED: 'Server handed over',
  TRANSFER_LAPSED: 'Offer lapsed',
  MANAGER_GRANTED: 'Manager added',
  MANAGER_CHANGED: 'Permissions changed',
  MANAGER_REVOKED: 'Manager removed',
  MANAGER_REFUSED: 'Management given up',
  ACCOUNT_CREATED: 'First sign-in',
  ACCOUNT_DELETION_REQUESTED: 'Deletion requested',
  ACCOUNT_DELETION_CANCELLED: 'Deletion cancelled',
  ACCOUNT_ERASED: 'Account erased',
  ACCOUNT_BANNED: 'User banned',
  ACCOUNT_UNBANNED: 'Ban of a user lifted',
  LIMITS_CHANGED: 'Limits changed',
  BENEFIT_GRANTED: 'Benefit granted',
  BENEFIT_TAKEN: 'Benefit taken back',
  TIER_CHANGED: 'Tier changed',
  BENEFIT_SETTINGS_CHANGED: 'Benefit settings changed',
  GROUP_CREATED: 'Group made',
  GROUP_RENAMED: 'Group renamed',
  GROUP_DELETED: 'Group deleted',
  ISSUE_OPENED: 'Issue found',
  ISSUE_ACKNOWLEDGED: 'Issue acknowledged',
  ISSUE_REPLIED: 'Issue answered',
  ISSUE_NOTED: 'Note added',
  ISSUE_CONSEQUENCE_CHANGED: 'Consequence changed',
  ISSUE_RESOLVED: 'Issue resolved',
  ISSUE_DISMISSED: 'Issue dismissed',
  ISSUE_REOPENED: 'Issue opened again',
}

/** As a filter: whose rows are shown. */
export const ROLES: Readonly<Record<ActorRole, string>> = {
  self: 'Users themselves',
  manager: 'Managers',
  administrator: 'Administrators',
  system: 'Muster itself',
}

/** Of one row. */
export const ROLE: Readonly<Record<ActorRole, string>> = {
  self: 'User, for themselves',
  manager: 'Manager',
  administrator: 'Administrator',
  system: 'Muster itself',
}
