/** Which silent servers go offline. If many fall silent at once, our network or proxy has failed, and they stay (like Eureka's self-preservation). */
import type { ServerRecord } from './server-record.ts'

/** Expiry is deferred if more than this share of the online servers is silent, and at least this many. */
const MAX_SILENT_SHARE = 0.15
const MIN_SILENT = 20
/** Fewer addresses mean that a hosting provider failed, not our network. */
const MIN_ADDRESSES = 5
/**
 * A server counts as silent after this share of its TTL. It is overdue then, because the longest announce
 * interval is 0.6 (announces/announce-spread.ts). When the first server expires, most others that will follow already count as silent.
 */
const SILENT_SHARE = 0.9
/** In TTLs: ten minutes by default. */
const MAX_DEFERRAL_TTLS = 8

export class Expiry {
  readonly #ttl: number
  /** Uptime; undefined while nothing is deferred. */
  #deferredUntil: number | undefined
  /** Number of servers that are online only because their expiry is deferred. */
  deferred = 0

  /** @param ttl milliseconds without an announce after which a server is offline. */
  constructor(ttl: number) {
    this.#ttl = ttl
  }

  /** Returns the servers to take offline now. @param uptime milliseconds. */
  select(all: Iterable<ServerRecord>, uptime: number): readonly ServerRecord[] {
    const silentSince = uptime - this.#ttl * SILENT_SHARE
    const silent: ServerRecord[] = []
    let online = 0
    for (const server of all) {
      if (!server.online) continue
      online += 1
      if (server.lastAnnounceUptime <= silentSince) silent.push(server)
    }
    const expired = silent.filter((server) => server.lastAnnounceUptime + this.#ttl <= uptime)
    if (expired.length > 0) this.#deferredUntil ??= isLocalFailure(silent, online) ? uptime + this.#ttl * MAX_DEFERRAL_TTLS : undefined
    const isDeferring = expired.length > 0 && this.#deferredUntil !== undefined && uptime < this.#deferredUntil
    this.deferred = isDeferring ? expired.length : 0
    if (isDeferring) return []
    this.#deferredUntil = undefined
    return expired
  }
}

function isLocalFailure(silent: readonly ServerRecord[], online: number): boolean {
  if (silent.length < MIN_SILENT || silent.length <= online * MAX_SILENT_SHARE) return false
  return new Set(silent.map((server) => server.address)).size >= MIN_ADDRESSES
}
