/**
 * What players see, and what changed since which tick. Changes are noted as they happen, and shown as one tick once they are saved. The
 * servers form a linked list by last change, so a change costs a few pointers, and a delta only what changed.
 */
import { PublishedRow } from './listed-row.ts'
import type { ListChange } from './live-state.ts'
import { NameOrder } from './list-order.ts'
import type { ServerRecord } from './server-record.ts'

/** How long changes are kept. */
const KEPT_MS = 600_000
/** Four a second for more than ten minutes. */
const MAX_TICKS = 4096
/** Changes that are kept, or as many as are listed. */
const MAX_KEPT = 10_000

/** A change that is being saved. */
interface PendingChange {
  readonly server: ServerRecord
  /** Undefined where it is unlisted. */
  readonly row: PublishedRow | undefined
  readonly isWhole: boolean
}

/** A server's row, whole or only its players; or that it is gone. */
export type Change = { readonly row: PublishedRow; readonly isWhole: boolean } | { readonly removed: string }

export class ChangeLog {
  /** The last tick. */
  tick = 0
  /** The first tick since which all changes are known. */
  firstTick = 0
  /** Shown servers, and the players on them. */
  servers = 0
  players = 0
  #noted: ServerRecord[] = []
  #newest: ServerRecord | undefined
  #oldest: ServerRecord | undefined
  #length = 0
  /** Removed servers in the linked list: another record with the same public id replaces one. */
  readonly #removed = new Map<string, ServerRecord>()
  /** Of the last ticks. */
  readonly #uptimes = new Float64Array(MAX_TICKS)
  readonly #byName = new NameOrder()

  /** All shown servers by shown name and then public id. */
  inNameOrder(): readonly ServerRecord[] {
    return this.#byName.all()
  }

  /** Whether a tick would show something. */
  get hasPending(): boolean {
    return this.#noted.length > 0
  }

  enqueue(server: ServerRecord, how: ListChange): void {
    if (server.pendingChange === '') this.#noted.push(server)
    if (how !== 'players') server.pendingChange = 'whole'
    else if (server.pendingChange === '') server.pendingChange = 'players'
  }

  /** Takes the current state of the noted servers, to be saved and then shown. */
  drain(): readonly PendingChange[] {
    const taken = this.#noted.map((server): PendingChange => {
      const isWhole = server.pendingChange === 'whole'
      server.pendingChange = ''
      const { announced } = server
      return { server, isWhole, row: server.isListed && announced !== undefined ? new PublishedRow(server, announced) : undefined }
    })
    this.#noted = []
    return taken
  }

  /** Shows what was taken as one tick. Returns false where nothing of it is seen. */
  commit(taken: readonly PendingChange[], uptime: number): boolean {
    const tick = this.tick + 1
    let isSeen = false
    for (const { server, row, isWhole } of taken) {
      const previous = server.published
      // It came and went unseen.
      if (row === undefined && previous === undefined) continue
      isSeen = true
      this.servers += (row === undefined ? 0 : 1) - (previous === undefined ? 0 : 1)
      this.players += (row?.announced.playersCount ?? 0) - (previous?.announced.playersCount ?? 0)
      if (isWhole || previous === undefined) server.rowChangedTick = tick
      server.published = row
      server.changedTick = tick
      if (row?.fields.name !== previous?.fields.name) this.#byName.markMoved(server)
      this.#toFront(server, row === undefined)
    }
    if (!isSeen) return false
    this.tick = tick
    this.#uptimes[tick % MAX_TICKS] = uptime
    this.#forget(uptime)
    return true
  }

  /** What changed after a tick, the newest first, up to `max` of them. */
  changesSince(tick: number, max = Infinity): Change[] {
    const changes: Change[] = []
    for (let server = this.#newest; server !== undefined && server.changedTick > tick && changes.length < max; server = server.older) {
      const { published: row } = server
      changes.push(row === undefined ? { removed: server.publicId } : { row, isWhole: server.rowChangedTick > tick })
    }
    return changes
  }

  #toFront(server: ServerRecord, isRemoved: boolean): void {
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

  /** Forgets changes that are too old or too many. */
  #forget(uptime: number): void {
    while (this.firstTick < this.tick - 1 && this.#isOver(this.firstTick + 1, uptime)) this.firstTick += 1
    const max = Math.max(MAX_KEPT, this.servers)
    while (this.#oldest !== undefined && (this.#oldest.changedTick <= this.firstTick || this.#length > max)) {
      this.firstTick = Math.max(this.firstTick, this.#oldest.changedTick)
      if (this.#oldest.published === undefined) this.#removed.delete(this.#oldest.publicId)
      this.#unlink(this.#oldest)
    }
  }

  #isOver(tick: number, uptime: number): boolean {
    return tick <= this.tick - MAX_TICKS || (this.#uptimes[tick % MAX_TICKS] ?? 0) < uptime - KEPT_MS
  }
}
