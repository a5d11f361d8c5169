/**
 * What players see, and what changed since which tick. Changes are noted as they happen, and shown as one tick once they are saved. The
 * servers form a linked list by last change, so a change costs a few pointers, and a delta only what changed.
 */
import { ShownRow } from './listed-row.ts'
import type { Shown } from './live-state.ts'
import { NameOrder } from './list-order.ts'
import type { ServerRecord } from './server-record.ts'

/** How long changes are kept. */
const KEPT_MS = 600_000
/** Four a second for more than ten minutes. */
const MAX_TICKS = 4096
/** Changes that are kept, or as many as are listed. */
const MAX_KEPT = 10_000

/** A change that is being saved. */
interface Noted {
  readonly server: ServerRecord
  /** Undefined where it is unlisted. */
  readonly row: ShownRow | undefined
  readonly isWhole: boolean
}

/** A server's row, whole or only its players; or that it is gone. */
export type Change = { readonly row: ShownRow; readonly isWhole: boolean } | { readonly removed: string }

export class ChangeLog {
  /** The last tick. */
  tick = 0
  /** The first tick since which all changes are known. */
  from = 0
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
  get hasNews(): boolean {
    return this.#noted.length > 0
  }

  note(server: ServerRecord, how: Shown): void {
    if (server.noted === '') this.#noted.push(server)
    if (how !== 'players') server.noted = 'whole'
    else if (server.noted === '') server.noted = 'players'
  }

  /** Takes the current state of the noted servers, to be saved and then shown. */
  take(): readonly Noted[] {
    const taken = this.#noted.map((server): Noted => {
      const isWhole = server.noted === 'whole'
      server.noted = ''
      const { announced } = server
      return { server, isWhole, row: server.isListed && announced !== undefined ? new ShownRow(server, announced) : undefined }
    })
    this.#noted = []
    return taken
  }

  /** Shows what was taken as one tick. Returns false where nothing of it is seen. */
  show(taken: readonly Noted[], uptime: number): boolean {
    const tick = this.tick + 1
    let isSeen = false
    for (const { server, row, isWhole } of taken) {
      const previous = server.shown
      // It came and went unseen.
      if (row === undefined && previous === undefined) continue
      isSeen = true
      this.servers += (row === undefined ? 0 : 1) - (previous === undefined ? 0 : 1)
      this.players += (row?.announced.playersCount ?? 0) - (previous?.announced.playersCount ?? 0)
      if (isWhole || previous === undefined) server.wholeTick = tick
      server.shown = row
      server.shownTick = tick
      if (row?.fields.name !== previous?.fields.name) this.#byName.moved(server)
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
    for (let server = this.#newest; server !== undefined && server.shownTick > tick && changes.length < max; server = server.older) {
      const { shown: row } = server
      changes.push(row === undefined ? { removed: server.publicId } : { row, isWhole: server.wholeTick > tick })
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
    while (this.from < this.tick - 1 && this.#isOver(this.from + 1, uptime)) this.from += 1
    const max = Math.max(MAX_KEPT, this.servers)
    while (this.#oldest !== undefined && (this.#oldest.shownTick <= this.from || this.#length > max)) {
      this.from = Math.max(this.from, this.#oldest.shownTick)
      if (this.#oldest.shown === undefined) this.#removed.delete(this.#oldest.publicId)
      this.#unlink(this.#oldest)
    }
  }

  #isOver(tick: number, uptime: number): boolean {
    return tick <= this.tick - MAX_TICKS || (this.#uptimes[tick % MAX_TICKS] ?? 0) < uptime - KEPT_MS
  }
}
