/** A scenario: how the fake list answers, and what the announcer must do. */
import type { Answer } from './answers.ts'

export interface Scenario {
  readonly name: string
  readonly about: string
  /** The answers to the announces, in order. The last one repeats. */
  readonly answers: readonly Answer[]
  /** How many announces to wait for. The wait after each answer follows from the answer. */
  readonly announces: number
  /** Seconds to watch after the last of these announces, during which no other may come too early. */
  readonly watchSeconds?: number
  /** The answer to the goodbye. Default 204. */
  readonly goodbye?: Answer
  /** Default SIGTERM. */
  readonly signal?: 'SIGTERM' | 'SIGINT'
  /** Sends the signal while the last announce waits for its reply. */
  readonly signalsInFlight?: boolean
  /** Whether the list is down when the signal comes. */
  readonly isDownAtEnd?: boolean
  /** Milliseconds that the list is down after the start. */
  readonly downAtStartMs?: number
  /** Appended to MUSTER_URL. */
  readonly urlSuffix?: string
  /** About how long it takes, to start the longest ones first. */
  readonly seconds: number
}
