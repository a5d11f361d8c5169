/** A scenario: how the fake list answers, and what the announcer must do. */
import type { Family, Probe as ProbeKind } from '../types.ts'
import type { Ability } from './abilities.ts'
import type { Answer } from './answers.ts'
import type { Probe } from './probes.ts'

export interface Scenario {
  readonly name: string
  readonly about: string
  /** It is skipped for an announcer that lacks one of these. */
  readonly needs?: readonly Ability[]
  /** The answers to the announces, in order. The last one repeats. */
  readonly answers: readonly Answer[]
  /** The answers over IPv6. Default: the same. */
  readonly answersOver6?: readonly Answer[]
  /** How many announces to wait for, over each family. The wait after each answer follows from the answer. */
  readonly announces: number
  /** How many to wait for over IPv6. Default: as many. */
  readonly announcesOver6?: number
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
  /** MUSTER_HOST. Empty if the announce must have none. */
  readonly host?: string
  /** MUSTER_PROBE. */
  readonly probe?: ProbeKind
  /** MUSTER_FAMILIES. MUSTER_URL then has a name with both families. */
  readonly families?: readonly Family[]
  /** The families of `families` that the list listens on. Default: both. */
  readonly listFamilies?: readonly Family[]
  /** The probes that the list sends after the announces. */
  readonly probes?: readonly Probe[]
  /** Whether another process announces, so that the goodbye must name its port. */
  readonly isReplaced?: boolean
  /** Appended to MUSTER_URL. */
  readonly urlSuffix?: string
  /** About how long it takes, to start the longest ones first. */
  readonly seconds: number
}
