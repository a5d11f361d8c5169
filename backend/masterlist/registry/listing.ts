/** Why a server is, or is not, on the list, as shown to its owner. */
import { m } from '#api-messages'
import { ISSUES } from '#contract/protection/issue-kinds.ts'
import type { Server } from '#contract/servers/servers.ts'
import { momentOf } from '#backend/platform/messages/format-date.ts'
import { translateLines } from '#backend/platform/messages/stored-text.ts'
import { addressNoticesOf } from './address-notices.ts'
import { isConfirmed, listedEndpoint } from './listed-row.ts'
import type { Ban, ServerRecord } from './server-record.ts'
import type { ServerState } from '#backend/core/servers/server-state.ts'
import { type ReasonCode, fullText, wordingOf } from './reasons.ts'

type Reason = Server['listing']['reasons'][number]

function reason(code: ReasonCode, since: number, detail = ''): Reason {
  return { code, message: fullText(code, detail), since: new Date(since).toISOString() }
}

/** @param ttlSeconds how long a server stays online without an announce. @param otherPort of another process with its credential. */
export function stateOf(server: ServerRecord, ttlSeconds: number, otherPort?: number): ServerState {
  const used = server.credentials.flatMap(({ id, lastUsedAt }): [string, Date][] => (lastUsedAt === 0 ? [] : [[id, new Date(lastUsedAt)]]))
  return {
    status: server.announced === undefined ? 'never_seen' : server.online ? 'online' : 'offline',
    offline_since: server.announced === undefined || server.online ? null : new Date(server.since).toISOString(),
    banner_url: server.fields.cosmetics.bannerUrl || null,
    live: liveOf(server),
    last_announced: server.announced === undefined ? null : { port: server.announced.port, max_players: server.announced.maxPlayersCount },
    listing: { listed: server.isListed, reasons: reasonsOf(server, ttlSeconds, otherPort) },
    lastUsedAt: new Map(used),
  }
}

function liveOf(server: ServerRecord): Server['live'] {
  const { announced } = server
  if (announced === undefined || !server.online) return null
  return {
    address: listedEndpoint(server).address,
    players: announced.playersCount,
    players_confirmed: isConfirmed(server),
    max_players: announced.maxPlayersCount,
    version: announced.version,
    branch: announced.branch,
    passworded: announced.passworded,
    last_announce_at: new Date(server.lastAnnounceAt).toISOString(),
  }
}

/** Most useful first: root causes, then what the owner can fix right away. */
function reasonsOf(server: ServerRecord, ttlSeconds: number, otherPort: number | undefined): Reason[] {
  const { fields } = server
  const reasons: Reason[] = []
  if (server.isListed) reasons.push(reason('LISTED', server.listedSince))
  const { ban, ownerBan } = fields
  if (ban !== undefined) reasons.push(reason('SERVER_BANNED', ban.at ?? fields.updatedAt, banSentences(ban).join(' ')))
  // Without the ban's reason, because managers also read this.
  if (ownerBan !== undefined)
    reasons.push(reason('OWNER_BANNED', ownerBan.at ?? server.since, banSentences({ ...ownerBan, reason: null }).join(' ')))
  reasons.push(...enforcementReasons(server))
  for (const { code, message, since } of addressNoticesOf(server, otherPort))
    reasons.push({ code, message: message(), since: new Date(since).toISOString() })
  if (!server.online) reasons.push(...offlineReasons(server, ttlSeconds))
  if (!fields.visible) reasons.push(reason('HIDDEN', fields.hiddenAt ?? fields.updatedAt))
  // Last, because a rejection doesn't decide whether an online server is listed.
  if (server.online) reasons.push(...rejectionReasons(server))
  return reasons
}

function enforcementReasons({ fields, isListed }: ServerRecord): Reason[] {
  const { cause, isUnlisted } = fields.enforcement
  if (cause === undefined || (!isUnlisted && !isListed)) return []
  return [
    reason(isUnlisted ? 'HELD_BACK' : 'UNRANKED', cause.since, m.listing_issue({ title: ISSUES[cause.kind].name(), page: cause.page })),
  ]
}

function rejectionReasons({ lastRejection }: ServerRecord): Reason[] {
  if (lastRejection === undefined) return []
  const { message, remedy } = wordingOf(lastRejection.code)
  const why = lastRejection.detail === '' ? message : translateLines(lastRejection.detail)
  const text = m.listing_newest_rejected({ address: lastRejection.address, why, remedy })
  return [{ code: lastRejection.code, message: text, since: new Date(lastRejection.at).toISOString() }]
}

function offlineReasons(server: ServerRecord, ttlSeconds: number): Reason[] {
  const reasons: Reason[] = []
  if (server.credentials.length === 0) return [reason('NO_CREDENTIAL', server.fields.updatedAt), ...rejectionReasons(server)]
  const isReissued = server.announced !== undefined && !server.credentials.some((credential) => credential.id === server.credentialId)
  const current = server.credentials.find((credential) => credential.graceUntil === undefined)
  if (isReissued) reasons.push(reason('CREDENTIAL_REISSUED', Math.max(current?.issuedAt ?? server.since, server.fields.createdAt)))
  // A ban is already listed as its own reason.
  reasons.push(
    ...rejectionReasons(server).filter(({ code }) => !(server.isBanned && (code === 'SERVER_BANNED' || code === 'OWNER_BANNED'))),
  )
  // After a transfer or a restoration, since the new credential.
  if (server.announced === undefined) reasons.push(reason('NEVER_ANNOUNCED', Math.max(current?.issuedAt ?? 0, server.fields.createdAt)))
  else if (server.endedBy === 'LEFT') reasons.push(reason('LEFT', server.since))
  else if (!isReissued) {
    reasons.push(reason('OFFLINE', server.since, offlineAfter(Math.round(ttlSeconds))))
  }
  return reasons
}

/** One sentence for the ban's reason and one for its end, if set. */
export function banSentences({ reason, until }: Pick<Ban, 'reason' | 'until'>): string[] {
  const sentences: string[] = []
  if (reason !== null) sentences.push(m.listing_ban_reason({ reason: reason.replace(/[.!?]?$/, '.') }))
  if (until !== undefined) sentences.push(m.listing_ban_ends(momentOf(until)))
  return sentences
}

/** In seconds up to two minutes, in minutes up to two hours, then in hours. */
function offlineAfter(seconds: number): string {
  if (seconds >= 7200) return m.listing_offline_after_hours({ count: Math.floor(seconds / 3600) })
  if (seconds >= 120) return m.listing_offline_after_minutes({ count: Math.floor(seconds / 60) })
  return m.listing_offline_after_seconds({ count: seconds })
}
