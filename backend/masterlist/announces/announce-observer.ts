/** Who looks on: what the list tells of announces and servers to whoever checks them for abuse. */
import type { RefusalCode } from '#backend/masterlist/reasons.ts'
import type { LiveCredential, OwnerFields, ServerRecord } from '#backend/masterlist/registry/server-record.ts'

/** What was known of a server before a change. */
export interface Before {
  readonly fields: OwnerFields
  readonly credentials: readonly LiveCredential[]
  /** To which address its current credential was bound. */
  readonly boundAddress: string | undefined
}

/** Called in the way of announces: answers at once, waits for nothing, and never throws. */
export interface AnnounceObserver {
  /** An announce in the name of a server was refused. @param at wall milliseconds. @param credential what was used, where it works. */
  refused(server: ServerRecord, code: RefusalCode, address: string, at: number, credential: LiveCredential | undefined): void
  /** An announce that was accepted said so many players, which are more than its slots. @param isInARow whether the one before did so too. */
  aboveSlots(server: ServerRecord, players: number, at: number, isInARow: boolean): void
  /**
   * A server was read anew. @param before undefined for a new one, and for one that changed hands. @param isHere whether it was changed on
   * this node: what is found about it is found by one.
   */
  changed(server: ServerRecord, before: Before | undefined, isHere: boolean): void
  /** A server was deleted, or changed hands: what is known of it is about somebody else. */
  gone(publicId: string): void
}

export const noopObserver: AnnounceObserver = { refused: () => {}, aboveSlots: () => {}, changed: () => {}, gone: () => {} }

/** The current credential's, for there may be an old one in its grace. */
export function boundAddressOf({ credentials }: Pick<ServerRecord, 'credentials'>): string | undefined {
  return credentials.find((credential) => credential.graceUntil === undefined)?.boundAddress
}
