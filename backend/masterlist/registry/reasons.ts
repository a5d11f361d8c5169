/** Every sentence that the master list sends to owners and game servers. Codes are for programs and never change (docs/api). */
import type { LIST_ERRORS, ListErrorCode, OwnNoticeCode, StateCode } from '#contract/list-codes.ts'

interface Wording {
  readonly message: string
  /** Empty if there is nothing to do. */
  readonly remedy: string
}

/** Rejections of announces and requests. */
export const REJECTIONS = {
  CREDENTIAL_MISSING: {
    status: 401,
    message: 'The announce has no credential.',
    remedy: 'Send the header "Authorization: Bearer mst_..." with the credential that the panel showed when you created the server.',
  },
  CREDENTIAL_MALFORMED: {
    status: 401,
    message: 'The credential is malformed: characters are missing, extra or mistyped.',
    remedy: 'Copy the whole credential again, from mst_ to the last character, without quotes or spaces.',
  },
  CREDENTIAL_UNKNOWN: {
    status: 401,
    message: 'This master list never issued this credential.',
    remedy: "Check that the credential comes from this master list's panel, or reissue it there.",
  },
  CREDENTIAL_REVOKED: {
    status: 401,
    message: 'The credential is no longer valid: it was reissued, or its server was deleted or transferred.',
    remedy: 'Put the newest credential into the server configuration, or reissue the credential in the panel.',
  },
  SERVER_BANNED: {
    status: 403,
    message: 'The server is banned from the list.',
    remedy: 'Its page in the panel shows the reason and where to appeal.',
  },
  OWNER_BANNED: {
    status: 403,
    message: 'The owner of this server is banned, so all their servers are off the list.',
    remedy: 'The owner finds the reason and where to appeal after signing in to the panel.',
  },
  ADDRESS_UNKNOWN: {
    status: 400,
    message: 'Could not determine the client address.',
    remedy: 'Configure the proxy in front of the master list to send a plain address in X-Forwarded-For.',
  },
  ADDRESS_MISMATCH: {
    status: 409,
    message: 'This credential is bound to another address.',
    remedy: 'If the server has moved, reset the bound address in the panel. If not, the credential has leaked: reissue it.',
  },
  TOO_OFTEN: {
    status: 429,
    message: 'Too many announces.',
    remedy:
      'Wait the number of seconds in the Retry-After header. Then announce at the interval that each reply gives (nextAnnounceSeconds).',
  },
  TOO_MANY_REQUESTS: {
    status: 429,
    message: 'Too many requests from this address.',
    remedy:
      'Wait the number of seconds in the Retry-After header. Send If-None-Match with the last ETag, so that an unchanged list costs almost nothing.',
  },
  TOO_MANY_WAITING: {
    status: 429,
    message: 'Too many requests from this address are already waiting.',
    remedy: 'Wait for their replies and send fewer requests at once. Retry after the number of seconds in the Retry-After header.',
  },
  TOO_MANY_UNREAD: {
    status: 429,
    message: 'This address has too many unread large replies.',
    remedy: 'Read the pending replies or close their connections. Retry after the number of seconds in the Retry-After header.',
  },
  BODY_TOO_LARGE: { status: 413, message: 'The body is larger than 8 KiB.', remedy: 'Send only the documented fields.' },
  BODY_NOT_JSON: {
    status: 400,
    message: 'The body is not valid JSON.',
    remedy: 'Send one JSON object: {"port":7788,"playersCount":0,"maxPlayersCount":8,"passworded":false,"version":"1","branch":"release"}.',
  },
  BODY_WRONG_TYPE: {
    status: 415,
    message: 'The body must be sent as application/json, not compressed.',
    remedy: 'Send the header "Content-Type: application/json" and no Content-Encoding.',
  },
  BODY_INVALID: {
    status: 400,
    message: 'A field of the announce is missing or invalid.',
    remedy: 'Correct what the game server sends.',
  },
  CALL_INVALID: {
    status: 400,
    message: 'The request body is invalid.',
    remedy: 'Correct it and retry. docs/api/launchers.md and docs/api/game-servers.md list the fields.',
  },
  CALLED_TOO_OFTEN: {
    status: 429,
    message: 'This server sends too many requests.',
    remedy: "Wait the number of seconds in the Retry-After header. Check each player's ticket once, when they join.",
  },
  SIGN_IN_NOT_SET_UP: {
    status: 503,
    message: 'Players cannot sign in: this master list has no identity provider.',
    remedy: 'The operator of the master list must configure Discord first.',
  },
  SIGN_IN_UNAVAILABLE: {
    status: 503,
    message: 'Sign-in failed: the identity provider does not respond.',
    remedy: 'Wait the number of seconds in the Retry-After header, then sign in again.',
  },
  VERSION_TOO_OLD: {
    status: 410,
    message: 'The changes since this version are no longer available.',
    remedy: 'Read the whole list again: GET /servers.',
  },
  QUERY_INVALID: {
    status: 400,
    message: 'The query is invalid.',
    remedy: 'Correct it, or request /servers without a query. docs/api/launchers.md lists the parameters.',
  },
  LIST_BUSY: {
    status: 503,
    message: 'Too many different queries of the list are running.',
    remedy: 'Retry after the number of seconds in the Retry-After header, or read the whole list: GET /servers needs no queue.',
  },
  TOO_MANY_STREAMS: {
    status: 429,
    message: 'This address has too many streams open.',
    remedy: 'Close one, or poll GET /servers?since=<version> every few seconds.',
  },
  STREAMS_FULL: {
    status: 503,
    message: 'The maximum number of streams is open.',
    remedy: 'Retry after the number of seconds in the Retry-After header. Until then, poll GET /servers?since=<version> every few seconds.',
  },
  NOT_FOUND: {
    status: 404,
    message: 'The master list does not have this path.',
    remedy: 'GET /servers returns the list, and GET /servers/{publicId} one server. Game servers send POST /announce.',
  },
  NO_SUCH_SERVER: {
    status: 404,
    message: 'No server has this ID.',
    remedy: 'Use the seven-character public ID or the vanity ID from the list.',
  },
  RANGE_INVALID: { status: 400, message: 'The player history has no such range.', remedy: 'Use 1d, 7d or 31d.' },
  HISTORY_BUSY: {
    status: 503,
    message: 'Too many player histories are being read.',
    remedy: 'Retry after the number of seconds in the Retry-After header. Show the last history until then.',
  },
  NO_SKIN: { status: 404, message: 'The server has no launcher theme.', remedy: 'Show the default theme.' },
  SKINS_BUSY: {
    status: 503,
    message: 'Too many large launcher themes are being sent.',
    remedy: 'Retry after the number of seconds in the Retry-After header. Show the last theme or the default one until then.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'This path does not support this method.',
    remedy: 'Use one of the methods in the Allow header.',
  },
  MALFORMED_REQUEST: {
    status: 400,
    message: 'The request is not valid HTTP, or its headers are too large.',
    remedy: 'Send a plain HTTP/1.1 request with headers of at most 16 KiB.',
  },
  UNAVAILABLE: {
    status: 503,
    message: 'The master list is unavailable: it is starting or stopping, or its database is unavailable.',
    remedy: 'Retry after the number of seconds in the Retry-After header. Servers that are online stay online.',
  },
} as const satisfies { [C in ListErrorCode]: Wording & { status: (typeof LIST_ERRORS)[C] } }

export type RejectionCode = keyof typeof REJECTIONS

/** Sent with an accepted announce, and shown by the game server's console and the panel. */
const NOTICES = {
  HIDDEN: {
    message: 'The server is hidden from the public list.',
    remedy: 'To list it, switch on "Show on the public list" on its Listing page.',
  },
  OLD_CREDENTIAL: {
    message: 'The server announces with its old credential.',
    remedy: 'Put the newest credential into the server configuration before the old one expires.',
  },
  PLAYERS_ABOVE_SLOTS: {
    message: 'The announce has more players than slots, so the list shows as many players as slots.',
    remedy: 'Announce the real number of players, or raise maxPlayersCount.',
  },
  CDN_URL_MISSING: {
    message: 'useCdn is on, but cdnUrl is empty, so the list shows the address instead.',
    remedy: 'Set cdnUrl, starting with http:// or https://, or switch useCdn off.',
  },
  EARLY_AUTH_URL_MISSING: {
    message: 'useEarlyAuth is on, but earlyAuthUrl is empty, so the list shows it as off.',
    remedy: 'Set earlyAuthUrl, starting with http:// or https://, or switch useEarlyAuth off.',
  },
} as const satisfies Record<OwnNoticeCode, Wording>

export type NoticeCode = keyof typeof NOTICES

/** Kinds of accepted attempts, and listing states. */
const STATES = {
  ACCEPTED: { message: 'The announce was accepted.', remedy: '' },
  ACCEPTED_OLD_CREDENTIAL: {
    message: 'The announce was accepted with the old credential, but the list shows the server with the newest one.',
    remedy: "Before the old credential expires, put the newest one into that server's configuration, or stop that server.",
  },
  CAME_ONLINE: { message: 'The announce was accepted, and the server came online.', remedy: '' },
  LEFT: {
    message: 'The server went offline on purpose.',
    remedy: 'Start it again. It returns to the list with its next announce.',
  },
  LISTED: { message: 'The server is on the public list.', remedy: '' },
  HELD_BACK: {
    message: 'A protection issue keeps the server off the public list.',
    remedy: 'The page of the issue shows what was found and what to do. The server returns as soon as the issue is resolved.',
  },
  UNRANKED: {
    message: 'A protection issue moves the server to the end of the list, even if it is promoted.',
    remedy: 'The page of the issue shows what was found and what to do. The server is ranked again as soon as the issue is resolved.',
  },
  NEVER_ANNOUNCED: {
    message: 'The server has not announced yet.',
    remedy: 'Put the credential into the server configuration and start the server.',
  },
  OFFLINE: { message: 'The server has stopped announcing.', remedy: 'Check that the server is running and can reach the master list.' },
  CREDENTIAL_REISSUED: {
    message: 'The credential was reissued, but the server has not announced with the new one yet.',
    remedy: 'Put the new credential into the server configuration and restart the server.',
  },
  NO_CREDENTIAL: {
    message:
      'The server has no credential, because the old one was revoked: the server was transferred, or the credential was found in public.',
    remedy: 'Create a new credential and put it into the server configuration.',
  },
} as const satisfies Record<StateCode, Wording>

export type ReasonCode = RejectionCode | NoticeCode | StateCode

const ALL: Readonly<Record<string, Wording>> = { ...REJECTIONS, ...NOTICES, ...STATES }

/** A code that only a newer version knows serves as its own message. */
export function wordingOf(code: string): Wording {
  return ALL[code] ?? { message: code, remedy: '' }
}

export function isRejection(code: string): code is RejectionCode {
  return Object.hasOwn(REJECTIONS, code)
}

/** Message and remedy as one text. @param detail inserted between them. */
export function fullText(code: ReasonCode, detail = ''): string {
  const { message, remedy } = wordingOf(code)
  return [message, detail, remedy].filter((part) => part !== '').join(' ')
}
