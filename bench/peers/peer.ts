/** The adapter of another list server. docs/benchmarks.md explains how to write one. */
import type { SeededServer } from '#bench/lib/fleet.ts'

export interface Peer {
  readonly name: string
  /**
   * Starts the server on 127.0.0.1 without rate limits, with capacity for this fleet.
   * Also registers the fleet, if announces need that (a store file, rows in its database).
   */
  start(fleet: readonly SeededServer[], port: number): Promise<StartedPeer>
  /** A whole HTTP request that announces this player count, in the peer's format, with every field that it lists. */
  announce(server: SeededServer, players: number): string
  /** A whole HTTP request for the full list, as its own clients send it; with `Accept-Encoding` if it compresses. */
  readonly list: string
}

export interface StartedPeer {
  /** The processes whose CPU counts, including a required proxy or store. */
  readonly pids: readonly number[]
  /** The port that receives the requests. */
  readonly port: number
  stop(): Promise<void>
}
