/**
 * The published list, and what changed in which tick. Changes queue up and are committed as one tick once they are saved.
 * Servers form a linked list ordered by last change: recording a change is O(1), and a delta is as long as its changes.
 */
import { PublishedRow } from './listed-row.ts'
import type { ListChange } from './live-state.ts'
import { ListOrder } from './list-order.ts'
import type { ServerRecord } from './server-record.ts'

/** Retention of changes. */
const RETENTION_MS = 600_000
/** Four ticks a second for more than ten minutes. */
export const MAX_TICKS = 4096
/** Retained changes; more if more servers are listed. */
const MIN_RETAINED = 10_000

/** A drained change, which is being saved. */
interface PendingChange {
  readonly server: ServerRecord
  /** Undefined if the server is unlisted. */
  readonly row: PublishedRow | undefined
  readonly isWhole: boolean
}

/** A changed row (as a whole, or only its counts), or a removed server's id. */
export type Change = { readonly row: PublishedRow; readonly isWhole: boolean } | { readonly removed: string }

export class ChangeLog {
  /** The newest tick. */
  tick = 0
  /** All changes after this tick are retained. */
  firstTick = 0
  /** Published servers, and the players on them. */
  servers = 0
  players = 0
  #pending: ServerRecord[] = []
  #newest: ServerRecord | undefined
  #oldest: ServerRecord | undefined
  #length = 0
  /** Removed servers in the linked list. A new record with the same public ID replaces the old one. */
  readonly #removed = new Map<string, ServerRecord>()
  /** When the last ticks were committed; a ring. */
  readonly #uptimes = new Float64Array(MAX_TICKS)
  readonly #order = new ListOrder()

  /** The published rows in the order of the list. */
  rows(): readonly PublishedRow[] {
    return this.#order.rows()
  }

  get hasPending(): boolean {
    return this.#pending.length > 0
  }

  enqueue(server: ServerRecord, change: ListChange): void {
    if (server.pendingChange === '') this.#pending.push(server)
    if (change !== 'players') server.pendingChange = 'whole'
    else if (server.pendingChange === '') server.pendingChange = 'players'
  }

  /** Captures the current rows of the changed servers, to be saved and then committed. */
  drain(): readonly PendingChange[] {
    const drained = this.#pending.map((server): PendingChange => {
      const isWhole = server.pendingChange === 'whole'
      server.pendingChange = ''
      const { announced } = server
      return { server, isWhole, row: server.isListed && announced !== undefined ? new PublishedRow(server, announced) : undefined }
    })
    this.#pending = []
    return drained
  }

  /**
   * Publishes drained changes as one tick. Returns false, without a tick, if readers see no difference.
   * @param isTickDue whether to make a tick even so.
   */
  commit(drained: readonly PendingChange[], uptime: number, isTickDue = false): boolean {
    const tick = this.tick + 1
    let isVisible = false
    for (const { server, row, isWhole } of drained) {
      const previous = server.published
      // It appeared and disappeared between two ticks.
      if (row === undefined && previous === undefined) continue
      isVisible = true
      this.servers += (row === undefined ? 0 : 1) - (previous === undefined ? 0 : 1)
      this.players += (row?.announced.playersCount ?? 0) - (previous?.announced.playersCount ?? 0)
      if (isWhole || previous === undefined) server.rowChangedTick = tick
      server.published = row
      server.changedTick = tick
      this.#order.replace(previous, row)
      this.#moveToFront(server, row === undefined)
    }
    if (!isVisible && !isTickDue) return false
    this.tick = tick
    this.#uptimes[tick % MAX_TICKS] = uptime
    this.#prune(uptime)
    return true
  }

  /** Changes after a tick, newest first, at most `max`. */
  changesSince(tick: number, max = Infinity): Change[] {
    const changes: Change[] = []
    for (let server = this.#newest; server !== undefined && server.changedTick > tick && changes.length < max; server = server.older) {
      const { published: row } = server
      changes.push(row === undefined ? { removed: server.publicId } : { row, isWhole: server.rowChangedTick > tick })
    }
    return changes
  }

  #moveToFront(server: ServerRecord, isRemoved: boolean): void {
    const { publicId } = server
    const removed = this.#removed.get(publicId)
    if (removed !== undefined) {
      this.#unlink(removed)
      this.#removed.delete(publicId)
    }
    this.#unlink(server)
    if (isRemoved) this.#removed.set(publicId, server)
    server.older = this.#newest
    if (this.#newest !== undefined) this.#newest.newer = server
    this.#newest = server
    this.#oldest ??= server
    this.#length += 1
  }

  #unlink(server: ServerRecord): void {
    const { newer, older } = server
    if (newer === undefined && this.#newest !== server) return
    if (newer === undefined) this.#newest = older
    else newer.older = older
    if (older === undefined) this.#oldest = newer
    else older.newer = newer
    server.newer = undefined
    server.older = undefined
    this.#length -= 1
  }

  /** Drops changes that are too old or too many. */
  #prune(uptime: number): void {
    while (this.firstTick < this.tick - 1 && this.#isExpired(this.firstTick + 1, uptime)) this.firstTick += 1
    const max = Math.max(MIN_RETAINED, this.servers)
    while (this.#oldest !== undefined && (this.#oldest.changedTick <= this.firstTick || this.#length > max)) {
      this.firstTick = Math.max(this.firstTick, this.#oldest.changedTick)
      if (this.#oldest.published === undefined) this.#removed.delete(this.#oldest.publicId)
      this.#unlink(this.#oldest)
    }
  }

  #isExpired(tick: number, uptime: number): boolean {
    return tick <= this.tick - MAX_TICKS || (this.#uptimes[tick % MAX_TICKS] ?? 0) < uptime - RETENTION_MS
  }
}
