/** What is said of a server's live state by those who heard it announce, and which of two of them stands. */
import { isSameCount, isSameServer } from './announced.ts'
import type { Announced, EndedBy, LiveCredential, ServerRecord } from './server-record.ts'

/** What the list shows of a server anew: only how many play and wait, anything about it (or that it is there at all), or that it is gone. */
export type Shown = 'players' | 'whole' | 'removed'

/** What a former life, or another node, says of a server's live state. */
export interface Remembered {
  readonly announced: Announced
  readonly address: string
  readonly online: boolean
  readonly endedBy: EndedBy
  readonly since: number
  readonly lastAnnounceAt: number
  readonly changedAt: number
  readonly credentialId: string | undefined
}

/** Whether the live state was made by a credential issued after this one. */
export function isNewerLive(server: ServerRecord, credential: LiveCredential): boolean {
  return server.credentials.some((other) => other.id === server.credentialId && other.issuedAt > credential.issuedAt)
}

/**
 * How far ahead of this node's clock a time may be: nodes' clocks differ by a second at most (docs/many-nodes.md). A later one comes from a
 * clock that has since gone back.
 */
const MAX_CLOCK_SKEW_MS = 60_000

export const isFromFuture = (time: number, now: number) => time > now + MAX_CLOCK_SKEW_MS

/** The later of both, or now where the other one is from a clock that was wrong. */
export const latest = (now: number, other: number) => (isFromFuture(other, now) ? now : Math.max(now, other))

/** When its game server last said anything: by an announce, or that it goes. `isOlder` in saving/masterlist.writes.ts is the same in SQL. */
export function saidAt({ endedBy, since, lastAnnounceAt }: Pick<Remembered, 'endedBy' | 'since' | 'lastAnnounceAt'>): number {
  return endedBy === 'LEFT' ? Math.max(since, lastAnnounceAt) : lastAnnounceAt
}

/**
 * Positive where what is told stands, negative where what is known does: the one of which its game server said something last; of the same
 * announce, what became of it last. Of one moment nothing tells which was first, but all nodes decide alike.
 */
function compare(told: Remembered, known: ServerRecord): number {
  if (known.announced === undefined) return 1
  return (
    saidAt(told) - saidAt(known) ||
    told.changedAt - known.changedAt ||
    Number(known.online) - Number(told.online) ||
    told.announced.playersCount - known.announced.playersCount ||
    told.announced.queueCount - known.announced.queueCount
  )
}

/** @param now wall milliseconds of this node. */
export function isNewer(told: Remembered, known: ServerRecord, now: number): boolean {
  const isRecovered = isFromFuture(known.changedAt, now) && !isFromFuture(told.changedAt, now)
  return isRecovered || compare(told, known) > 0
}

/**
 * Whether what is told is the state that was ended here because its server fell silent, of which another node heard one announce more,
 * and no more than that: this node learns of announces without a change in batches, by the time of a batch's first.
 * @param most milliseconds that its last announce may be later than is known here.
 */
export function isEndedHere(told: Remembered, known: ServerRecord, most: number): boolean {
  if (!told.online || known.online || known.endedBy !== 'EXPIRED') return false
  const { announced, credentialId } = known
  if (announced === undefined || !isSameServer(told.announced, announced) || !isSameCount(told.announced, announced)) return false
  const later = told.lastAnnounceAt - known.lastAnnounceAt
  return told.credentialId === credentialId && told.changedAt < known.changedAt && later > 0 && later <= most
}

/** Whether what is known stands and is to be told: a later announce alone is not. */
export function isOutdated(told: Remembered, known: ServerRecord): boolean {
  const isOther =
    told.changedAt !== known.changedAt ||
    told.online !== known.online ||
    (told.credentialId !== undefined && told.credentialId !== known.credentialId) ||
    told.announced.playersCount !== known.announced?.playersCount ||
    told.announced.queueCount !== known.announced.queueCount
  return isOther && compare(told, known) < 0
}
