/** A credential that announces far more often than it was told to. */
import type { Detector, AnnounceRate, RejectedAnnounce, RunningDetector } from '#backend/features/protection/detector.ts'
import { type Finding, evidence } from '#backend/features/protection/finding.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** The list stores an attempt of a flood every five seconds and keeps 50 a server: these fill it in four minutes. */
const DRY_RUN_FLOOD_MINUTES = 3

export const announceFlood: Detector = {
  kind: 'ANNOUNCE_FLOOD',
  title: 'Announces far too often',
  explanation:
    'This server announces far more often than the list asks it to. Announces beyond the limit are refused with 429. They change nothing for its players, and they take from the list what all other servers need.',
  remedy:
    'Announce each nextAnnounceSeconds, as the reply to every announce says, and after a 429 wait as long as its Retry-After header says. Often two copies of the server, or of a plugin that announces, run at once: stop one of them.',
  escalationPolicy: [
    { consequence: 'NOTICE', afterMs: 0, afterOccurrences: 1 },
    { consequence: 'UNRANKED', afterMs: 6 * HOUR_MS, afterOccurrences: 2, seenWithinMs: HOUR_MS },
  ],
  autoResolveAfterMs: HOUR_MS,
  resolvesWhen: 'It resolves by itself once the server has announced at a normal rate for an hour.',
  rejectionCode: 'TOO_OFTEN',
  dryRun: {
    source: 'attempts',
    limitations: `Only the newest 50 attempts of each server are stored, so a flood of ${DRY_RUN_FLOOD_MINUTES} minutes is found here; the running list waits for ten.`,
  },
  create: ({ ttlMs, isDryRun }) => new AnnounceFlood({ ttlMs, minutes: isDryRun ? DRY_RUN_FLOOD_MINUTES : FLOOD_MINUTES }),
}

/** Above any burst at a restart. */
const REJECTED_BURST = 40
/** At the pace the list asks for there is none; a crash loop or a restart has a few. */
const REJECTED_PER_MINUTE = 5
/** So many minutes in a row, of which one may be quiet now and then. */
const FLOOD_MINUTES = 10
const REPORT_EVERY_MS = 60_000
/** The list asks for an announce each 0.4 of its time to live. Ten times as many, minute for minute, are not rejected but still too many. */
const INTERVAL_SHARE_OF_TTL = 0.4
const EXCESS_FACTOR = 10
const DEFAULT_TTL_MS = 75_000
const MAX_SERVERS = 20_000

interface FloodState {
  readonly since: number
  /** Minutes since 1970. */
  minute: number
  rejectedInMinute: number
  lastFlooded: number
  flooded: number
  reportedAt: number
  unreported: number
}

export class AnnounceFlood implements RunningDetector {
  readonly #minutes: number
  readonly #maxInMinute: number
  readonly #known = new Map<string, FloodState>()

  /** @param minutes fewer where only a part of the announces can be seen. @param ttlMs how long the list waits for the next announce. */
  constructor({ minutes = FLOOD_MINUTES, ttlMs = DEFAULT_TTL_MS }: { readonly minutes?: number; readonly ttlMs?: number } = {}) {
    this.#minutes = minutes
    this.#maxInMinute = Math.max(EXCESS_FACTOR, (EXCESS_FACTOR * MINUTE_MS) / (ttlMs * INTERVAL_SHARE_OF_TTL))
  }

  announceRate({ publicId, at, accepted, address }: AnnounceRate): Finding | undefined {
    if (accepted < this.#maxInMinute) return undefined
    const state = this.#stateOf(publicId, at)
    state.unreported += accepted
    // Otherwise the minute is counted already.
    if (state.rejectedInMinute < REJECTED_PER_MINUTE) countMinute(state)
    return this.#report(state, publicId, at, address, 'came')
  }

  rejected({ publicId, at, address, boundAddress: bound }: RejectedAnnounce): Finding | undefined {
    // A flood from elsewhere is not the server's.
    if (bound !== undefined) return undefined
    const state = this.#stateOf(publicId, at)
    state.rejectedInMinute += 1
    state.unreported += 1
    if (state.rejectedInMinute === REJECTED_PER_MINUTE) countMinute(state)
    return this.#report(state, publicId, at, address, 'were refused as too many')
  }

  #report(state: FloodState, publicId: string, at: number, address: string, what: string): Finding | undefined {
    const isFlood = state.rejectedInMinute >= REJECTED_BURST || state.flooded >= this.#minutes
    if (!isFlood || at - state.reportedAt < REPORT_EVERY_MS) return undefined
    const occurrences = state.unreported
    const minutes = Math.max(1, Math.round((at - Math.max(state.since, state.reportedAt)) / MINUTE_MS))
    state.reportedAt = at
    state.unreported = 0
    const observed = `${occurrences} announces ${what} within ${minutes} minute${minutes === 1 ? '' : 's'}.`
    return {
      kind: 'ANNOUNCE_FLOOD',
      publicId,
      fingerprint: '',
      severity: 'MEDIUM',
      summary: 'The server announces far more often than it was told to.',
      at,
      occurrences,
      items: [evidence(at, observed, 'One announce each nextAnnounceSeconds.', address)],
    }
  }

  forget(publicId: string): void {
    this.#known.delete(publicId)
  }

  prune(at: number): void {
    const minute = Math.floor(at / MINUTE_MS)
    for (const [publicId, state] of this.#known) if (minute - state.minute > 2) this.#known.delete(publicId)
  }

  #stateOf(publicId: string, at: number): FloodState {
    const minute = Math.floor(at / MINUTE_MS)
    let state = this.#known.get(publicId)
    if (state === undefined || minute - state.lastFlooded > 2) {
      if (state === undefined && this.#known.size >= MAX_SERVERS) this.#known.clear()
      state = { since: at, minute, rejectedInMinute: 0, lastFlooded: minute, flooded: 0, reportedAt: -Infinity, unreported: 0 }
      this.#known.set(publicId, state)
    }
    if (state.minute !== minute) {
      state.minute = minute
      state.rejectedInMinute = 0
    }
    return state
  }
}

function countMinute(state: FloodState): void {
  state.flooded += 1
  state.lastFlooded = state.minute
}
