/** Live states as nodes exchange and save them, and which of two is the newer one. */
import { hasSameCounts, isSameExceptCounts } from './announced-state.ts'
import type { AnnouncedState, LiveCredential, ServerRecord } from './server-record.ts'

/** A change of the list: only the players and the queue, anything else (or a new server), or gone. */
export type ListChange = 'players' | 'whole' | 'removed'

/** A saved live state, or another node's. */
export type LiveState = { readonly announced: AnnouncedState } & Readonly<
  Pick<ServerRecord, 'address' | 'online' | 'endedBy' | 'since' | 'lastAnnounceAt' | 'changedAt' | 'credentialId'>
>

/** Whether the live state was made by a credential issued after this one. */
export function isSupersededCredential(server: ServerRecord, credential: LiveCredential): boolean {
  return server.credentials.some((other) => other.id === server.credentialId && other.issuedAt > credential.issuedAt)
}

/** Nodes' clocks differ by a second at most (docs/many-nodes.md), so a later time comes from a clock that was wrong. */
const MAX_CLOCK_SKEW_MS = 60_000

export const isFromFuture = (time: number, now: number) => time > now + MAX_CLOCK_SKEW_MS

/** The later time, or `now` where the other one is from the future. */
export const latestPlausible = (now: number, other: number) => (isFromFuture(other, now) ? now : Math.max(now, other))

/** When the game server last announced or left. In SQL: `isOlder` in saving/masterlist.writes.ts. */
export function lastEventAt({ endedBy, since, lastAnnounceAt }: Pick<LiveState, 'endedBy' | 'since' | 'lastAnnounceAt'>): number {
  return endedBy === 'LEFT' ? Math.max(since, lastAnnounceAt) : lastAnnounceAt
}

/** Positive where `told` is newer. The last criteria are arbitrary, but the same on all nodes. */
function compare(told: LiveState, known: ServerRecord): number {
  if (known.announced === undefined) return 1
  return (
    lastEventAt(told) - lastEventAt(known) ||
    told.changedAt - known.changedAt ||
    Number(known.online) - Number(told.online) ||
    told.announced.playersCount - known.announced.playersCount ||
    told.announced.queueCount - known.announced.queueCount
  )
}

/** @param now wall milliseconds of this node. */
export function supersedes(told: LiveState, known: ServerRecord, now: number): boolean {
  const isRecovered = isFromFuture(known.changedAt, now) && !isFromFuture(told.changedAt, now)
  return isRecovered || compare(told, known) > 0
}

/** Whether it expired here, and `told` differs only by an announce at most `most` milliseconds later: nodes send those in batches. */
export function isExpiredHere(told: LiveState, known: ServerRecord, most: number): boolean {
  if (!told.online || known.online || known.endedBy !== 'EXPIRED') return false
  const { announced, credentialId } = known
  if (announced === undefined || !isSameExceptCounts(told.announced, announced) || !hasSameCounts(told.announced, announced)) return false
  const later = told.lastAnnounceAt - known.lastAnnounceAt
  return told.credentialId === credentialId && told.changedAt < known.changedAt && later > 0 && later <= most
}

/** Whether the other node must be told of the known state. A later announce alone is no reason. */
export function isRemoteOutdated(told: LiveState, known: ServerRecord): boolean {
  const isOther =
    told.changedAt !== known.changedAt ||
    told.online !== known.online ||
    (told.credentialId !== undefined && told.credentialId !== known.credentialId) ||
    told.announced.playersCount !== known.announced?.playersCount ||
    told.announced.queueCount !== known.announced.queueCount
  return isOther && compare(told, known) < 0
}
