/** What an announce is answered with, before HTTP. */
import type { ListErrorReply } from '#contract/errors.ts'
import { REFUSALS, type RefusalCode } from '#backend/masterlist/reasons.ts'

export interface Answer {
  readonly status: number
  /** JSON text; empty with 204. */
  readonly body: string
  /** Seconds for Retry-After; 0 for none. */
  readonly retryAfter: number
  /** True where the body is known to be ASCII: it is written without being measured and encoded. */
  readonly isAscii: boolean
}

/** How long a game server waits before it tries a list again that has lost its database or is stopping. */
export const UNAVAILABLE_SECONDS = 5

/** @param errors sentences in place of the catalogue's own, such as one for each wrong field. */
export function refusalAnswer(code: RefusalCode, retryAfter = 0, errors?: readonly string[]): Answer {
  const { status, message, remedy } = REFUSALS[code]
  const reply: ListErrorReply = {
    statusCode: status,
    errors: errors === undefined ? [message] : [...errors],
    isBusiness: false,
    code,
    remedy,
  }
  return { status, body: JSON.stringify(reply), retryAfter, isAscii: false }
}
