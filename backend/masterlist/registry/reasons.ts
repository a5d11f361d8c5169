/** The sentences that the master list sends to owners and game servers, by code (docs/api). Their texts are in `messages/api`. */
import { m } from '#api-messages'
import { LIST_ERRORS, type ListErrorCode, type OwnNoticeCode, type StateCode } from '#contract/masterlist/list-codes.ts'

/** Rejections of announces and requests. */
export type RejectionCode = ListErrorCode
/** Sent with an accepted announce, and shown by the game server's console and the panel. */
export type NoticeCode = OwnNoticeCode
export type ReasonCode = RejectionCode | NoticeCode | StateCode

interface Wording {
  readonly message: string
  /** Empty if there is nothing to do. */
  readonly remedy: string
}

const texts: Readonly<Record<string, (() => string) | undefined>> = m satisfies Readonly<
  Record<`list_${Lowercase<ReasonCode>}`, () => string>
> as never

/** In the language of the request. A code that only a newer version knows serves as its own message. */
export function wordingOf(code: string): Wording {
  const key = `list_${code.toLowerCase()}`
  return { message: texts[key]?.() ?? code, remedy: texts[`${key}_remedy`]?.() ?? '' }
}

export function isRejection(code: string): code is RejectionCode {
  return Object.hasOwn(LIST_ERRORS, code)
}

/** Message and remedy as one text. @param detail inserted between them. */
export function fullText(code: ReasonCode, detail = ''): string {
  const { message, remedy } = wordingOf(code)
  return [message, detail, remedy].filter((part) => part !== '').join(' ')
}
