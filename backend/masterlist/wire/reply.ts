/** Replies of the master list before they are written. */
import { LIST_ERRORS } from '#contract/list-codes.ts'
import type { ListErrorReply } from '#contract/errors.ts'
import type { Language } from '#contract/panel-languages.ts'
import { runInLanguage } from '#backend/platform/messages/language.ts'
import { type RejectionCode, wordingOf } from '#backend/masterlist/registry/reasons.ts'

export interface Reply {
  readonly status: number
  /** JSON; empty with 204. A rejection is rendered in the language of its request. */
  readonly body: string | (() => string)
  /** Seconds for Retry-After; 0 for none. */
  readonly retryAfter: number
  /** The byte length of an ASCII body is its string length. */
  readonly isAscii: boolean
}

/** Sentences in the language of the request. */
export type Sentences = () => readonly string[]

/** Retry-After while the database is unavailable or the program stops. */
export const UNAVAILABLE_SECONDS = 5

/** @param errors replaces the default message, for example one per invalid field. */
export function rejectionReply(code: RejectionCode, retryAfter = 0, errors?: Sentences): Reply {
  return { status: LIST_ERRORS[code], body: () => rejectionBody(code, LIST_ERRORS[code], errors), retryAfter, isAscii: false }
}

/** In the language of the request. */
export function rejectionBody(code: RejectionCode, statusCode: number, errors?: Sentences): string {
  const { message, remedy } = wordingOf(code)
  return JSON.stringify({ statusCode, errors: [...(errors?.() ?? [message])], isBusiness: false, code, remedy } satisfies ListErrorReply)
}

export function bodyIn(language: Language, { body }: Reply): string {
  return typeof body === 'string' ? body : runInLanguage(language, body)
}
