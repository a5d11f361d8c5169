/** What the reasons of a listing say to people in the panel. */
import { exactTime } from '#web/lib/time.ts'

/** What game servers print: the page of a protection issue. */
const PAGE = /: https?:\/\/\S+\/protection-issues\/([\da-f-]{36})\./

interface Reason {
  readonly code: string
  readonly message: string
}

/** The id of the issue that keeps the server off the list. */
export function issueOf({ code, message }: Reason): string | undefined {
  return code === 'HELD_BACK' ? PAGE.exec(message)?.[1] : undefined
}

/** Parts that are meant for readers outside of the panel. */
const END_IN_UTC = / ?It ends on [^.]* UTC\./
const SEE_PANEL = / ?Its page in the panel shows the reason and where to appeal\./

/** The message with local times and without addresses of the panel. @param bannedUntil the end of the server's own ban. */
export function textOf({ code, message }: Reason, bannedUntil?: string | null): string {
  if (code !== 'SERVER_BANNED') return message.replace(PAGE, '.')
  const end = bannedUntil == null ? '' : ` It ends on ${exactTime(bannedUntil)}.`
  return message.replace(END_IN_UTC, end).replace(SEE_PANEL, '').trim()
}
