/** What the fake list does with a request. */

/** How long the announcer must wait after an answer, and by which rule. */
export type Expected =
  | { readonly kind: 'interval' | 'retry-after'; readonly seconds: number }
  | { readonly kind: 'rejection' | 'failure' | 'silence' }

export interface Answer {
  /** For the report. */
  readonly text: string
  readonly expected: Expected
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Milliseconds before the answer. */
  readonly delayMs?: number
  /** What happens to the connection instead of a complete reply. */
  readonly breaks?: 'before' | 'during' | 'truncated' | 'garbage' | 'never'
  /** The reply arrives in small pieces over this many milliseconds. */
  readonly trickleMs?: number
  /** Whether the reply has a Location at another address, which accepts everything. */
  readonly isRedirect?: boolean
  /** Closes the idle connection without notice, milliseconds after the reply. */
  readonly closesAfterMs?: number
  /** Stops listening after this answer, for this many milliseconds. */
  readonly downMs?: number
  /** Whether the list rejects the request itself, so that the scenario cannot go on. */
  readonly isVerdict?: boolean
  /** Sentences that the announcer must print, by the rule. */
  readonly prints?: { readonly rule: 'prints-rejections' | 'prints-notices'; readonly sentences: readonly string[] }
}

type Changes = Partial<Omit<Answer, 'expected' | 'prints'>>

/** The headers of a master list: of every reply, of those with a body, and of rejections. */
const COMMON = { 'X-Content-Type-Options': 'nosniff', 'X-Request-Id': 'c0nf0rm-1' }
const JSON_TYPE = { 'Content-Type': 'application/json', ...COMMON }
const REJECTION = {
  ...JSON_TYPE,
  'Cache-Control': 'no-store',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Retry-After, X-Request-Id',
  'Content-Language': 'en',
  Vary: 'Accept-Language',
}

interface NoticeText {
  readonly code: string
  readonly message: string
}

export const PUBLIC_ID = 'c0nf0rm'

export function replyBody(
  seconds: unknown,
  {
    listed = true,
    notices = [] as readonly NoticeText[],
    ...more
  }: Record<string, unknown> & { listed?: boolean; notices?: readonly NoticeText[] } = {},
): object {
  return { publicId: PUBLIC_ID, listed, nextAnnounceSeconds: seconds, features: { cloudAuth: false }, notices, ...more }
}

/** An accepted announce. */
export function accepted(seconds: number, changes: Changes = {}): Answer {
  return {
    text: `200, nextAnnounceSeconds ${seconds}`,
    expected: { kind: 'interval', seconds },
    status: 200,
    headers: JSON_TYPE,
    body: JSON.stringify(replyBody(seconds)),
    ...changes,
  }
}

/** An accepted announce with notices. @param listed whether players see the server */
export function acceptedWith(notices: readonly NoticeText[], listed = true): Answer {
  return {
    ...accepted(2, { body: JSON.stringify(replyBody(2, { listed, notices })) }),
    text: `200 with ${notices.map(({ code }) => code).join(', ')}, nextAnnounceSeconds 2`,
    prints: { rule: 'prints-notices', sentences: notices.map(({ message }) => message) },
  }
}

/** A rejection with the error envelope. @param sentences how many mistakes it names */
export function rejected(status: number, code: string, { sentences = 1, retryAfter = 0 } = {}): Answer {
  const errors = Array.from({ length: sentences }, (_, index) => `Sentence ${index + 1} of the rejection ${code}.`)
  const remedy = `Remedy of the rejection ${code}.`
  const headers = {
    ...REJECTION,
    ...(retryAfter > 0 && { 'Retry-After': String(retryAfter) }),
    // The rest of a large body is not read, and a throttled sender must connect again.
    ...((status === 413 || status === 429) && { Connection: 'close' }),
    ...(status === 405 && { Allow: 'POST, DELETE, OPTIONS' }),
  }
  return {
    text: `${status} ${code}${retryAfter > 0 ? `, Retry-After ${retryAfter}` : ''}`,
    expected: retryAfter > 0 ? { kind: 'retry-after', seconds: retryAfter } : { kind: 'rejection' },
    status,
    headers,
    body: JSON.stringify({ statusCode: status, errors, isBusiness: false, code, remedy }),
    prints: { rule: 'prints-rejections', sentences: [...errors, remedy] },
  }
}

/** A reply that no master list sends: the announcer must take it for a failure. */
export function unusable(text: string, changes: Changes): Answer {
  return { text, expected: { kind: 'failure' }, status: 200, headers: JSON_TYPE, ...changes }
}

/** A redirect to another address. */
export function redirected(status: number): Answer {
  return { text: `${status} to another address`, expected: { kind: 'failure' }, status, isRedirect: true }
}

/** A connection that breaks. */
export function broken(text: string, breaks: NonNullable<Answer['breaks']>): Answer {
  return {
    text,
    expected: { kind: breaks === 'never' ? 'silence' : 'failure' },
    status: 200,
    headers: JSON_TYPE,
    body: JSON.stringify(replyBody(2)),
    breaks,
  }
}

export const GOODBYE: Answer = { text: '204', expected: { kind: 'failure' }, status: 204, headers: COMMON }

/** The statuses of the rejections of a wrong request. */
export const VERDICTS = {
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CREDENTIAL_MISSING: 401,
  CREDENTIAL_MALFORMED: 401,
  CREDENTIAL_UNKNOWN: 401,
  BODY_WRONG_TYPE: 415,
  BODY_TOO_LARGE: 413,
  BODY_NOT_JSON: 400,
  BODY_INVALID: 400,
} as const

/** What a master list replies to a wrong request, whatever the scenario. */
export function verdict(code: keyof typeof VERDICTS): Answer {
  const { prints: _, ...answer } = rejected(VERDICTS[code], code)
  return { ...answer, isVerdict: true }
}
