/** What the list reports to abuse detection about announces and servers. */
import type { RejectionCode } from '#backend/masterlist/registry/reasons.ts'
import type { Bindings, LiveCredential, OwnerFields, ServerRecord } from '#backend/masterlist/registry/server-record.ts'

export interface PreviousServer {
  readonly fields: OwnerFields
  readonly credentials: readonly LiveCredential[]
  readonly isBound: boolean
}

/** Called within announces and reloads: synchronous, and never throws. Detection implements it. */
export interface AnnounceObserver {
  /** An announce was rejected. @param at wall milliseconds. @param credential undefined if it is not valid. */
  rejected(server: ServerRecord, code: RejectionCode, address: string, at: number, credential: LiveCredential | undefined): void
  /** An accepted announce had more players than reserved slots explain. */
  aboveSlots(server: ServerRecord, players: number, at: number): void
  /** The server follows its machine: its binding moved. @param moves how often within 24 hours. */
  moved(server: ServerRecord, move: { readonly from: string; readonly to: string; readonly moves: number; readonly at: number }): void
  /** A server was reloaded. @param previous undefined for a new server and after a transfer. @param isLocal whether this node changed it. */
  changed(server: ServerRecord, previous: PreviousServer | undefined, isLocal: boolean): void
  /** A server was deleted or changed hands. */
  removed(publicId: string): void
}

export const noopObserver: AnnounceObserver = {
  rejected: () => {},
  aboveSlots: () => {},
  moved: () => {},
  changed: () => {},
  removed: () => {},
}

/** The bound addresses of the current credential. An old one may still be in its grace period. */
export function bindingsOf({ credentials }: Pick<ServerRecord, 'credentials'>): Bindings {
  return credentials.find((credential) => credential.graceUntil === undefined)?.bound ?? {}
}

export const isBound = (server: Pick<ServerRecord, 'credentials'>) => Object.keys(bindingsOf(server)).length > 0
