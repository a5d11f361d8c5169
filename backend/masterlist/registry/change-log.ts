/** The published list, and what changed in which tick. Changes queue up and are committed as one tick once they are saved. */
import { PublishedRow } from './listed-row.ts'
import type { ListChange } from './live-state.ts'
import { ListOrder } from './list-order.ts'
import type { ServerRecord } from './server-record.ts'

/** Retention of changes. */
const RETENTION_MS = 600_000
/** Four ticks a second for more than ten minutes. */
export const MAX_TICKS = 4096
/** Retained changes of servers: about ten minutes of 300 a second. */
const MAX_RETAINED = 200_000

/** A drained change, which is being saved. */
interface PendingChange {
  readonly server: ServerRecord
  /** Undefined if the server is unlisted. */
  readonly row: PublishedRow | undefined
  readonly isWhole: boolean
}

interface Tick {
  /** When it was committed. */
  readonly uptime: number
  /** Whose rows changed. */
  readonly servers: readonly ServerRecord[]
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
  /** Retained ticks, oldest first. */
  readonly #ticks = new Map<number, Tick>()
  /** Servers in all retained ticks. */
  #retained = 0
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
    const servers: ServerRecord[] = []
    for (const { server, row, isWhole } of drained) {
      const previous = server.published
      // It appeared and disappeared between two ticks.
      if (row === undefined && previous === undefined) continue
      servers.push(server)
      this.servers += (row === undefined ? 0 : 1) - (previous === undefined ? 0 : 1)
      this.players += (row?.announced.playersCount ?? 0) - (previous?.announced.playersCount ?? 0)
      if (isWhole || previous === undefined) server.rowChangedTick = tick
      server.published = row
      this.#order.replace(previous, row)
    }
    if (servers.length === 0 && !isTickDue) return false
    this.tick = tick
    this.#ticks.set(tick, { uptime, servers })
    this.#retained += servers.length
    this.#prune(uptime)
    return true
  }

  /** Changes after a tick, newest first, at most `max`. */
  changesSince(tick: number, max = Infinity): Change[] {
    const changes = new Map<string, Change>()
    for (let newer = this.tick; newer > Math.max(tick, this.firstTick); newer -= 1) {
      for (const { publicId, published: row, rowChangedTick } of this.#ticks.get(newer)?.servers.toReversed() ?? []) {
        // Newer changes come first. A removed server may also have a new record with the same public ID.
        if (changes.has(publicId)) continue
        if (changes.size === max) return [...changes.values()]
        changes.set(publicId, row === undefined ? { removed: publicId } : { row, isWhole: rowChangedTick > tick })
      }
    }
    return [...changes.values()]
  }

  /** Drops ticks that are too old or too many. */
  #prune(uptime: number): void {
    for (const [tick, { uptime: committedAt, servers }] of this.#ticks) {
      const isOld = tick < this.tick && (committedAt < uptime - RETENTION_MS || this.#ticks.size > MAX_TICKS)
      if (!isOld && this.#retained <= MAX_RETAINED) return
      this.#ticks.delete(tick)
      this.#retained -= servers.length
      this.firstTick = tick
    }
  }
}
