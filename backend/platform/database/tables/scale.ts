/** Many nodes on one database, and the history of players. */
import type { Defaulted, DefaultedTime } from './columns.ts'

export interface Nodes {
  id: string
  started_at: DefaultedTime
  seen_at: DefaultedTime
}

export interface Leases {
  name: string
  holder: string
  until: Date
}

export interface PresenceLife {
  is_only: Defaulted<boolean>
  id: string
}

export interface PlayerHistory {
  server_id: string
  step_minutes: number
  from_at: Date
  steps: Buffer
}

export interface ListSamples {
  hour: Date
  players: number[]
  servers: number[]
}

export interface ListHistory {
  step_minutes: number
  from_at: Date
  players_average: number[]
  players_highest: number[]
  servers_average: number[]
  servers_highest: number[]
  looked: number[]
}
