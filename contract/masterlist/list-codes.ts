/** The codes in the master list's replies; programs compare them, so a code never changes its meaning. */
import { ISSUE_KINDS } from '#contract/protection/issue-kinds.ts'

/** Rejections by code, each with its status. */
export const LIST_ERRORS = {
  CREDENTIAL_MISSING: 401,
  CREDENTIAL_MALFORMED: 401,
  CREDENTIAL_UNKNOWN: 401,
  CREDENTIAL_REVOKED: 401,
  SERVER_BANNED: 403,
  OWNER_BANNED: 403,
  ADDRESS_UNKNOWN: 400,
  ADDRESS_MISMATCH: 409,
  TOO_OFTEN: 429,
  TOO_MANY_REQUESTS: 429,
  TOO_MANY_WAITING: 429,
  TOO_MANY_UNREAD: 429,
  BODY_TOO_LARGE: 413,
  BODY_NOT_JSON: 400,
  BODY_WRONG_TYPE: 415,
  BODY_INVALID: 400,
  CALL_INVALID: 400,
  CALLED_TOO_OFTEN: 429,
  SIGN_IN_NOT_SET_UP: 503,
  SIGN_IN_UNAVAILABLE: 503,
  VERSION_TOO_OLD: 410,
  QUERY_INVALID: 400,
  LIST_BUSY: 503,
  TOO_MANY_STREAMS: 429,
  STREAMS_FULL: 503,
  NOT_FOUND: 404,
  NO_SUCH_SERVER: 404,
  RANGE_INVALID: 400,
  HISTORY_BUSY: 503,
  NO_SKIN: 404,
  SKINS_BUSY: 503,
  NOT_SIGNED: 404,
  NO_SUCH_CHUNK: 404,
  SIGNING_KEY_ENDED: 503,
  METHOD_NOT_ALLOWED: 405,
  MALFORMED_REQUEST: 400,
  UNAVAILABLE: 503,
} as const

export type ListErrorCode = keyof typeof LIST_ERRORS
export const LIST_ERROR_CODES = Object.keys(LIST_ERRORS) as ListErrorCode[]

/** Rejections that any call with a credential may have. */
export const CREDENTIAL_ERRORS = [
  'CREDENTIAL_MISSING',
  'CREDENTIAL_MALFORMED',
  'CREDENTIAL_UNKNOWN',
  'CREDENTIAL_REVOKED',
  'SERVER_BANNED',
  'OWNER_BANNED',
  'ADDRESS_UNKNOWN',
  'ADDRESS_MISMATCH',
  'TOO_MANY_REQUESTS',
  'UNAVAILABLE',
] as const satisfies readonly ListErrorCode[]

export const ANNOUNCE_ERRORS = [
  ...CREDENTIAL_ERRORS,
  'TOO_OFTEN',
  'BODY_TOO_LARGE',
  'BODY_NOT_JSON',
  'BODY_WRONG_TYPE',
  'BODY_INVALID',
] as const satisfies readonly ListErrorCode[]

/** Rejections of the calls with a JSON body beside the announce. */
export const BODY_ERRORS = ['BODY_TOO_LARGE', 'BODY_WRONG_TYPE', 'CALL_INVALID'] as const satisfies readonly ListErrorCode[]

/** About the address of the server. Each also is a reason in the panel. */
const ADDRESS_NOTICES = ['ENDPOINT_UNPROVEN', 'DUPLICATE_ADDRESS', 'PRIVATE_ADDRESS', 'TWO_PROCESSES'] as const
const OWN_NOTICES = [
  'HIDDEN',
  'OLD_CREDENTIAL',
  'PLAYERS_ABOVE_SLOTS',
  'CDN_URL_MISSING',
  'EARLY_AUTH_URL_MISSING',
  ...ADDRESS_NOTICES,
] as const
export type AddressNoticeCode = (typeof ADDRESS_NOTICES)[number]
export type OwnNoticeCode = (typeof OWN_NOTICES)[number]

/** Notices of an accepted announce. An open protection issue is a notice under its kind. */
export const NOTICE_CODES = [...OWN_NOTICES, ...ISSUE_KINDS] as const

const ACCEPTED_CODES = ['ACCEPTED', 'ACCEPTED_OLD_CREDENTIAL', 'CAME_ONLINE', 'LEFT'] as const
const LISTING_STATES = ['LISTED', 'HELD_BACK', 'UNRANKED', 'NEVER_ANNOUNCED', 'OFFLINE', 'CREDENTIAL_REISSUED', 'NO_CREDENTIAL'] as const
export type StateCode = (typeof ACCEPTED_CODES)[number] | (typeof LISTING_STATES)[number]

export const ATTEMPT_CODES = [...ACCEPTED_CODES, 'TWO_PROCESSES', ...ANNOUNCE_ERRORS] as const

/** Why a server is, or is not, on the list. */
export const LISTING_CODES = [...LISTING_STATES, 'LEFT', 'HIDDEN', ...ADDRESS_NOTICES, ...ANNOUNCE_ERRORS] as const
