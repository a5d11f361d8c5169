/** The reason of a protection issue, as the panel shows it: with a link in the place of the address that game servers print. */

import { exactTime } from '#web/lib/time.ts'

const PAGE = /: https?:\/\/\S+\/protection-issues\/([\da-f-]{36})\./

interface Reason {
  readonly code: string
  readonly message: string
}

/** The issue that keeps the server off the list, where one does. */
export function issueOf({ code, message }: Reason): string | undefined {
  return code === 'HELD_BACK' ? PAGE.exec(message)?.[1] : undefined
}

/** What the backend tells those who are not in the panel: times in UTC, and where to look. */
const END_IN_UTC = / ?It ends on [^.]* UTC\./
const SEE_PANEL = / ?Its page in the panel shows the reason and where to appeal\./

/** The message as people read it: times as the reader's own clock says them. @param bannedUntil of the server's own ban, where it ends. */
export function textOf({ code, message }: Reason, bannedUntil?: string | null): string {
  if (code !== 'SERVER_BANNED') return message.replace(PAGE, '.')
  const end = bannedUntil == null ? '' : ` It ends on ${exactTime(bannedUntil)}.`
  return message.replace(END_IN_UTC, end).replace(SEE_PANEL, '').trim()
}
