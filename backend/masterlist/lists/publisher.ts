/**
 * Makes the whole list out of what is shown, while somebody reads it: one immutable snapshot at a time, swapped in. Readers hardly ever
 * wait for it; it never stands in the way of announces for longer than a slice.
 */
import type { Clock } from '#backend/platform/clock.ts'
import { STEPS, type ShownRow } from '#backend/masterlist/registry/listed-row.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import type { ShownLog } from '#backend/masterlist/registry/shown-log.ts'
import { type Encoding, encodingFor } from '#backend/platform/http/negotiation.ts'
import type { Changes } from './changes.ts'
import { COMPRESSED, type Compressed, keptFor } from './packing.ts'
import type { Body, Snapshot, Variants } from './snapshot.ts'
import { PROMPT_SERVERS, WholeRows, isPrompt } from './whole-rows.ts'

const LONGEST_REST_MS = 30_000
/** A small list is built in some milliseconds; four times a second they are most of what it costs, for readers who come once a second. */
const LEAST_REST_MS = 600
/**
 * Rest for each millisecond of work. Two compressions run beside each other, so a wall-clock millisecond may be two of a core. It grows
 * from one to the other, so that no server more makes the list of a sudden several times as old.
 */
const PROMPT_REST_FOR_EACH_MS = 20
const REST_FOR_EACH_MS = 100
const RESTING_SERVERS = 30_000
/** After a build that failed the next one waits. */
const RETRY_MS = 1000
/**
 * Of a list that is prompt: how old the oldest change may be that it lacks before a build begins, whatever rest is left, and before
 * readers wait for the build, so that nobody gets one that lacks a change of a second ago.
 */
const PROMPT_BEGIN_MS = 600
const PROMPT_LAG_MS = 900
/** How much later than its rest a build may be before readers wait for it: the beats begin it. */
const LATE_MS = 1000
/** So long after the last read the beats build on. */
const READ_WITHIN_MS = 10_000
/**
 * An encoding is made with a prompt list where somebody has read it since the build before, or so lately, else once it is asked for; with
 * another list, whose builds lie far apart, where that was within the time after which an old list is let go of.
 */
const ENCODED_WITHIN_MS = 2000
/** So long after the last read an old list is let go of. */
const FORGOTTEN_AFTER_MS = 60_000

/** The whole list as its readers get it. */
export interface WholeList extends Variants {
  readonly version: string
}

/** What is published, and the whole list made of it; of a prompt list where somebody has asked for that. */
interface Published extends Snapshot {
  whole: WholeList | Promise<WholeList> | undefined
}

export class Publisher {
  readonly #clock: Clock
  readonly #log: ShownLog
  readonly #changes: Changes
  readonly #failed: (error: unknown) => void
  #snapshot: Published | undefined
  /** The uptime since when there may be changes that the snapshot does not show; undefined while it shows all. */
  #staleSince: number | undefined
  /** The same of the one that is being made. */
  #nextStaleSince: number | undefined
  #building: Promise<Published> | undefined
  #readAt = -Infinity
  /** When the whole list was asked for last, also by who knew it. */
  #wholeReadAt = -Infinity
  /** When each was read last. */
  readonly #encodings: Record<Encoding, number> = { identity: -Infinity, gzip: -Infinity, br: -Infinity }
  readonly #wholeRows = new WholeRows()
  /** When the last build began that did not fail. */
  #began = 0
  #nextBuildAt = -Infinity
  /** What the last build failed with, until when it is not tried again. */
  #failure: { readonly error: unknown; readonly until: number } | undefined
  /** How long the last build took. */
  milliseconds = 0

  /** @param failed is told of each build that failed. */
  constructor(clock: Clock, log: ShownLog, changes: Changes, failed: (error: unknown) => void) {
    this.#clock = clock
    this.#log = log
    this.#changes = changes
    this.#failed = failed
  }

  /**
   * What parts of the list are made of for a reader: what lies ready, or where that is too old, what is being made for all who wait.
   * Where nothing can be made, something old is better than nothing.
   */
  read(): Snapshot | Promise<Snapshot> {
    return this.#read(this.#clock.uptime())
  }

  /** The same as the whole list. @param accepted the reader's Accept-Encoding. */
  whole(accepted: string): WholeList | Promise<WholeList> {
    const uptime = this.#clock.uptime()
    this.#wholeReadAt = uptime
    const there = this.#read(uptime, accepted)
    if (there instanceof Promise) return there.then((made) => this.#wholeOf(made, accepted))
    return this.#wholeOf(there, accepted)
  }

  /** The log has shown something. @param since the uptime from which on that may have happened: to be saved it may have waited long. */
  ticked(since: number): void {
    this.#staleSince ??= since
    this.#nextStaleSince ??= since
  }

  /** Begins a build where one is due and somebody reads; returns at once. */
  beat(): void {
    const uptime = this.#clock.uptime()
    const isRead = uptime - this.#readAt <= READ_WITHIN_MS
    // While only parts of a prompt list are read, no text takes the place of the last one.
    const textReadAt = isPrompt(this.#log.servers) ? this.#wholeReadAt : this.#readAt
    if (uptime - textReadAt > READ_WITHIN_MS) this.#wholeRows.forget()
    if (this.#staleSince === undefined || this.#building !== undefined) return
    if (uptime - this.#readAt > FORGOTTEN_AFTER_MS) this.#snapshot = undefined
    if (isRead && this.#isDue(uptime, this.#staleSince)) this.#build(uptime).catch(() => undefined)
  }

  /** Resolves when no build is under way. */
  async idle(): Promise<void> {
    await this.#building?.catch(() => undefined)
  }

  #isDue(uptime: number, staleSince: number): boolean {
    if (uptime >= this.#nextBuildAt) return true
    const hasFailed = this.#failure !== undefined
    return !hasFailed && this.#log.servers <= PROMPT_SERVERS && uptime - staleSince >= PROMPT_BEGIN_MS
  }

  #isTooOld(uptime: number): boolean {
    if (this.#staleSince === undefined) return false
    if (this.#log.servers <= PROMPT_SERVERS) return uptime - this.#staleSince > PROMPT_LAG_MS
    return uptime > this.#nextBuildAt + LATE_MS + 2 * this.milliseconds
  }

  /** @param accepted of who waits for the whole list that is built. */
  #read(uptime: number, accepted?: string): Published | Promise<Published> {
    this.#readAt = uptime
    if (this.#snapshot !== undefined && !this.#isTooOld(uptime)) return this.#snapshot
    if (this.#building !== undefined) return this.#building
    if (this.#failure !== undefined && uptime < this.#failure.until) return this.#snapshot ?? Promise.reject(this.#failure.error)
    if (accepted !== undefined) this.#encodings[encodingFor(accepted)] = uptime
    return this.#build(uptime)
  }

  #build(began: number): Promise<Published> {
    this.#building = this.#make(began)
      .catch((error: unknown) => {
        const until = this.#clock.uptime() + RETRY_MS
        this.#failure = { error, until }
        this.#nextBuildAt = until
        this.#failed(error)
        if (this.#snapshot === undefined) throw error
        return this.#snapshot
      })
      .finally(() => {
        this.#building = undefined
      })
    return this.#building
  }

  /** What is shown is taken in one go; rows are immutable, so the slices may take their time. */
  async #make(began: number): Promise<Published> {
    const published: Published = { version: this.#changes.version, rows: inListOrder(this.#log.inNameOrder()), whole: undefined }
    const { length } = published.rows
    this.#nextStaleSince = undefined
    const since = Math.min(this.#began, began - (isPrompt(length) ? ENCODED_WITHIN_MS : FORGOTTEN_AFTER_MS))
    // Another list is built as seldom as its text takes long, which its columns take, too.
    const isMade = !isPrompt(length) || this.#wholeReadAt >= since
    if (isMade) published.whole = await this.#makeWhole(published, this.#readSince(since))
    this.#began = began
    this.milliseconds = this.#clock.uptime() - began
    this.#nextBuildAt = began + Math.min(Math.max(this.milliseconds * restFor(length), LEAST_REST_MS), LONGEST_REST_MS)
    this.#snapshot = published
    this.#staleSince = this.#nextStaleSince
    this.#failure = undefined
    return published
  }

  /** Made once, for all who ask: nobody had for a while, or it failed. */
  #wholeOf(published: Published, accepted: string): WholeList | Promise<WholeList> {
    if (published.whole !== undefined) return published.whole
    const making = this.#makeWhole(published, [keptFor(encodingFor(accepted))])
    published.whole = making
    making.then(
      (made) => (published.whole = made),
      // The next one who asks tries again.
      () => (published.whole = undefined),
    )
    return making
  }

  async #makeWhole({ version, rows }: Snapshot, encodings: readonly Compressed[]): Promise<WholeList> {
    const body = await this.#wholeRows.make(rows, encodings)
    return { version, etag: body.etag, body: (encoding) => this.#bodyOf(body, encoding) }
  }

  /** What to compress it in. Identity is made of what is compressed, which takes less of this thread than writing it anew. */
  #readSince(uptime: number): readonly Compressed[] {
    const read = COMPRESSED.filter((encoding) => this.#encodings[encoding] >= uptime)
    return read.length === 0 && this.#encodings.identity >= uptime ? ['gzip'] : read
  }

  #bodyOf(body: Body, encoding: Encoding): Buffer | Promise<Buffer> {
    this.#encodings[encoding] = this.#readAt
    return body.body(encoding)
  }
}

/** How long a build of so many rows is followed by none, in its own lengths. */
function restFor(rows: number): number {
  const beyond = Math.min(Math.max(0, rows - PROMPT_SERVERS) / (RESTING_SERVERS - PROMPT_SERVERS), 1)
  return PROMPT_REST_FOR_EACH_MS + (REST_FOR_EACH_MS - PROMPT_REST_FOR_EACH_MS) * beyond
}

/**
 * Promoted first, then by players (those that are doubted count as none), then by name and public id; who is not ranked comes last. The
 * names' order is kept by the log, so this is one stable distribution over the possible player counts: linear, where a sort of
 * 30,000 servers would take tens of milliseconds.
 */
export function inListOrder(byName: readonly ServerRecord[]): ShownRow[] {
  const rows: ShownRow[] = []
  /** How many rows come before those of each step; then, how many have been put in place before its next one. */
  const before = new Uint32Array(STEPS + 1)
  for (const { shown } of byName) {
    if (shown === undefined) continue
    rows.push(shown)
    before[shown.step + 1] = (before[shown.step + 1] ?? 0) + 1
  }
  for (let step = 1; step < STEPS; step += 1) before[step] = (before[step] ?? 0) + (before[step - 1] ?? 0)
  const ordered = rows.slice()
  for (const row of rows) {
    const place = before[row.step] ?? 0
    ordered[place] = row
    before[row.step] = place + 1
  }
  return ordered
}
