/** What is said of a server's live state by those who heard it announce, and which of two of them stands. */
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

/** When its game server last said anything: by an announce, or that it goes. `isOlder` in masterlist.writes.ts is the same in SQL. */
export function saidAt({ endedBy, since, lastAnnounceAt }: Pick<Remembered, 'endedBy' | 'since' | 'lastAnnounceAt'>): number {
  return endedBy === 'LEFT' ? Math.max(since, lastAnnounceAt) : lastAnnounceAt
}

/** Of two states the one of which its game server said something last; of the same announce, what became of it last. */
export function isNewer(told: Remembered, known: ServerRecord): boolean {
  if (known.announced === undefined) return true
  const difference = saidAt(told) - saidAt(known)
  return difference === 0 ? told.changedAt > known.changedAt : difference > 0
}

/** Whether the others would see a difference, not only a later announce. */
export function isOtherState(told: Remembered, known: ServerRecord): boolean {
  return (
    told.changedAt !== known.changedAt ||
    told.online !== known.online ||
    (told.credentialId !== undefined && told.credentialId !== known.credentialId)
  )
}
