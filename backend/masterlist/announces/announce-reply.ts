/** The reply to an accepted announce (contract section 11). */
import { m } from '#api-messages'
import type { AnnounceReply } from '#contract/masterlist.ts'
import { findingNotice } from '#backend/features/protection/enforcement.ts'
import { type NoticeCode, fullText } from '#backend/masterlist/registry/reasons.ts'
import type { LiveCredential, ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import type { Reply } from '#backend/masterlist/wire/reply.ts'
import { momentOf } from '#backend/platform/messages/format-date.ts'
import { flatten } from '#backend/platform/node-internals/prepared-head.ts'

type Notice = AnnounceReply['notices'][number]

/** Longer than any announce interval. */
const MAX_SECONDS = 10_000
/** Endings of replies without notices, after the public ID. All servers share these few strings, indexed by seconds and the two flags. */
const endings: (string | undefined)[] = []

/** @param seconds until the next announce is due. @param causedNotices the notices caused by this announce. */
export function acceptedReply(
  server: ServerRecord,
  credential: LiveCredential,
  seconds: number,
  causedNotices: readonly NoticeCode[],
): Reply {
  const { fields, isListed } = server
  const { publicId, cloudAuth, visible, findingNotices } = fields
  const hasNotices = causedNotices.length > 0 || !visible || credential.graceUntil !== undefined || findingNotices.length > 0
  const start = `{"publicId":"${publicId}`
  if (!hasNotices && seconds < MAX_SECONDS)
    return { status: 200, body: start + plainEnding(isListed, seconds, cloudAuth), retryAfter: 0, isAscii: true }
  const body = () => start + endingOf(isListed, seconds, cloudAuth, JSON.stringify(noticesOf(server, credential, causedNotices)))
  return { status: 200, body, retryAfter: 0, isAscii: false }
}

function plainEnding(isListed: boolean, seconds: number, hasCloudAuth: boolean): string {
  const index = seconds * 4 + (isListed ? 2 : 0) + (hasCloudAuth ? 1 : 0)
  return (endings[index] ??= flatten(endingOf(isListed, seconds, hasCloudAuth, '[]')))
}

function endingOf(isListed: boolean, seconds: number, hasCloudAuth: boolean, notices: string): string {
  return `","listed":${isListed},"nextAnnounceSeconds":${seconds},"features":{"cloudAuth":${hasCloudAuth}},"notices":${notices}}`
}

/** In the language of the request. */
function noticesOf({ fields }: ServerRecord, credential: LiveCredential, causedNotices: readonly NoticeCode[]): Notice[] {
  const notices: Notice[] = causedNotices.map((code) => ({ code, message: fullText(code) }))
  if (!fields.visible) notices.unshift({ code: 'HIDDEN', message: fullText('HIDDEN') })
  if (credential.graceUntil !== undefined) {
    const message = fullText('OLD_CREDENTIAL', m.listing_old_credential_expires(momentOf(credential.graceUntil)))
    notices.push({ code: 'OLD_CREDENTIAL', message })
  }
  return [...notices, ...fields.findingNotices.map(findingNotice)]
}
