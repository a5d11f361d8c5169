/** The reply to an accepted announce. */
import { m } from '#api-messages'
import type { AnnounceReply } from '#contract/masterlist/masterlist.ts'
import { findingNotice } from '#backend/core/protection/enforcement.ts'
import { type AddressNotice, addressNoticesOf } from '#backend/masterlist/registry/address-notices.ts'
import { type NoticeCode, fullText } from '#backend/masterlist/registry/reasons.ts'
import type { LiveCredential, ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import type { Reply } from '#backend/masterlist/wire/reply.ts'
import { momentOf } from '#backend/platform/messages/format-date.ts'

interface AcceptedAnnounce {
  readonly server: ServerRecord
  readonly credential: LiveCredential
  /** Notices that the announce itself caused. */
  readonly caused: readonly NoticeCode[]
  /** The port of another process with the credential. */
  readonly otherPort: number | undefined
  readonly nextAnnounceSeconds: number
}

export function acceptedReply(accepted: AcceptedAnnounce): Reply {
  const { server, credential, caused, otherPort, nextAnnounceSeconds } = accepted
  const { publicId, cloudAuth, visible, findingNotices } = server.fields
  const reply = { publicId, listed: server.isListed, nextAnnounceSeconds, features: { cloudAuth } }
  const aboutAddress = addressNoticesOf(server, otherPort)
  const count = caused.length + aboutAddress.length + findingNotices.length
  const isPlain = count === 0 && visible && credential.graceUntil === undefined
  if (isPlain) return { status: 200, body: JSON.stringify({ ...reply, notices: [] } satisfies AnnounceReply), retryAfter: 0 }
  const body = () => JSON.stringify({ ...reply, notices: noticesOf(accepted, aboutAddress) } satisfies AnnounceReply)
  return { status: 200, body, retryAfter: 0 }
}

function noticesOf(
  { server: { fields }, credential: { graceUntil }, caused }: AcceptedAnnounce,
  aboutAddress: readonly AddressNotice[],
): AnnounceReply['notices'] {
  const notices: AnnounceReply['notices'] = caused.map((code) => ({ code, message: fullText(code) }))
  if (!fields.visible) notices.unshift({ code: 'HIDDEN', message: fullText('HIDDEN') })
  if (graceUntil !== undefined)
    notices.push({ code: 'OLD_CREDENTIAL', message: fullText('OLD_CREDENTIAL', m.listing_old_credential_expires(momentOf(graceUntil))) })
  const texts = aboutAddress.map(({ code, message }) => ({ code, message: message() }))
  return [...notices, ...texts, ...fields.findingNotices.map(findingNotice)]
}
