/** One row per server and hour: its players in each minute, or one of the two values below. */
export interface PlayerSamples {
  server_id: string
  hour: Date
  players: number[]
}

/** A minute in which the server was offline. */
export const OFFLINE = -1
/** An unknown minute: no node ran, or it crashed before it saved the minute. */
export const NOT_SAMPLED = -2
