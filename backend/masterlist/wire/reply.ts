/** Replies of the master list before they are written. */
import type { ListErrorReply } from '#contract/errors.ts'
import { REJECTIONS, type RejectionCode } from '#backend/masterlist/registry/reasons.ts'

export interface Reply {
  readonly status: number
  /** JSON; empty with 204. */
  readonly body: string
  /** Seconds for Retry-After; 0 for none. */
  readonly retryAfter: number
  /** The byte length of an ASCII body is its string length. */
  readonly isAscii: boolean
}

/** Retry-After while the database is unavailable or the program stops. */
export const UNAVAILABLE_SECONDS = 5

/** @param errors replaces the default message, for example one per invalid field. */
export function rejectionReply(code: RejectionCode, retryAfter = 0, errors?: readonly string[]): Reply {
  const { status, message, remedy } = REJECTIONS[code]
  const reply: ListErrorReply = { statusCode: status, errors: [...(errors ?? [message])], isBusiness: false, code, remedy }
  return { status, body: JSON.stringify(reply), retryAfter, isAscii: false }
}
