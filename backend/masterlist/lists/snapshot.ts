/** The list at one moment. It is taken when a reader needs it, and then shared until it is too old. */
import { LRUCache } from 'lru-cache'
import type { Clock } from '#backend/platform/clock.ts'
import type { PublishedRow } from '#backend/masterlist/registry/listed-row.ts'
import type { ChangeLog } from '#backend/masterlist/registry/change-log.ts'
import type { Encoding } from '#backend/platform/http/negotiation.ts'
import type { RunBuild } from './deltas.ts'
import { type ListBody, buildBody } from './list-bodies.ts'
import type { RowsQuery } from './list-query.ts'

/** Up to this size, the list is at most a second old (docs/decisions/0004). */
const MAX_FRESH_SERVERS = 10_000
/** A snapshot is shared until the oldest change that it lacks has this age. The rest of the second is for building and sending. */
const MAX_AGE_MS = 800
/** The same for any size. Building takes a tenth of a core at most. */
const MAX_LARGE_AGE_MS = 30_000
/** A snapshot without new readers is released after this time. */
const TTL_MS = 60_000
const MAX_BODIES = 500
/** In all bodies, counted as uncompressed, because a reader may request identity. */
const MAX_ROWS = 200_000

interface Build {
  readonly query: RowsQuery
  /** Encoded along with the build. */
  readonly encoding: Encoding
  readonly run: RunBuild
}

export class Snapshot {
  /** Readers request the changes since this version. */
  readonly version: string
  /** In list order. */
  readonly rows: readonly PublishedRow[]
  /** What readers have requested of it. Each is built once. */
  readonly #bodies = new LRUCache<string, ListBody, Build>({
    max: MAX_BODIES,
    maxSize: MAX_ROWS,
    sizeCalculation: ({ rows }) => Math.min(Math.max(rows, 1), MAX_ROWS),
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context: { query, encoding, run } }) => run(() => buildBody(query, this, encoding)),
  })

  constructor(version: string, rows: readonly PublishedRow[]) {
    this.version = version
    this.rows = rows
  }

  /** @param run runs the build, unless another reader has started it. */
  body(query: RowsQuery, encoding: Encoding, run: RunBuild): Promise<ListBody> {
    return this.#bodies.forceFetch(query.key, { context: { query, encoding, run } })
  }
}

export class Snapshots {
  readonly #clock: Clock
  readonly #log: Pick<ChangeLog, 'rows'>
  readonly #versions: { readonly current: string }
  #current: Snapshot | undefined
  #takenAt = 0
  /** The uptime since which the current one may lack changes; undefined if it has all. */
  #staleSince: number | undefined
  /** How long the last build of the whole list took. */
  lastBuildMs = 0

  constructor(clock: Clock, log: Pick<ChangeLog, 'rows'>, versions: { readonly current: string }) {
    this.#clock = clock
    this.#log = log
    this.#versions = versions
  }

  current(): Snapshot {
    const uptime = this.#clock.uptime()
    if (this.#current !== undefined && !this.#isTooOld(this.#current, uptime)) return this.#current
    this.#current = new Snapshot(this.#versions.current, this.#log.rows())
    this.#takenAt = uptime
    this.#staleSince = undefined
    return this.#current
  }

  /** Call after a tick was committed. @param since the earliest uptime of its changes. */
  markStale(since: number): void {
    this.#staleSince ??= since
    if (this.#clock.uptime() - this.#takenAt > TTL_MS) this.#current = undefined
  }

  /** Runs and measures a build of the whole list. */
  async measure<T>(build: () => Promise<T>): Promise<T> {
    const began = this.#clock.uptime()
    const result = await build()
    this.lastBuildMs = this.#clock.uptime() - began
    return result
  }

  #isTooOld({ rows }: Snapshot, uptime: number): boolean {
    return this.#staleSince !== undefined && uptime - this.#staleSince >= maxAgeOf(rows.length)
  }
}

/** Grows with the square of the size, so that a list three times as long costs a third as much. */
function maxAgeOf(servers: number): number {
  return Math.min(MAX_AGE_MS * Math.max(1, servers / MAX_FRESH_SERVERS) ** 2, MAX_LARGE_AGE_MS)
}
