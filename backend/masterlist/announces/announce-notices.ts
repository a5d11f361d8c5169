/** What the reply of an accepted announce adds, for the game server's console. */
import { type NoticeCode, inOneText } from '#backend/masterlist/reasons.ts'
import type { LiveCredential, ServerRecord } from '#backend/masterlist/registry/server-record.ts'

/** Their JSON with commas between; empty for nearly every announce. @param read what the announce itself gave cause to. */
export function noticesOf({ fields }: ServerRecord, credential: LiveCredential, read: readonly NoticeCode[]): string {
  const { visible, findingNotices } = fields
  if (read.length === 0 && visible && credential.graceUntil === undefined) return findingNotices
  const notices = read.map((code) => ({ code, message: inOneText(code) }))
  if (!visible) notices.unshift({ code: 'HIDDEN', message: inOneText('HIDDEN') })
  if (credential.graceUntil !== undefined) {
    notices.push({
      code: 'OLD_CREDENTIAL',
      message: inOneText('OLD_CREDENTIAL', `The old one ends at ${new Date(credential.graceUntil).toISOString()}.`),
    })
  }
  const own = notices.map((notice) => JSON.stringify(notice)).join(',')
  return findingNotices === '' ? own : `${own},${findingNotices}`
}
