/** What the benchmark has to know of another list server to put it beside ours. One file each in this folder; docs/benchmarks.md explains it. */
import type { Seeded } from '#bench/lib/fleet.ts'

export interface Peer {
  readonly name: string
  /**
   * Starts it with room for these servers, its limits of requests lifted, listening on 127.0.0.1. What it needs to know of them before they
   * may announce (a store file, rows in its database) is put there now.
   */
  start(fleet: readonly Seeded[], port: number): Promise<StartedPeer>
  /** A whole HTTP request by which a server announces this number of players, in the peer's own form and with all that it shows of a server. */
  announce(server: Seeded, players: number): string
  /** A whole HTTP request for the full list, by the way its own clients ask; with `Accept-Encoding` where it compresses. */
  readonly list: string
}

export interface StartedPeer {
  /** The processes whose CPU counts, with those of a proxy or a store that it can't do without. */
  readonly pids: readonly number[]
  /** The process that is asked. */
  readonly port: number
  stop(): Promise<void>
}
