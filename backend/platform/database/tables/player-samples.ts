/** One row per server and hour: its players in each minute, or one of the two values below. */
export interface PlayerSamples {
  server_id: string
  hour: Date
  players: number[]
}

/** A minute in which the server was offline. */
export const OFFLINE = -1
/** A minute of which nothing is known: no program ran, or none that reached the database again. */
export const NOT_SAMPLED = -2
