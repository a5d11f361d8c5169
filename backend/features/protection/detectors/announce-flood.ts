/** A credential that announces far more often than it was told to. */
import type { Detector, Pace, RefusedAnnounce, RunningDetector } from '#backend/features/protection/detector.ts'
import type { Finding } from '#backend/features/protection/finding.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** The list stores an attempt of a flood every five seconds and keeps 50 a server: these fill it in four minutes. */
const STORED_MINUTES = 3

export const announceFlood: Detector = {
  kind: 'ANNOUNCE_FLOOD',
  title: 'Announces far too often',
  explanation:
    'This server announces far more often than the list asks it to. Announces beyond the limit are refused with 429. They change nothing for its players, and they take from the list what all other servers need.',
  remedy:
    'Announce each nextAnnounceSeconds, as the reply to every announce says, and after a 429 wait as long as its Retry-After header says. Often two copies of the server, or of a plugin that announces, run at once: stop one of them.',
  ladder: [
    { consequence: 'NOTICE', afterMs: 0, afterOccurrences: 1 },
    { consequence: 'UNRANKED', afterMs: 6 * HOUR_MS, afterOccurrences: 2, seenWithinMs: HOUR_MS },
  ],
  quietMs: HOUR_MS,
  ends: 'It resolves by itself once the server has announced at a normal rate for an hour.',
  refusal: 'TOO_OFTEN',
  dryRun: {
    over: 'attempts',
    unseen: `Only the newest 50 attempts of each server are stored, so a flood of ${STORED_MINUTES} minutes is found here; the running list waits for ten.`,
  },
  create: ({ ttlMs, isDryRun }) => new AnnounceFlood({ ttlMs, minutes: isDryRun ? STORED_MINUTES : MINUTES }),
}

/** Nobody who was told to come each half minute is refused so often within one: that is no burst at a restart. */
const REFUSED_AT_ONCE = 40
/** At the pace the list asks for there is none; a crash loop or a restart has a few. */
const REFUSED_IN_A_MINUTE = 5
/** So many minutes in a row, of which one may be quiet now and then. */
const MINUTES = 10
const TELL_AGAIN_MS = 60_000
/** The list asks for an announce each 0.4 of its time to live; ten times as many, minute for minute, are not refused and far too many all the same. */
const ASKED_SHARE = 0.4
const TIMES_TOO_MANY = 10
const USUAL_TTL_MS = 75_000
const MOST_SERVERS = 20_000

interface Flooding {
  /** Minutes since 1970. */
  minute: number
  inMinute: number
  lastFlooded: number
  /** Flooded minutes without a pause. */
  flooded: number
  since: number
  toldAt: number
  untold: number
}

/** Announces from a server's own address that were refused with TOO_OFTEN, and those that were just not. */
export class AnnounceFlood implements RunningDetector {
  readonly #minutes: number
  readonly #known = new Map<string, Flooding>()

  readonly #mostInMinute: number

  /** @param minutes fewer where only a part of the announces can be seen. @param ttlMs how long the list waits for the next announce. */
  constructor({ minutes = MINUTES, ttlMs = USUAL_TTL_MS }: { readonly minutes?: number; readonly ttlMs?: number } = {}) {
    this.#minutes = minutes
    this.#mostInMinute = Math.max(TIMES_TOO_MANY, (TIMES_TOO_MANY * MINUTE_MS) / (ttlMs * ASKED_SHARE))
  }

  pace({ publicId, at, accepted, address }: Pace): Finding | undefined {
    if (accepted < this.#mostInMinute) return undefined
    const state = this.#at(publicId, at)
    state.untold += accepted
    // Where it is refused as well the minute is counted already.
    if (state.inMinute < REFUSED_IN_A_MINUTE) {
      state.flooded += 1
      state.lastFlooded = state.minute
    }
    return this.#told(publicId, at, state, address, 'came')
  }

  refused({ publicId, at, address, bound }: RefusedAnnounce): Finding | undefined {
    // A flood from elsewhere is not the server's.
    if (bound !== undefined) return undefined
    const state = this.#at(publicId, at)
    state.inMinute += 1
    state.untold += 1
    if (state.inMinute === REFUSED_IN_A_MINUTE) {
      state.flooded += 1
      state.lastFlooded = state.minute
    }
    return this.#told(publicId, at, state, address, 'were refused as too many')
  }

  #told(publicId: string, at: number, state: Flooding, address: string, what: string): Finding | undefined {
    const isFlood = state.inMinute >= REFUSED_AT_ONCE || state.flooded >= this.#minutes
    if (!isFlood || at - state.toldAt < TELL_AGAIN_MS) return undefined
    const occurrences = state.untold
    const minutes = Math.max(1, Math.round((at - Math.max(state.since, state.toldAt)) / MINUTE_MS))
    state.toldAt = at
    state.untold = 0
    return {
      kind: 'ANNOUNCE_FLOOD',
      publicId,
      fingerprint: '',
      severity: 'MEDIUM',
      summary: 'The server announces far more often than it was told to.',
      at,
      occurrences,
      items: [
        {
          at: new Date(at).toISOString(),
          observed: `${occurrences} announces ${what} within ${minutes} minute${minutes === 1 ? '' : 's'}.`,
          expected: 'One announce each nextAnnounceSeconds.',
          address,
        },
      ],
    }
  }

  forget(publicId: string): void {
    this.#known.delete(publicId)
  }

  prune(at: number): void {
    const minute = Math.floor(at / MINUTE_MS)
    for (const [publicId, state] of this.#known) if (minute - state.minute > 2) this.#known.delete(publicId)
  }

  #at(publicId: string, at: number): Flooding {
    const minute = Math.floor(at / MINUTE_MS)
    let state = this.#known.get(publicId)
    if (state === undefined || minute - state.lastFlooded > 2) {
      if (state === undefined && this.#known.size >= MOST_SERVERS) this.#known.clear()
      state = { minute, inMinute: 0, lastFlooded: minute, flooded: 0, since: at, toldAt: -Infinity, untold: 0 }
      this.#known.set(publicId, state)
    }
    if (state.minute !== minute) {
      state.minute = minute
      state.inMinute = 0
    }
    return state
  }
}
