/** What the list reports to abuse detection about announces and servers. */
import type { RejectionCode } from '#backend/masterlist/registry/reasons.ts'
import type { LiveCredential, OwnerFields, ServerRecord } from '#backend/masterlist/registry/server-record.ts'

export interface PreviousServer {
  readonly fields: OwnerFields
  readonly credentials: readonly LiveCredential[]
  readonly boundAddress: string | undefined
}

/** Called within announces and reloads: synchronous, and never throws. Detection implements it. */
export interface AnnounceObserver {
  /** An announce was rejected. @param at wall milliseconds. @param credential undefined if it is not valid. */
  rejected(server: ServerRecord, code: RejectionCode, address: string, at: number, credential: LiveCredential | undefined): void
  /** An accepted announce had more players than reserved slots explain. */
  aboveSlots(server: ServerRecord, players: number, at: number): void
  /** A server was reloaded. @param previous undefined for a new server and after a transfer. @param isLocal whether this node changed it. */
  changed(server: ServerRecord, previous: PreviousServer | undefined, isLocal: boolean): void
  /** A server was deleted or changed hands. */
  removed(publicId: string): void
}

export const noopObserver: AnnounceObserver = { rejected: () => {}, aboveSlots: () => {}, changed: () => {}, removed: () => {} }

/** The bound address of the current credential. An old one may still be in its grace period. */
export function boundAddressOf({ credentials }: Pick<ServerRecord, 'credentials'>): string | undefined {
  return credentials.find((credential) => credential.graceUntil === undefined)?.boundAddress
}
