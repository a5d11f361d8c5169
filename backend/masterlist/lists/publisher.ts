/** Builds the list while it is read: one immutable snapshot at a time, in slices, so that neither readers nor announces wait for long. */
import type { Clock } from '#backend/platform/clock.ts'
import type { PublishedRow } from '#backend/masterlist/registry/listed-row.ts'
import { inListOrder } from '#backend/masterlist/registry/list-order.ts'
import type { ChangeLog } from '#backend/masterlist/registry/change-log.ts'
import { type Encoding, encodingFor } from '#backend/platform/http/negotiation.ts'
import type { Deltas } from './deltas.ts'
import { ListText } from './list-text.ts'
import { COMPRESSED, type Compressed, storedEncodingFor, compressPieces } from './compression.ts'
import { EncodedBody, type Snapshot, type Variants, etagOf, compressRows } from './snapshot.ts'

/** A prompt list, of at most this many servers, is a second old at most, and its text is kept while it is read (docs/decisions/0024). */
export const MAX_SMALL_LIST = 10_000
const MAX_REST_MS = 30_000
/** Even small lists are not built four times a second: most readers come once a second. */
const MIN_REST_MS = 600
/** Rest per millisecond of a build. It grows linearly up to `RESTING_SERVERS`, so that no single server makes the list much older. */
const PROMPT_REST_FACTOR = 20
const REST_FACTOR = 100
const RESTING_SERVERS = 30_000
/** Between a failed build and the next. */
const RETRY_MS = 1000
/** How old the oldest missing change of a prompt list may be before a build begins, and before readers wait for it. */
const PROMPT_BEGIN_MS = 600
const PROMPT_LAG_MS = 900
/** How late a build of a larger list may be before readers wait for it. */
const LATE_MS = 1000
/** How long after the last read builds go on. */
const READ_WITHIN_MS = 10_000
/** A prompt list is made in the encodings that were read since the previous build, or this lately. Others are made when asked for. */
const ENCODED_WITHIN_MS = 2000
/** How long after the last read a stale list is kept; for a larger list also in place of `ENCODED_WITHIN_MS`. */
const FORGOTTEN_AFTER_MS = 60_000

type WholeList = Variants & Pick<Snapshot, 'version'>

/** A snapshot, and the whole list made of it where a reader has asked for that. */
interface Published extends Snapshot {
  whole: WholeList | Promise<WholeList> | undefined
}

export class Publisher {
  readonly #clock: Clock
  readonly #log: ChangeLog
  readonly #changes: Deltas
  readonly #failed: (error: unknown) => void
  #snapshot: Published | undefined
  /** The uptime since when the snapshot may lack changes; undefined while it shows all. */
  #staleSince: number | undefined
  /** The same of the snapshot that is being made. */
  #nextStaleSince: number | undefined
  #building: Promise<Published> | undefined
  #readAt = -Infinity
  /** 304s included. */
  #wholeReadAt = -Infinity
  readonly #encodingReadAt: Record<Encoding, number> = { identity: -Infinity, gzip: -Infinity, br: -Infinity }
  /** Of a prompt list that is read as a whole. */
  #text: ListText | undefined
  #lastWhole: Promise<unknown> = Promise.resolve()
  /** When the last successful build began. */
  #began = 0
  #nextBuildAt = -Infinity
  /** Of the last build, if it failed. */
  #failure: { readonly error: unknown } | undefined
  /** How long the last build took. */
  lastBuildMs = 0

  /** @param failed is called with the error of each failed build. */
  constructor(clock: Clock, log: ChangeLog, changes: Deltas, failed: (error: unknown) => void) {
    this.#clock = clock
    this.#log = log
    this.#changes = changes
    this.#failed = failed
  }

  /** The snapshot that parts are made of: the ready one, or where that is too old, the next. After a failure an old one is served. */
  read(): Snapshot | Promise<Snapshot> {
    return this.#read(this.#clock.uptime())
  }

  /** The same as the whole list. @param accepted the reader's Accept-Encoding. */
  whole(accepted: string): WholeList | Promise<WholeList> {
    const uptime = this.#clock.uptime()
    this.#wholeReadAt = uptime
    const published = this.#read(uptime, accepted)
    if (published instanceof Promise) return published.then((made) => this.#wholeOf(made, accepted))
    return this.#wholeOf(published, accepted)
  }

  /** The log has published a tick. @param since the uptime when its first change may have happened. */
  markStale(since: number): void {
    this.#staleSince ??= since
    this.#nextStaleSince ??= since
  }

  /** Begins a build where one is due and the list is read; returns at once. */
  onCycle(): void {
    const uptime = this.#clock.uptime()
    if (uptime - this.#wholeReadAt > READ_WITHIN_MS) this.#text = undefined
    if (this.#staleSince === undefined || this.#building !== undefined) return
    if (uptime - this.#readAt > FORGOTTEN_AFTER_MS) this.#snapshot = undefined
    const isRead = uptime - this.#readAt <= READ_WITHIN_MS
    if (isRead && this.#isDue(uptime, this.#staleSince)) this.#build(uptime).catch(() => undefined)
  }

  async idle(): Promise<void> {
    await this.#building?.catch(() => undefined)
  }

  #isDue(uptime: number, staleSince: number): boolean {
    if (uptime >= this.#nextBuildAt) return true
    return this.#failure === undefined && isPrompt(this.#log.servers) && uptime - staleSince >= PROMPT_BEGIN_MS
  }

  #isTooOld(uptime: number): boolean {
    if (this.#staleSince === undefined) return false
    if (isPrompt(this.#log.servers)) return uptime - this.#staleSince > PROMPT_LAG_MS
    return uptime > this.#nextBuildAt + LATE_MS + 2 * this.lastBuildMs
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

  #build(began: number): Promise<Published> {
    this.#building = this.#make(began)
      .catch((error: unknown) => {
        this.#failure = { error }
        this.#nextBuildAt = this.#clock.uptime() + RETRY_MS
        this.#failed(error)
        if (this.#snapshot === undefined) throw error
        return this.#snapshot
      })
      .finally(() => {
        this.#building = undefined
      })
    return this.#building
  }

  /** Takes all rows at one moment. They are immutable, so slices may take their time. */
  async #make(began: number): Promise<Published> {
    const published: Published = { version: this.#changes.version, rows: inListOrder(this.#log.inNameOrder()), whole: undefined }
    const { length } = published.rows
    this.#nextStaleSince = undefined
    const since = Math.min(this.#began, began - (isPrompt(length) ? ENCODED_WITHIN_MS : FORGOTTEN_AFTER_MS))
    // A larger list rests by the time its text takes, so the text is always made.
    if (!isPrompt(length) || this.#wholeReadAt >= since) published.whole = await this.#makeWhole(published, this.#readSince(since))
    this.#began = began
    this.lastBuildMs = this.#clock.uptime() - began
    this.#nextBuildAt = began + Math.min(Math.max(this.lastBuildMs * restFor(length), MIN_REST_MS), MAX_REST_MS)
    this.#snapshot = published
    this.#staleSince = this.#nextStaleSince
    this.#failure = undefined
    return published
  }

  /** Makes it once for all who ask, where it was not read for a while or failed. */
  #wholeOf(published: Published, accepted: string): WholeList | Promise<WholeList> {
    if (published.whole !== undefined) return published.whole
    const making = this.#makeWhole(published, [storedEncodingFor(encodingFor(accepted))])
    published.whole = making
    making.then(
      (made) => (published.whole = made),
      // The next reader tries again.
      () => (published.whole = undefined),
    )
    return making
  }

  /** One at a time, because they share the text's buffers. @param encodings to make at once. */
  #makeWhole({ version, rows }: Snapshot, encodings: readonly Compressed[]): Promise<WholeList> {
    const made = this.#lastWhole.then(async (): Promise<WholeList> => {
      const body = await this.#bodyOfAll(rows, encodings)
      return { version, etag: body.etag, body: (encoding) => this.#bodyIn(encoding, body) }
    })
    this.#lastWhole = made.catch(() => undefined)
    return made
  }

  async #bodyOfAll(rows: readonly PublishedRow[], encodings: readonly Compressed[]): Promise<EncodedBody> {
    if (!isPrompt(rows.length)) {
      this.#text = undefined
      return compressRows(rows, encodings)
    }
    this.#text ??= new ListText()
    const { bytes, hashes } = await this.#text.write(rows)
    const { made, length } = await compressPieces([bytes], bytes.length, encodings)
    return new EncodedBody(etagOf(hashes), made, length)
  }

  /** Which encodings to make. Identity is made of a compressed one, which takes less of this thread than writing it again. */
  #readSince(uptime: number): readonly Compressed[] {
    const read = COMPRESSED.filter((encoding) => this.#encodingReadAt[encoding] >= uptime)
    return read.length === 0 ? ['gzip'] : read
  }

  #bodyIn(encoding: Encoding, body: EncodedBody): Buffer | Promise<Buffer> {
    this.#encodingReadAt[encoding] = this.#readAt
    return body.body(encoding)
  }
}

const isPrompt = (servers: number): boolean => servers <= MAX_SMALL_LIST

/** The rest after a build of this many rows, in its own lengths. */
function restFor(rows: number): number {
  const beyond = Math.min(Math.max(0, rows - MAX_SMALL_LIST) / (RESTING_SERVERS - MAX_SMALL_LIST), 1)
  return PROMPT_REST_FACTOR + (REST_FACTOR - PROMPT_REST_FACTOR) * beyond
}
