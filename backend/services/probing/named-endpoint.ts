/** The state of one endpoint that a server names: which of its addresses answered, and when it is resolved and asked next. */
import type { ProofFailure } from '#contract/servers/probes.ts'
import type { Proof } from '#backend/masterlist/registry/endpoint.ts'
import { type Outcome, hasNoRoute } from './question.ts'

/** Game servers announce shortly before they listen. */
const FIRST_MS = 3000
/** No endpoint is asked more often, so that the list is no weapon (docs/decisions/0033). */
export const MIN_INTERVAL_MS = 30_000
const PROVE_EVERY_MS = 600_000
/** An endpoint that was never proven is asked less and less often. */
const MAX_RETRY_MS = 300_000
const RESOLVE_MS = { min: 30_000, max: 600_000 }
/** Failures in a row after which a proven address no longer counts. */
const MAX_FAILURES = 3
/** Up to a tenth earlier, so that the questions of a fleet spread out. */
const JITTER = 0.1

export interface NamedEndpointKey {
  readonly publicId: string
  readonly ownerId: string
  readonly host: string
  readonly port: number
  readonly probe: 'tcp' | 'udp'
}

interface AddressState {
  isProven: boolean
  failures: number
  /** This machine has no route to it, such as no IPv6 at all. That says nothing about the address. */
  isOutOfReach: boolean
}

const UNKNOWN = { isProven: false, failures: 0, isOutOfReach: false } as const

/** What one attempt found, by address. */
export type Answers = ReadonlyMap<string, Outcome>

/** All times are uptime milliseconds. */
export class NamedEndpoint implements NamedEndpointKey {
  readonly publicId: string
  readonly ownerId: string
  readonly host: string
  readonly port: number
  probe: 'tcp' | 'udp'
  /** When it was asked last. */
  askedAt = -Infinity
  /** When it is asked next. */
  dueAt: number
  /** When its name is resolved next. Only matters before `dueAt`, because each attempt resolves it. */
  resolveAt: number
  isRunning = false
  /** Whether it is the source address of a server that names no host. */
  isSource = false
  failure: ProofFailure | '' = ''
  /** Wall milliseconds. */
  failedAt: number | undefined = undefined
  readonly #addresses = new Map<string, AddressState>()
  #attemptsInVain = 0
  /** Whether the newest attempt had to leave out addresses of the name. */
  #isIncomplete = false

  /** @param proof what was proven before, such as by a node that has stopped. @param isStart whether this node begins to prove. */
  constructor(key: NamedEndpointKey, uptime: number, proof: Proof | undefined, isStart = false) {
    this.publicId = key.publicId
    this.ownerId = key.ownerId
    this.host = key.host
    this.port = key.port
    this.probe = key.probe
    for (const address of proof?.addresses ?? []) this.#addresses.set(address, { ...UNKNOWN, isProven: true })
    this.dueAt = uptime + FIRST_MS
    this.resolveAt = Infinity
    if (!isStart) return
    // Another node, or this one before a restart, may have asked a moment ago.
    const soon = uptime + MIN_INTERVAL_MS
    this.dueAt = soon + Math.random() * (this.isProven ? PROVE_EVERY_MS - MIN_INTERVAL_MS : JITTER * MIN_INTERVAL_MS)
    if (this.isProven) this.resolveAt = soon + Math.random() * RESOLVE_MS.min
  }

  /** What was proven no longer counts. */
  forget(): void {
    this.#addresses.clear()
  }

  get isProven(): boolean {
    return this.proven.length > 0
  }

  get proven(): string[] {
    return [...this.#addresses].filter(([, state]) => state.isProven).map(([address]) => address)
  }

  /** Whether the name leads to other addresses than before. */
  hasOtherAddresses(addresses: readonly string[]): boolean {
    return addresses.length !== this.#addresses.size || addresses.some((address) => !this.#addresses.has(address))
  }

  /** Whether it answered before, and may just have stopped. */
  hasJustGoneSilent(address: string): boolean {
    const state = this.#addresses.get(address)
    return state !== undefined && state.isProven && state.failures < MAX_FAILURES
  }

  planNextResolve(uptime: number, ttlSeconds: number): void {
    this.resolveAt = uptime + Math.min(RESOLVE_MS.max, Math.max(RESOLVE_MS.min, ttlSeconds * 1000))
  }

  /** It is announced again, perhaps with another way to ask. Its failures stay: otherwise a restart would evade them. */
  resume(probe: 'tcp' | 'udp', uptime: number): void {
    this.probe = probe
    this.dueAt = Math.min(this.dueAt, uptime + FIRST_MS)
    this.resolveAt = Infinity
  }

  /** Nothing was learnt. */
  postpone(uptime: number): void {
    this.#attemptsInVain += 1
    this.dueAt = uptime + this.#retryMs
  }

  /** The name leads nowhere: each address that was proven has failed once more. @param now wall milliseconds. */
  recordNoAddress(failure: ProofFailure, uptime: number, now: number): void {
    for (const state of this.#addresses.values()) this.#countFailure(state)
    this.#setFailure(failure, now)
    this.#planNext(uptime)
  }

  /** @param isIncomplete whether the name has addresses that were not asked. @param now wall milliseconds. */
  record(answers: Answers, isIncomplete: boolean, uptime: number, now: number): void {
    this.#isIncomplete = isIncomplete
    for (const address of this.#addresses.keys()) if (!answers.has(address)) this.#addresses.delete(address)
    let failure: ProofFailure | '' = ''
    for (const [address, outcome] of answers) {
      const state = this.#addresses.get(address) ?? { ...UNKNOWN }
      this.#addresses.set(address, state)
      state.isOutOfReach = hasNoRoute(outcome)
      if (outcome.result === 'answered') Object.assign(state, { isProven: true, failures: 0 })
      else if (outcome.result === 'failed') {
        failure = outcome.failure
        this.#countFailure(state)
      }
    }
    this.#setFailure(failure, now)
    this.#planNext(uptime)
  }

  /** Whether every address of the name is proven, of those that can be asked from here. Players get any of them. */
  get isNameProven(): boolean {
    const isFine = ({ isProven, isOutOfReach }: AddressState) => isProven || isOutOfReach
    return this.isProven && !this.#isIncomplete && [...this.#addresses.values()].every(isFine)
  }

  proof(): Proof {
    const { host, port, failure, failedAt, isNameProven } = this
    return { host, port, addresses: this.proven.toSorted(), isNameProven, failure, failedAt }
  }

  #countFailure(state: AddressState): void {
    state.failures += 1
    if (state.failures >= MAX_FAILURES) state.isProven = false
  }

  /** Keeps the time of the first failure of a kind. */
  #setFailure(failure: ProofFailure | '', now: number): void {
    if (failure !== this.failure) this.failedAt = failure === '' ? undefined : now
    this.failure = failure
  }

  get #retryMs(): number {
    return Math.min(MAX_RETRY_MS, MIN_INTERVAL_MS * 2 ** Math.floor(this.#attemptsInVain / 4))
  }

  #planNext(uptime: number): void {
    const isFine = this.isProven && this.failure === ''
    this.#attemptsInVain = this.isProven ? 0 : this.#attemptsInVain + 1
    const wait = isFine ? PROVE_EVERY_MS : this.#retryMs
    this.dueAt = uptime + Math.max(MIN_INTERVAL_MS, wait * (1 - JITTER * Math.random()))
  }
}
