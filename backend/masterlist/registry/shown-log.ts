/**
 * What players see, and in which order it last changed. What changes is noted as it happens and shown tick by tick, once it is saved;
 * between two ticks what is shown stands still. Each server stands in one chain, the one that changed last in front, so that a change
 * costs a few pointers, and telling what changed since a tick costs only what changed.
 */
import { ShownRow } from './listed-row.ts'
import type { Shown } from './live-state.ts'
import { NameOrder } from './name-order.ts'
import type { ServerRecord } from './server-record.ts'

/** How long changes can be told. */
const KEPT_MS = 600_000
/** Ticks whose times are known: four a second for more than ten minutes. */
const MOST_TICKS = 4096
/** Beyond so many (or as many as are listed) the oldest changes can not be told any more. */
const MOST_KEPT = 10_000

/** A change on its way to be shown. */
interface Noted {
  readonly server: ServerRecord
  /** Undefined where it is listed no more. */
  readonly row: ShownRow | undefined
  readonly isWhole: boolean
}

/** What is told of one server: its row, whole or only its players; or that it is gone. */
export type Change = { readonly row: ShownRow; readonly isWhole: boolean } | { readonly removed: string }

export class ShownLog {
  /** Noted since the last `take`; `server.noted` says how. */
  #noted: ServerRecord[] = []
  #newest: ServerRecord | undefined
  #oldest: ServerRecord | undefined
  #length = 0
  #tick = 0
  /** Changes after this tick can be told. */
  #from = 0
  /** Removed ones in the chain by public id: who is there again under the same id as another record takes the place. */
  readonly #removed = new Map<string, ServerRecord>()
  /** The uptime of each of the last ticks. */
  readonly #uptimes = new Float64Array(MOST_TICKS)
  readonly #byName = new NameOrder()
  #servers = 0
  #players = 0

  /** The number of the last tick. */
  get tick(): number {
    return this.#tick
  }

  /** The first tick since which changes can be told. */
  get from(): number {
    return this.#from
  }

  /** Listed servers and the players on them, as shown. */
  get servers(): number {
    return this.#servers
  }

  get players(): number {
    return this.#players
  }

  /** Every server that is shown, by its shown name and then public id. */
  inNameOrder(): readonly ServerRecord[] {
    return this.#byName.all()
  }

  /** Whether a tick would show something. */
  get hasNews(): boolean {
    return this.#noted.length > 0
  }

  /** A server will be shown anew, or no more. */
  note(server: ServerRecord, how: Shown): void {
    if (server.noted === '') this.#noted.push(server)
    if (how !== 'players') server.noted = 'whole'
    else if (server.noted === '') server.noted = 'players'
  }

  /** Takes what all noted servers are now, to be saved and then shown. */
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

  /** Shows what was taken, as one tick. Answers false where nothing is seen of it. */
  show(taken: readonly Noted[], uptime: number): boolean {
    const tick = this.#tick + 1
    let isSeen = false
    for (const { server, row, isWhole } of taken) {
      const before = server.shown
      // It came and went unseen.
      if (row === undefined && before === undefined) continue
      isSeen = true
      this.#servers += (row === undefined ? 0 : 1) - (before === undefined ? 0 : 1)
      this.#players += (row?.announced.playersCount ?? 0) - (before?.announced.playersCount ?? 0)
      if (isWhole || before === undefined) server.wholeTick = tick
      server.shown = row
      server.shownTick = tick
      if (row?.fields.name !== before?.fields.name) this.#byName.moved(server)
      this.#toFront(server, row === undefined)
    }
    if (!isSeen) return false
    this.#tick = tick
    this.#uptimes[tick % MOST_TICKS] = uptime
    this.#forget(uptime)
    return true
  }

  /** What changed after a tick, the newest first. @param most it stops after so many. */
  changesSince(tick: number, most = Infinity): Change[] {
    const changes: Change[] = []
    for (let server = this.#newest; server !== undefined && server.shownTick > tick && changes.length < most; server = server.older) {
      const { shown: row } = server
      changes.push(row === undefined ? { removed: server.publicId } : { row, isWhole: server.wholeTick > tick })
    }
    return changes
  }

  #toFront(server: ServerRecord, isRemoved: boolean): void {
    const { publicId } = server
    const former = this.#removed.get(publicId)
    if (former !== undefined) {
      this.#unlink(former)
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

  /** Lets go of what is too old to be told, or too much. */
  #forget(uptime: number): void {
    while (this.#from < this.#tick - 1 && this.#isOver(this.#from + 1, uptime)) this.#from += 1
    const most = Math.max(MOST_KEPT, this.#servers)
    while (this.#oldest !== undefined && (this.#oldest.shownTick <= this.#from || this.#length > most)) {
      this.#from = Math.max(this.#from, this.#oldest.shownTick)
      if (this.#oldest.shown === undefined) this.#removed.delete(this.#oldest.publicId)
      this.#unlink(this.#oldest)
    }
  }

  #isOver(tick: number, uptime: number): boolean {
    return tick <= this.#tick - MOST_TICKS || (this.#uptimes[tick % MOST_TICKS] ?? 0) < uptime - KEPT_MS
  }
}
