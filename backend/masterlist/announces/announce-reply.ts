/** The reply to an accepted announce (contract section 11). */
import { m } from '#api-messages'
import { type NoticeCode, fullText } from '#backend/masterlist/registry/reasons.ts'
import type { LiveCredential, ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import type { Reply } from '#backend/masterlist/wire/reply.ts'
import { flatten } from '#backend/platform/node-internals/prepared-head.ts'

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
  const notices = noticesOf(server, credential, causedNotices)
  const isPlain = notices === '' && seconds < MAX_SECONDS
  const ending = isPlain ? plainEnding(isListed, seconds, fields.cloudAuth) : endingOf(isListed, seconds, fields.cloudAuth, notices)
  return { status: 200, body: `{"publicId":"${fields.publicId}${ending}`, retryAfter: 0, isAscii: notices === '' }
}

function plainEnding(isListed: boolean, seconds: number, hasCloudAuth: boolean): string {
  const index = seconds * 4 + (isListed ? 2 : 0) + (hasCloudAuth ? 1 : 0)
  return (endings[index] ??= flatten(endingOf(isListed, seconds, hasCloudAuth, '')))
}

function endingOf(isListed: boolean, seconds: number, hasCloudAuth: boolean, notices: string): string {
  return `","listed":${isListed},"nextAnnounceSeconds":${seconds},"features":{"cloudAuth":${hasCloudAuth}},"notices":[${notices}]}`
}

/** The notices as JSON, separated by commas; empty for nearly every announce. */
function noticesOf({ fields }: ServerRecord, credential: LiveCredential, causedNotices: readonly NoticeCode[]): string {
  const { visible, findingNotices } = fields
  if (causedNotices.length === 0 && visible && credential.graceUntil === undefined) return findingNotices
  const notices = causedNotices.map((code) => ({ code, message: fullText(code) }))
  if (!visible) notices.unshift({ code: 'HIDDEN', message: fullText('HIDDEN') })
  if (credential.graceUntil !== undefined) {
    const message = fullText('OLD_CREDENTIAL', m.listing_old_credential_expires({ time: new Date(credential.graceUntil).toISOString() }))
    notices.push({ code: 'OLD_CREDENTIAL', message })
  }
  const own = notices.map((notice) => JSON.stringify(notice)).join(',')
  return findingNotices === '' ? own : `${own},${findingNotices}`
}
