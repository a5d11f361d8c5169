/** Announces that the list rejects. */
import { accepted, rejected } from '../answers.ts'
import type { Scenario } from '../scenario.ts'

/** Every rejection of an announce without Retry-After, with its status. */
export const REJECTIONS = {
  CREDENTIAL_MISSING: 401,
  CREDENTIAL_MALFORMED: 401,
  CREDENTIAL_UNKNOWN: 401,
  CREDENTIAL_REVOKED: 401,
  SERVER_BANNED: 403,
  OWNER_BANNED: 403,
  ADDRESS_UNKNOWN: 400,
  ADDRESS_MISMATCH: 409,
  BODY_TOO_LARGE: 413,
  BODY_NOT_JSON: 400,
  BODY_WRONG_TYPE: 415,
  BODY_INVALID: 400,
} as const

/** Rejections of any call. */
const OTHERS = { NOT_FOUND: 404, METHOD_NOT_ALLOWED: 405, MALFORMED_REQUEST: 400, A_CODE_OF_A_NEWER_LIST: 422 } as const

/** Every rejection of an announce with Retry-After, with its status. */
export const THROTTLES = { TOO_OFTEN: 429, TOO_MANY_REQUESTS: 429, UNAVAILABLE: 503 } as const

const nameOf = (code: string) => code.toLowerCase().replaceAll('_', '-')

const FIRST: readonly Scenario[] = Object.entries({ ...REJECTIONS, ...OTHERS }).map(([code, status]) => ({
  name: `rejected-${nameOf(code)}`,
  about: `The list rejects the first announce with ${code}.`,
  answers: [rejected(status, code, { sentences: code === 'BODY_INVALID' ? 2 : 1 })],
  announces: 1,
  watchSeconds: 5,
  seconds: 6,
}))

const THROTTLED: readonly Scenario[] = Object.entries(THROTTLES).map(([code, status]) => ({
  name: `throttled-${nameOf(code)}`,
  about: `The list rejects the second announce with ${code} and Retry-After.`,
  answers: [accepted(2), rejected(status, code, { retryAfter: 4 }), accepted(2)],
  announces: 4,
  seconds: 11,
}))

export const REJECTED: readonly Scenario[] = [
  ...FIRST,
  ...THROTTLED,
  {
    name: 'unbanned',
    about: 'The server is banned, and half a minute later it is not.',
    answers: [rejected(403, 'SERVER_BANNED'), accepted(2)],
    announces: 3,
    seconds: 36,
  },
  {
    name: 'address-reset',
    about: 'The server moves, and the owner resets its bound address.',
    answers: [accepted(2), rejected(409, 'ADDRESS_MISMATCH'), accepted(2)],
    announces: 3,
    seconds: 36,
  },
  {
    name: 'throttled-twice',
    about: 'Two rejections with different Retry-After.',
    answers: [rejected(429, 'TOO_OFTEN', { retryAfter: 2 }), rejected(429, 'TOO_OFTEN', { retryAfter: 5 }), accepted(2)],
    announces: 4,
    seconds: 12,
  },
  {
    name: 'throttled-for-long',
    about: 'Retry-After is two minutes.',
    answers: [rejected(429, 'TOO_MANY_REQUESTS', { retryAfter: 120 })],
    announces: 1,
    watchSeconds: 7,
    seconds: 8,
  },
  {
    name: 'throttled-lower-case',
    about: 'A proxy writes retry-after in lower case.',
    answers: [
      {
        ...rejected(503, 'UNAVAILABLE', { retryAfter: 4 }),
        headers: { 'content-type': 'application/json', 'retry-after': '4' },
      },
      accepted(2),
    ],
    announces: 2,
    seconds: 6,
  },
  {
    name: 'throttled-by-a-proxy',
    about: 'A proxy replies 503 with Retry-After and a page instead of JSON.',
    answers: [
      {
        text: '503 with a page, Retry-After 4',
        expected: { kind: 'retry-after', seconds: 4 },
        status: 503,
        headers: { 'Content-Type': 'text/html', 'Retry-After': '4' },
        body: '<html><body><h1>503 Service Unavailable</h1></body></html>',
      },
      accepted(2),
    ],
    announces: 3,
    seconds: 8,
  },
]
