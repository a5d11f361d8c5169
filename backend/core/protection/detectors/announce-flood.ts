/** Detects credentials that announce far more often than the list requests. */
import { LRUCache } from 'lru-cache'
import { m } from '#api-messages'
import { STORED } from '#backend/platform/messages/stored-text.ts'
import type { AnnounceRate, Detector, RejectedAnnounce, RunningDetector } from '#backend/core/protection/detector.ts'
import { type Finding, evidence } from '#backend/core/protection/finding.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** During a flood the list stores one attempt every five seconds and keeps 50 per server, so the storage covers four minutes. */
const DRY_RUN_FLOOD_MINUTES = 3

export const announceFlood: Detector = {
  kind: 'ANNOUNCE_FLOOD',
  explanation: () => m.issue_announce_flood_explanation(),
  remedy: () => m.issue_announce_flood_remedy(),
  escalationPolicy: [
    { consequence: 'NOTICE', afterMs: 0, afterOccurrences: 1 },
    { consequence: 'UNRANKED', afterMs: 6 * HOUR_MS, afterOccurrences: 2, seenWithinMs: HOUR_MS },
  ],
  autoResolveAfterMs: HOUR_MS,
  resolvesWhen: () => m.issue_announce_flood_resolves(),
  rejectionCode: 'TOO_OFTEN',
  dryRun: {
    source: 'attempts',
    limitations: `Only the newest 50 attempts per server are stored, so a dry run reports floods of ${DRY_RUN_FLOOD_MINUTES} minutes. The running list waits for ten.`,
  },
  create: ({ ttlMs, isDryRun }) => new AnnounceFlood({ ttlMs, minutes: isDryRun ? DRY_RUN_FLOOD_MINUTES : FLOOD_MINUTES }),
}

/** More than any burst after a restart. */
const REJECTED_BURST = 40
/** A server at the requested rate has none. A crash loop or a restart causes a few. */
const REJECTED_PER_MINUTE = 5
/** Consecutive minutes. A single quiet minute between them does not reset the count. */
const FLOOD_MINUTES = 10
const REPORT_EVERY_MS = 60_000
/** The list requests one announce per 0.4 TTL. It accepts up to ten times as many, but that rate still counts as a flood. */
const INTERVAL_SHARE_OF_TTL = 0.4
const EXCESS_FACTOR = 10
const DEFAULT_TTL_MS = 75_000
const MAX_SERVERS = 20_000

interface FloodState {
  readonly since: number
  /** Minutes since 1970. */
  minute: number
  rejectedInMinute: number
  lastFloodedMinute: number
  floodedMinutes: number
  reportedAt: number
  unreported: number
}

export class AnnounceFlood implements RunningDetector {
  readonly #minutes: number
  readonly #maxInMinute: number
  // With `max` instead, it would allocate room for all servers at once.
  readonly #states = new LRUCache<string, FloodState>({ maxSize: MAX_SERVERS, sizeCalculation: () => 1 })

  /** @param minutes fewer if only some announces are visible. @param ttlMs how long the list waits for the next announce. */
  constructor({ minutes = FLOOD_MINUTES, ttlMs = DEFAULT_TTL_MS }: { readonly minutes?: number; readonly ttlMs?: number } = {}) {
    this.#minutes = minutes
    this.#maxInMinute = Math.max(EXCESS_FACTOR, (EXCESS_FACTOR * MINUTE_MS) / (ttlMs * INTERVAL_SHARE_OF_TTL))
  }

  announceRate({ publicId, at, accepted, address }: AnnounceRate): Finding | undefined {
    if (accepted < this.#maxInMinute) return undefined
    const state = this.#stateOf(publicId, at)
    state.unreported += accepted
    // Otherwise `rejected` has already counted this minute.
    if (state.rejectedInMinute < REJECTED_PER_MINUTE) countMinute(state)
    return this.#report(state, publicId, at, address, m.finding_announce_flood_arrived)
  }

  rejected({ publicId, at, address, boundAddress }: RejectedAnnounce): Finding | undefined {
    // A flood from another address is not the server's fault.
    if (boundAddress !== undefined) return undefined
    const state = this.#stateOf(publicId, at)
    state.rejectedInMinute += 1
    state.unreported += 1
    if (state.rejectedInMinute === REJECTED_PER_MINUTE) countMinute(state)
    return this.#report(state, publicId, at, address, m.finding_announce_flood_rejected)
  }

  #report(
    state: FloodState,
    publicId: string,
    at: number,
    address: string,
    observedAs: typeof m.finding_announce_flood_arrived,
  ): Finding | undefined {
    const isFlood = state.rejectedInMinute >= REJECTED_BURST || state.floodedMinutes >= this.#minutes
    if (!isFlood || at - state.reportedAt < REPORT_EVERY_MS) return undefined
    const occurrences = state.unreported
    const minutes = Math.max(1, Math.round((at - Math.max(state.since, state.reportedAt)) / MINUTE_MS))
    state.reportedAt = at
    state.unreported = 0
    const observed = observedAs({ announces: occurrences, count: minutes }, STORED)
    return {
      kind: 'ANNOUNCE_FLOOD',
      publicId,
      fingerprint: '',
      severity: 'MEDIUM',
      summary: m.finding_announce_flood({}, STORED),
      at,
      occurrences,
      items: [evidence(at, observed, m.finding_announce_flood_expected({}, STORED), address)],
    }
  }

  forget(publicId: string): void {
    this.#states.delete(publicId)
  }

  #stateOf(publicId: string, at: number): FloodState {
    const minute = Math.floor(at / MINUTE_MS)
    let state = this.#states.get(publicId)
    if (state === undefined || minute - state.lastFloodedMinute > 2) {
      state = { since: at, minute, rejectedInMinute: 0, lastFloodedMinute: minute, floodedMinutes: 0, reportedAt: -Infinity, unreported: 0 }
      this.#states.set(publicId, state)
    }
    if (state.minute !== minute) {
      state.minute = minute
      state.rejectedInMinute = 0
    }
    return state
  }
}

function countMinute(state: FloodState): void {
  state.floodedMinutes += 1
  state.lastFloodedMinute = state.minute
}
