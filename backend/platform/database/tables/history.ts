export interface HistoryTables {
  /** A server's players in five minutes, an hour or a day in which it was online. */
  player_buckets: {
    server_id: string
    bucket_minutes: number
    at: Date
    /** Sum over the minutes in which it was online. */
    players: number
    highest: number
    /** Minutes. */
    online: number
    sampled: number
  }
  /** The whole list. Written after the buckets of all servers, so a server without one was offline. */
  list_buckets: {
    bucket_minutes: number
    at: Date
    sampled: number
    /** Sums over the sampled minutes: bigint, so text. */
    players: string
    servers: string
    players_highest: number
    servers_highest: number
  }
  /** When a server came back online, or announced another version. Written by a trigger on `presence`. */
  server_restarts: {
    server_id: string
    at: Date
    version: string
    previous_version: string
    /** Null if the version changed while the server was online. */
    offline_since: Date | null
  }
}
