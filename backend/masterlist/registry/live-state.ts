/** Live states as nodes save and exchange them, and which of two is newer. */
import { type AnnouncedState, type LiveCredential, NEVER_ANNOUNCED, type ServerRecord } from './server-record.ts'

/** A change of the list: only the counts, anything else (or a new server), or a removal. */
export type ListChange = 'players' | 'whole' | 'removed'

/** A saved live state, or another node's. */
export type LiveState = { readonly announced: AnnouncedState } & Readonly<
  Pick<
    ServerRecord,
    'address' | 'otherAddress' | 'endpointSince' | 'online' | 'endedBy' | 'since' | 'lastAnnounceAt' | 'changedAt' | 'credentialId'
  >
>

/** The counts of players and of the queue change all the time. */
const COUNTS: ReadonlySet<string> = new Set<keyof AnnouncedState>(['playersCount', 'queueCount'])
const NAMES = Object.keys(NEVER_ANNOUNCED) as (keyof AnnouncedState)[]

export function isSameExceptCounts(a: AnnouncedState, b: AnnouncedState): boolean {
  return NAMES.every((name) => COUNTS.has(name) || a[name] === b[name])
}

type Sources = Readonly<Pick<LiveState, 'address' | 'otherAddress'>>

export function hasSameSources(a: Sources, b: Sources): boolean {
  return a.address === b.address && a.otherAddress === b.otherAddress
}

export function hasSameCounts(a: AnnouncedState, b: AnnouncedState): boolean {
  return a.playersCount === b.playersCount && a.queueCount === b.queueCount
}

/** Whether the live state comes from a credential that was issued after this one. */
export function isSupersededCredential(server: ServerRecord, credential: LiveCredential): boolean {
  return server.credentials.some((other) => other.id === server.credentialId && other.issuedAt > credential.issuedAt)
}

/** All nodes use the database's clock (docs/decisions/0006), so a later time comes from a wrong clock. */
const MAX_CLOCK_SKEW_MS = 60_000

export const isFromFuture = (time: number, now: number) => time > now + MAX_CLOCK_SKEW_MS

/** Returns the later time, or `now` if the other one is from the future. */
export const latestPlausible = (now: number, other: number) => (isFromFuture(other, now) ? now : Math.max(now, other))

/** When the game server last announced or left. In SQL: `lastEventAt` in persistence/masterlist.writes.ts. */
export function lastEventAt({ endedBy, since, lastAnnounceAt }: Pick<LiveState, 'endedBy' | 'since' | 'lastAnnounceAt'>): number {
  return endedBy === 'LEFT' ? Math.max(since, lastAnnounceAt) : lastAnnounceAt
}

/** Positive if `remote` is newer. The last criteria are arbitrary, but equal on all nodes. */
function compare(remote: LiveState, known: ServerRecord): number {
  if (known.announced === undefined) return 1
  return (
    lastEventAt(remote) - lastEventAt(known) ||
    remote.changedAt - known.changedAt ||
    Number(known.online) - Number(remote.online) ||
    remote.announced.playersCount - known.announced.playersCount ||
    remote.announced.queueCount - known.announced.queueCount
  )
}

/** Whether `remote` replaces `known`. @param now this node's wall milliseconds. */
export function supersedes(remote: LiveState, known: ServerRecord, now: number): boolean {
  const isRecovered = isFromFuture(known.changedAt, now) && !isFromFuture(remote.changedAt, now)
  return isRecovered || compare(remote, known) > 0
}

/** Whether it expired here, and `remote` has only a later time of the same announce. Nodes send those in batches. @param maxMs how much later. */
export function isExpiredHere(remote: LiveState, known: ServerRecord, maxMs: number): boolean {
  if (!remote.online || known.online || known.endedBy !== 'EXPIRED') return false
  const { announced, credentialId } = known
  if (announced === undefined || !isSameExceptCounts(remote.announced, announced) || !hasSameCounts(remote.announced, announced))
    return false
  const later = remote.lastAnnounceAt - known.lastAnnounceAt
  return remote.credentialId === credentialId && remote.changedAt < known.changedAt && later > 0 && later <= maxMs
}

/** Whether `remote` must be overwritten by the known state. A later announce alone doesn't count. */
export function isRemoteOutdated(remote: LiveState, known: ServerRecord): boolean {
  const isDifferent =
    remote.changedAt !== known.changedAt ||
    remote.online !== known.online ||
    (remote.credentialId !== undefined && remote.credentialId !== known.credentialId) ||
    remote.announced.playersCount !== known.announced?.playersCount ||
    remote.announced.queueCount !== known.announced.queueCount
  return isDifferent && compare(remote, known) < 0
}

export function assignLiveState(server: ServerRecord, live: LiveState): void {
  server.announced = live.announced
  server.address = live.address
  server.otherAddress = live.otherAddress
  server.endpointSince = live.endpointSince
  server.since = live.since
  server.endedBy = live.endedBy
  server.lastAnnounceAt = live.lastAnnounceAt
  server.changedAt = live.changedAt
  server.credentialId = live.credentialId
}

/** A live state that ends because its credential is no longer valid. */
export function endedByReissue(live: LiveState, at: { readonly now: number }): LiveState {
  const since = Math.max(at.now, live.lastAnnounceAt)
  return { ...live, online: false, endedBy: 'REISSUED', since, changedAt: Math.max(at.now, live.changedAt + 1) }
}
