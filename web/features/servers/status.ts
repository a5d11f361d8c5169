/** What state a server is in, and why, in words. */
import type { Server } from '#contract/servers.ts'
import { exactTime } from '#web/lib/time.ts'

export type Tone = 'ok' | 'warn' | 'danger' | 'neutral'
export type StatusKey = 'online' | 'unlisted' | 'offline' | 'never_seen' | 'banned'

export interface Status {
  readonly key: StatusKey
  readonly label: string
  readonly tone: Tone
  readonly since: string | null
  /** One sentence; empty for a listed server. */
  readonly reason: string
}

const BANNED = ['SERVER_BANNED', 'OWNER_BANNED']
const SILENT = ['OFFLINE', 'LEFT', 'CREDENTIAL_REISSUED', 'NEVER_ANNOUNCED']
const UNLISTED = ['HELD_BACK', 'HIDDEN', ...BANNED]

/** Since what caused the state: the first reason may be a newer rejected announce. */
function sinceOf({ listing }: Server, codes: readonly string[]): string | null {
  return codes.map((code) => listing.reasons.find((reason) => reason.code === code)?.since).find((since) => since !== undefined) ?? null
}

/** The state that matters most: a ban before silence, silence before not being listed. */
export function statusOf(server: Server): Status {
  const [first] = server.listing.reasons
  const reason = server.listing.listed || first === undefined ? '' : reasonText(first)
  if (server.banned) return { key: 'banned', label: 'Banned', tone: 'danger', since: sinceOf(server, BANNED), reason }
  if (server.status === 'never_seen') return { key: 'never_seen', label: 'Not seen yet', tone: 'neutral', since: null, reason }
  if (server.status === 'offline') return { key: 'offline', label: 'Offline', tone: 'danger', since: sinceOf(server, SILENT), reason }
  if (!server.listing.listed)
    return { key: 'unlisted', label: 'Online, not listed', tone: 'warn', since: sinceOf(server, UNLISTED), reason }
  return { key: 'online', label: 'Online', tone: 'ok', since: sinceOf(server, ['LISTED']), reason: '' }
}

/** Null where no announce ever came (`never_seen`), or none since an immediate reissue. */
export function lastAnnounceAt({ live, credential_last_used_at, previous_credential_last_used_at }: Server): string | null {
  if (live) return live.last_announce_at
  const used = [credential_last_used_at, previous_credential_last_used_at].filter((at) => at !== null)
  return used.toSorted((one, other) => Date.parse(other) - Date.parse(one))[0] ?? null
}

/** The state in the title of the browser's tab. */
export function statusSymbol(server: Server): string {
  return { online: '●', unlisted: '◐', offline: '○', never_seen: '○', banned: '✕' }[statusOf(server).key]
}

/** What game servers print: the page of a protection issue. */
const PAGE = /: https?:\/\/\S+\/protection-issues\/([\da-f-]{36})\./

interface Reason {
  readonly code: string
  readonly message: string
}

export function issueIdOf({ code, message }: Reason): string | undefined {
  return code === 'HELD_BACK' ? PAGE.exec(message)?.[1] : undefined
}

/** Parts that are meant for readers outside of the panel. */
const END_IN_UTC = / ?It ends on [^.]* UTC\./
const SEE_PANEL = / ?Its page in the panel shows the reason and where to appeal\./

/** The message with local times and without addresses of the panel. @param bannedUntil the end of the server's own ban. */
export function reasonText({ code, message }: Reason, bannedUntil?: string | null): string {
  if (code !== 'SERVER_BANNED') return message.replace(PAGE, '.')
  const end = bannedUntil == null ? '' : ` It ends on ${exactTime(bannedUntil)}.`
  return message.replace(END_IN_UTC, end).replace(SEE_PANEL, '').trim()
}
