/** Builds the list while it has readers: one immutable snapshot at a time, in slices, so that readers and announces never wait long. */
import type { Clock } from '#backend/platform/clock.ts'
import type { PublishedRow } from '#backend/masterlist/registry/listed-row.ts'
import { inListOrder } from '#backend/masterlist/registry/list-order.ts'
import type { ChangeLog } from '#backend/masterlist/registry/change-log.ts'
import { type Encoding, encodingFor } from '#backend/platform/http/negotiation.ts'
import type { Deltas } from './deltas.ts'
import { ListText } from './list-text.ts'
import { COMPRESSED, type Compressed, storedEncodingFor, compressPieces } from './compression.ts'
import { EncodedBody, type Snapshot, type Variants, etagOf, compressRows } from './snapshot.ts'
import type { OutageLog } from '#backend/platform/outage-log.ts'

/** Maximum servers of a small list. It is at most a second old, and its text is kept while it is read (docs/decisions/0004). */
export const MAX_SMALL_LIST = 10_000
const MAX_PAUSE_MS = 30_000
/** Even small lists are not built four times a second, because most readers poll once a second. */
const MIN_PAUSE_MS = 600
/** Pause per millisecond of a build. Grows linearly up to `MAX_PAUSE_SERVERS`, so that no single server makes the list much older. */
const MIN_PAUSE_FACTOR = 20
const MAX_PAUSE_FACTOR = 100
const MAX_PAUSE_SERVERS = 30_000
/** Pause after a failed build. */
const RETRY_MS = 1000
/** Maximum age of a small list's oldest missing change: before a build starts, and before readers wait for it. */
const SMALL_LIST_BUILD_AFTER_MS = 600
const SMALL_LIST_MAX_AGE_MS = 900
/** How overdue the build of a larger list may be before readers wait for it. */
const MAX_OVERDUE_MS = 1000
/** Builds continue for this long after the last read. */
const BUILD_AFTER_READ_MS = 10_000
/** A small list is built in the encodings that were read since the previous build, or this recently. Others are encoded on request. */
const ENCODING_TTL_MS = 2000
/** How long a stale list is kept after the last read. For a larger list this also replaces `ENCODING_TTL_MS`. */
const STALE_LIST_TTL_MS = 60_000

type WholeList = Variants & Pick<Snapshot, 'version'>

/** A snapshot, and the whole list built from it if a reader requested it. */
interface Published extends Snapshot {
  whole: WholeList | Promise<WholeList> | undefined
}

export class Publisher {
  readonly #clock: Clock
  readonly #log: ChangeLog
  readonly #changes: Deltas
  readonly #outage: Pick<OutageLog, 'failed' | 'succeeded'>
  #snapshot: Published | undefined
  /** The uptime since which the snapshot may lack changes; undefined if it has all. */
  #staleSince: number | undefined
  /** The same for the snapshot that is being built. */
  #nextStaleSince: number | undefined
  #building: Promise<Published> | undefined
  #readAt = -Infinity
  /** Includes 304s. */
  #wholeReadAt = -Infinity
  readonly #encodingReadAt: Record<Encoding, number> = { identity: -Infinity, gzip: -Infinity, br: -Infinity }
  /** Of a small list that is read as a whole. */
  #text: ListText | undefined
  #lastWhole: Promise<unknown> = Promise.resolve()
  /** When the last successful build started. */
  #buildStartedAt = 0
  #nextBuildAt = -Infinity
  /** The last build's error, if it failed. */
  #failure: { readonly error: unknown } | undefined
  /** How long the last build took. */
  lastBuildMs = 0

  constructor(clock: Clock, log: ChangeLog, changes: Deltas, outage: Pick<OutageLog, 'failed' | 'succeeded'>) {
    this.#clock = clock
    this.#log = log
    this.#changes = changes
    this.#outage = outage
  }

  /** Returns the snapshot from which parts are built: the current one, or the next if it is too old. After a failure the old one is served. */
  read(): Snapshot | Promise<Snapshot> {
    return this.#read(this.#clock.uptime())
  }

  /** Returns the whole list of that snapshot. @param accepted the reader's Accept-Encoding. */
  whole(accepted: string): WholeList | Promise<WholeList> {
    const uptime = this.#clock.uptime()
    this.#wholeReadAt = uptime
    const published = this.#read(uptime, accepted)
    if (published instanceof Promise) return published.then((snapshot) => this.#wholeOf(snapshot, accepted))
    return this.#wholeOf(published, accepted)
  }

  /** Call after a tick was committed. @param since the earliest uptime of its changes. */
  markStale(since: number): void {
    this.#staleSince ??= since
    this.#nextStaleSince ??= since
  }

  /** Starts a build if one is due and the list has readers. Returns at once. */
  onCycle(): void {
    const uptime = this.#clock.uptime()
    if (uptime - this.#wholeReadAt > BUILD_AFTER_READ_MS) this.#text = undefined
    if (this.#staleSince === undefined || this.#building !== undefined) return
    if (uptime - this.#readAt > STALE_LIST_TTL_MS) this.#snapshot = undefined
    const isRead = uptime - this.#readAt <= BUILD_AFTER_READ_MS
    if (isRead && this.#isDue(uptime, this.#staleSince)) this.#build(uptime).catch(() => undefined)
  }

  async idle(): Promise<void> {
    await this.#building?.catch(() => undefined)
  }

  #isDue(uptime: number, staleSince: number): boolean {
    if (uptime >= this.#nextBuildAt) return true
    return this.#failure === undefined && isSmall(this.#log.servers) && uptime - staleSince >= SMALL_LIST_BUILD_AFTER_MS
  }

  #isTooOld(uptime: number): boolean {
    if (this.#staleSince === undefined) return false
    if (isSmall(this.#log.servers)) return uptime - this.#staleSince > SMALL_LIST_MAX_AGE_MS
    return uptime > this.#nextBuildAt + MAX_OVERDUE_MS + 2 * this.lastBuildMs
  }

  /** @param accepted the Accept-Encoding of a reader of the whole list. */
  #read(uptime: number, accepted?: string): Published | Promise<Published> {
    this.#readAt = uptime
    if (this.#snapshot !== undefined && !this.#isTooOld(uptime)) return this.#snapshot
    if (this.#building !== undefined) return this.#building
    if (this.#failure !== undefined && uptime < this.#nextBuildAt) return this.#snapshot ?? Promise.reject(this.#failure.error)
    if (accepted !== undefined) this.#encodingReadAt[encodingFor(accepted)] = uptime
    return this.#build(uptime)
  }

  #build(startedAt: number): Promise<Published> {
    this.#building = this.#buildSnapshot(startedAt)
      .catch((error: unknown) => {
        this.#failure = { error }
        this.#nextBuildAt = this.#clock.uptime() + RETRY_MS
        this.#outage.failed({ err: error })
        if (this.#snapshot === undefined) throw error
        return this.#snapshot
      })
      .finally(() => {
        this.#building = undefined
      })
    return this.#building
  }

  /** Captures all rows at one moment. They are immutable, so they can be serialized in slices. */
  async #buildSnapshot(startedAt: number): Promise<Published> {
    const published: Published = { version: this.#changes.version, rows: inListOrder(this.#log.inNameOrder()), whole: undefined }
    const { length } = published.rows
    this.#nextStaleSince = undefined
    const since = Math.min(this.#buildStartedAt, startedAt - (isSmall(length) ? ENCODING_TTL_MS : STALE_LIST_TTL_MS))
    // The pause of a larger list depends on the time for its text, so the text is always built.
    if (!isSmall(length) || this.#wholeReadAt >= since) published.whole = await this.#buildWhole(published, this.#encodingsReadSince(since))
    this.#buildStartedAt = startedAt
    this.lastBuildMs = this.#clock.uptime() - startedAt
    this.#nextBuildAt = startedAt + Math.min(Math.max(this.lastBuildMs * pauseFactorFor(length), MIN_PAUSE_MS), MAX_PAUSE_MS)
    this.#snapshot = published
    this.#staleSince = this.#nextStaleSince
    this.#failure = undefined
    this.#outage.succeeded()
    return published
  }

  /** Builds the whole list, once for all readers, if the snapshot has none. */
  #wholeOf(published: Published, accepted: string): WholeList | Promise<WholeList> {
    if (published.whole !== undefined) return published.whole
    const pending = this.#buildWhole(published, [storedEncodingFor(encodingFor(accepted))])
    published.whole = pending
    pending.then(
      (whole) => (published.whole = whole),
      // The next reader tries again.
      () => (published.whole = undefined),
    )
    return pending
  }

  /** One at a time, because builds share the text's buffers. @param encodings built along with the list. */
  #buildWhole({ version, rows }: Snapshot, encodings: readonly Compressed[]): Promise<WholeList> {
    const pending = this.#lastWhole.then(async (): Promise<WholeList> => {
      const body = await this.#serializeAll(rows, encodings)
      return { version, etag: body.etag, body: (encoding) => this.#bodyIn(encoding, body) }
    })
    this.#lastWhole = pending.catch(() => undefined)
    return pending
  }

  async #serializeAll(rows: readonly PublishedRow[], encodings: readonly Compressed[]): Promise<EncodedBody> {
    if (!isSmall(rows.length)) {
      this.#text = undefined
      return compressRows(rows, encodings)
    }
    this.#text ??= new ListText()
    const { bytes, hashes } = await this.#text.write(rows)
    const { bodies, length } = await compressPieces([bytes], bytes.length, encodings)
    return new EncodedBody(etagOf(hashes), bodies, length)
  }

  /** Returns the encodings to build. Identity is decompressed, which takes this thread less time than serializing again. */
  #encodingsReadSince(uptime: number): readonly Compressed[] {
    const read = COMPRESSED.filter((encoding) => this.#encodingReadAt[encoding] >= uptime)
    return read.length === 0 ? ['gzip'] : read
  }

  #bodyIn(encoding: Encoding, body: EncodedBody): Buffer | Promise<Buffer> {
    this.#encodingReadAt[encoding] = this.#readAt
    return body.body(encoding)
  }
}

const isSmall = (servers: number): boolean => servers <= MAX_SMALL_LIST

/** The pause after a build of this many rows, as a multiple of the build's duration. */
function pauseFactorFor(rows: number): number {
  const beyond = Math.min(Math.max(0, rows - MAX_SMALL_LIST) / (MAX_PAUSE_SERVERS - MAX_SMALL_LIST), 1)
  return MIN_PAUSE_FACTOR + (MAX_PAUSE_FACTOR - MIN_PAUSE_FACTOR) * beyond
}
