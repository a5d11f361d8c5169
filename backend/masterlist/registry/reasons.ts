/** Every sentence that the master list sends to owners and game servers. The codes are for programs and never change (docs/api). */

interface Wording {
  readonly message: string
  /** Empty where there is nothing to do. */
  readonly remedy: string
}

/** Rejections of announces and requests. */
export const REJECTIONS = {
  CREDENTIAL_MISSING: {
    status: 401,
    message: 'The announce carries no credential.',
    remedy: 'Send the header "Authorization: Bearer mst_..." with the credential that the panel showed when the server was registered.',
  },
  CREDENTIAL_MALFORMED: {
    status: 401,
    message: 'The credential is not written the way credentials are: characters are missing, extra or mistyped.',
    remedy: 'Copy the whole credential again, from mst_ to its last character, without quotes or spaces.',
  },
  CREDENTIAL_UNKNOWN: {
    status: 401,
    message: 'The credential is well formed, but this master list never issued it.',
    remedy: "Check that the credential belongs to this master list's panel, or reissue the server's credential there.",
  },
  CREDENTIAL_REVOKED: {
    status: 401,
    message: 'The credential was valid once and is not any more: it was reissued, or its server was deleted or handed over.',
    remedy: 'Put the newest credential into the server configuration, or reissue it in the panel.',
  },
  SERVER_BANNED: {
    status: 403,
    message: 'The server is banned from the master list.',
    remedy: 'Its page in the panel shows the reason and where to appeal.',
  },
  OWNER_BANNED: {
    status: 403,
    message: "The server's owner is banned, and with the owner all their servers.",
    remedy: 'The owner finds the reason and where to appeal after signing in to the panel.',
  },
  ADDRESS_UNKNOWN: {
    status: 400,
    message: 'The address that the announce comes from can not be told.',
    remedy: 'The proxy in front of the master list must write a plain address into X-Forwarded-For.',
  },
  ADDRESS_MISMATCH: {
    status: 409,
    message: 'The announce comes from another address than the one this credential is bound to.',
    remedy: 'If the server has moved, reset the bound address in the panel. If it has not, somebody else has the credential: reissue it.',
  },
  TOO_OFTEN: {
    status: 429,
    message: 'The server announces far too often.',
    remedy: 'Wait as long as the Retry-After header says, then announce each nextAnnounceSeconds.',
  },
  TOO_MANY_REQUESTS: {
    status: 429,
    message: 'Too many requests come from this address.',
    remedy: 'Wait as long as the Retry-After header says. Send If-None-Match with the last ETag: an unchanged list costs next to nothing.',
  },
  TOO_MANY_WAITING: {
    status: 429,
    message: 'Too many requests of this address wait already for what has to be made for them.',
    remedy: 'Wait for their answers, ask for fewer at once, and ask again after as many seconds as the Retry-After header says.',
  },
  TOO_MANY_UNREAD: {
    status: 429,
    message: 'This address has too many large answers under way that it has not read yet.',
    remedy: 'Read what was asked for, or close its connections, and ask again after as many seconds as Retry-After says.',
  },
  BODY_TOO_LARGE: { status: 413, message: 'The body is larger than 8 KiB.', remedy: 'Send only the fields that the call takes.' },
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
    message: 'A field of the announce is missing or not as it should be.',
    remedy: 'Correct this in what the game server sends.',
  },
  CALL_INVALID: {
    status: 400,
    message: 'The body of the call is not as it should be.',
    remedy: 'Correct it and call again; docs/api.md says what the call takes.',
  },
  CALLED_TOO_OFTEN: {
    status: 429,
    message: 'The server makes far too many calls.',
    remedy: "Wait as long as the Retry-After header says. Check each player's ticket once, when they join.",
  },
  SIGN_IN_NOT_SET_UP: {
    status: 503,
    message: 'Players can not sign in: this master list has no identity provider.',
    remedy: 'Whoever runs the master list has to configure Discord first.',
  },
  SIGN_IN_UNAVAILABLE: {
    status: 503,
    message: 'Nobody could be signed in: the identity provider does not answer just now.',
    remedy: 'Sign in again after as many seconds as the Retry-After header says.',
  },
  VERSION_TOO_OLD: {
    status: 410,
    message: 'The changes since that version are not kept.',
    remedy: 'Read the whole list again: GET /servers.',
  },
  QUERY_INVALID: {
    status: 400,
    message: 'The query can not be understood.',
    remedy: 'Correct it, or ask for /servers, which takes none; docs/api.md says what it can ask for.',
  },
  LIST_BUSY: {
    status: 503,
    message: 'Too many different parts of the list are being made just now.',
    remedy: 'Ask again after as many seconds as the Retry-After header says, or read the whole list: GET /servers lies ready.',
  },
  TOO_MANY_STREAMS: {
    status: 429,
    message: 'This address has too many streams open.',
    remedy: 'Close one, or ask GET /servers?since=<version> every few seconds.',
  },
  STREAMS_FULL: {
    status: 503,
    message: 'There are as many streams open as the list takes.',
    remedy: 'Try again after as many seconds as Retry-After says; until then ask GET /servers?since=<version> every few seconds.',
  },
  NOT_FOUND: {
    status: 404,
    message: 'There is no such page on the master list.',
    remedy: 'GET /servers lists the servers, GET /servers/{publicId} answers one; game servers send POST /announce.',
  },
  NO_SUCH_SERVER: {
    status: 404,
    message: 'There is no server with this id.',
    remedy: 'Use the seven-character public id or the vanity id, as the list shows them.',
  },
  RANGE_INVALID: { status: 400, message: 'There is no such range of the history of players.', remedy: 'Ask for 1d, 7d or 31d.' },
  HISTORY_BUSY: {
    status: 503,
    message: 'Too many histories of players are being read just now.',
    remedy: 'Ask again after as many seconds as the Retry-After header says, and show the last one meanwhile.',
  },
  NO_SKIN: { status: 404, message: 'The server has no launcher skin.', remedy: 'Show the standard one.' },
  SKINS_BUSY: {
    status: 503,
    message: 'Too many large skins are being sent just now.',
    remedy: 'Ask again after as many seconds as the Retry-After header says, and show the last one or the standard one meanwhile.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'This address exists, but not with this method.',
    remedy: 'Use one of the methods that the Allow header names.',
  },
  MALFORMED_REQUEST: {
    status: 400,
    message: 'The request is not valid HTTP, or its headers are too large.',
    remedy: 'Send a plain HTTP/1.1 request with headers of at most 16 KiB.',
  },
  UNAVAILABLE: {
    status: 503,
    message: "The master list can't do this right now: it is starting, stopping, or its database is not available.",
    remedy: 'Try again after as many seconds as the Retry-After header says. Servers that are online already stay so.',
  },
} as const satisfies Record<string, Wording & { status: number }>

export type RejectionCode = keyof typeof REJECTIONS

/** Sent with an accepted announce; the game server's console shows them, and the panel. */
const NOTICES = {
  HIDDEN: {
    message: 'The server is set to hidden, so players do not see it on the public list.',
    remedy: 'Switch on "Show on the public list" on its Listing page to list it.',
  },
  OLD_CREDENTIAL: {
    message: 'The server announces with the credential before the newest one.',
    remedy: 'Put the newest credential into the server configuration before the old one ends.',
  },
  PLAYERS_ABOVE_SLOTS: {
    message: 'The announce says more players than slots; the list shows as many players as slots.',
    remedy: 'Announce the real number of players, or raise maxPlayersCount.',
  },
  CDN_URL_MISSING: {
    message: 'useCdn is on, but cdnUrl is empty; the list shows the address instead.',
    remedy: 'Give cdnUrl, beginning with http:// or https://, or switch useCdn off.',
  },
  EARLY_AUTH_URL_MISSING: {
    message: 'useEarlyAuth is on, but earlyAuthUrl is empty; the list shows it as off.',
    remedy: 'Give earlyAuthUrl, beginning with http:// or https://, or switch useEarlyAuth off.',
  },
} as const satisfies Record<string, Wording>

export type NoticeCode = keyof typeof NOTICES

/** Kinds of accepted attempts, and states of a listing. */
const STATES = {
  ACCEPTED: { message: 'The announce was accepted.', remedy: '' },
  ACCEPTED_OLD_CREDENTIAL: {
    message: 'The announce was accepted with the credential before the newest one; the list shows what the newest one says.',
    remedy: 'Put the newest credential into the server configuration there, or stop that server, before the old one ends.',
  },
  CAME_ONLINE: { message: 'The announce was accepted and the server came online.', remedy: '' },
  LEFT: {
    message: 'The server said that it goes offline.',
    remedy: 'Start it again; its next announce brings it back to the list at once.',
  },
  LISTED: { message: 'The server is on the public list.', remedy: '' },
  HELD_BACK: {
    message: 'A protection issue keeps the server off the public list.',
    remedy: 'Its page says what was found and what to do about it; the server comes back as soon as the issue is settled.',
  },
  UNRANKED: {
    message: 'A protection issue puts the server after all servers that are ranked; promotion does not lift it.',
    remedy: 'Its page says what was found and what to do about it; the server is ranked again as soon as the issue is settled.',
  },
  NEVER_ANNOUNCED: {
    message: 'The server has not announced itself yet.',
    remedy: 'Put the credential into the server configuration and start the server.',
  },
  OFFLINE: { message: 'The server has stopped announcing.', remedy: 'Check that the server runs and can reach the master list.' },
  CREDENTIAL_REISSUED: {
    message: 'The credential was reissued, and the server has not announced with the new one yet.',
    remedy: 'Put the new credential into the server configuration and restart the server.',
  },
  NO_CREDENTIAL: {
    message: 'The server has no credential: it was handed over, and the one it had before ended.',
    remedy: 'Make a new credential on its page and put it into the server configuration.',
  },
} as const satisfies Record<string, Wording>

type StateCode = keyof typeof STATES

export type ReasonCode = RejectionCode | NoticeCode | StateCode

const ALL: Readonly<Record<string, Wording>> = { ...REJECTIONS, ...NOTICES, ...STATES }

/** A code that only a newer version knows is its own message. */
export function wordingOf(code: string): Wording {
  return ALL[code] ?? { message: code, remedy: '' }
}

export function isRejection(code: string): code is RejectionCode {
  return Object.hasOwn(REJECTIONS, code)
}

/** Message and remedy in one text, with more between them. */
export function fullText(code: ReasonCode, more = ''): string {
  const { message, remedy } = wordingOf(code)
  return [message, more, remedy].filter((part) => part !== '').join(' ')
}
