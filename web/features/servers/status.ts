/** The status of a server, and the reason for it. */
import type { Server } from '#contract/servers/servers.ts'
import { m } from '#messages'
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

const OFFLINE = ['OFFLINE', 'LEFT', 'CREDENTIAL_REISSUED', 'NEVER_ANNOUNCED']
const UNLISTED = ['HELD_BACK', 'HIDDEN', 'OWNER_BANNED', 'DUPLICATE_ADDRESS', 'PRIVATE_ADDRESS']
/** Reasons to act although the server is listed. */
const WARNINGS = ['ENDPOINT_UNPROVEN', 'TWO_PROCESSES']

/** Start of the first reason with one of the codes. A rejected announce may be an earlier, unrelated reason. */
function sinceOf({ listing }: Server, codes: readonly string[]): string | null {
  return codes.map((code) => listing.reasons.find((reason) => reason.code === code)?.since).find((since) => since !== undefined) ?? null
}

/** The most important status: banned, then offline, then not listed. */
export function statusOf(server: Server): Status {
  const [first] = server.listing.reasons
  const reason = server.listing.listed || first === undefined ? '' : reasonText(first, server)
  // Beside "Banned", a duration would read as the length of the ban.
  if (server.banned) return { key: 'banned', label: m.servers_status_banned(), tone: 'danger', since: null, reason }
  if (server.status === 'never_seen')
    return { key: 'never_seen', label: m.servers_status_never_seen(), tone: 'neutral', since: null, reason }
  if (server.status === 'offline')
    return { key: 'offline', label: m.servers_status_offline(), tone: 'danger', since: sinceOf(server, OFFLINE), reason }
  if (!server.listing.listed)
    return { key: 'unlisted', label: m.servers_status_unlisted(), tone: 'warn', since: sinceOf(server, UNLISTED), reason }
  return { key: 'online', label: m.servers_status_online(), tone: 'ok', since: sinceOf(server, ['LISTED']), reason: '' }
}

/** What the owner should read: why the server is not listed, or the warnings of a listed one. */
export const openReasons = ({ listing: { listed, reasons } }: Pick<Server, 'listing'>) =>
  listed ? reasons.filter(({ code }) => WARNINGS.includes(code)) : reasons

/** Why the announced host is not proven, so that players may not reach a listed server. Undefined if it is, or if none is announced. */
export const unprovenReason = ({ listing }: Pick<Server, 'listing'>) => listing.reasons.find(({ code }) => code === 'ENDPOINT_UNPROVEN')

/** Null before the first announce, and after a reissue without a grace period until the next announce. */
export function lastAnnounceAt({ live, credential_last_used_at, previous_credential_last_used_at }: Server): string | null {
  if (live) return live.last_announce_at
  const lastUses = [credential_last_used_at, previous_credential_last_used_at].filter((at) => at !== null)
  return lastUses.toSorted((a, b) => Date.parse(b) - Date.parse(a))[0] ?? null
}

/** Shown in place of the last announce if `lastAnnounceAt` is null. Without a credential, the last announce is unknown. */
export function noAnnounceText({ status, credential_hint: hint }: Server): string {
  if (status === 'never_seen') return m.servers_row_never()
  return hint === '' ? '–' : m.servers_row_reissued()
}

/** The status in the title of the browser tab. */
export function statusSymbol(server: Server): string {
  return { online: '●', unlisted: '◐', offline: '○', never_seen: '○', banned: '✕' }[statusOf(server).key]
}

/** The link to a protection issue, for the console of the game server. */
const ISSUE_LINK = /\s*: https?:\/\/\S+\/protection-issues\/([\da-f-]{36})\./

interface Reason {
  readonly code: string
  readonly message: string
}

export function issueIdOf({ code, message }: Reason): string | undefined {
  return code === 'HELD_BACK' ? ISSUE_LINK.exec(message)?.[1] : undefined
}

/** The message without links to the panel. That of a ban has local times. */
export function reasonText({ code, message }: Reason, server: Pick<Server, 'ban_reason' | 'banned_until'>): string {
  if (code !== 'SERVER_BANNED') return message.replace(ISSUE_LINK, '.')
  const { ban_reason: reason, banned_until: until } = server
  return [
    m.servers_status_ban(),
    ...(reason === null ? [] : [m.servers_status_ban_reason({ reason: reason.replace(/[.!?]?$/, '.') })]),
    ...(until === null ? [] : [m.servers_status_ban_ends({ time: exactTime(until) })]),
  ].join(' ')
}
