import type { PlayerSamples } from './player-samples.ts'

export interface HistoryTables {
  player_samples: PlayerSamples
  player_history: {
    server_id: string
    step_minutes: number
    from_at: Date
    steps: Buffer
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
  list_samples: {
    hour: Date
    players: number[]
    servers: number[]
  }
  list_history: {
    step_minutes: number
    from_at: Date
    players_average: number[]
    players_highest: number[]
    servers_average: number[]
    servers_highest: number[]
    sampled_minutes: number[]
  }
}
