/**
 * Proves the endpoints that servers name (docs/decisions/0033): resolves the name, asks each address, and stores which ones answered with what
 * only the holder of the credential can know. One node does it, outside the path of announces.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isIPv6 } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import { LRUCache } from 'lru-cache'
import type { Clock } from '#backend/platform/clock.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { OutageLog } from '#backend/platform/outage-log.ts'
import type { RefreshList } from '#backend/masterlist/refresh-list.ts'
import { type Proof, currentProofOf, hostAndPort } from '#backend/masterlist/registry/endpoint.ts'
import { type AskerParts, EndpointAsker, type Found, type OnStep, type ProvedServer } from './endpoint-asker.ts'
import { MIN_INTERVAL_MS, NamedEndpoint, type NamedEndpointKey } from './named-endpoint.ts'
import type { StoredProof } from './proofs.queries.ts'
import { type Outcome, hasNoRoute } from './question.ts'

/** Short, so that what starts together is little: the list answers announces in between. */
const TICK_MS = 100
/** How long an endpoint is remembered that is not announced: its failures, and what was proven. */
const REMEMBER_MS = 3_600_000
const MAX_REMEMBERED = 20_000
/** A test waits at most so often for an endpoint that was asked a moment ago. */
const MAX_WAITS = 3
/** A test that waits goes first by so much. */
const TEST_FIRST_MS = 5000

export interface ProvedList {
  readonly registry: { get(publicId: string): ProvedServer | undefined; all(): Iterable<ProvedServer> }
  onChange(listener: (changes: readonly { readonly publicId: string }[]) => void, wantsCounts: () => boolean): () => void
}

interface Parts extends Omit<AskerParts, 'get' | 'deps'> {
  readonly deps: Pick<Deps, 'env' | 'clock' | 'log'>
  readonly list: ProvedList
  /** Stores a proof. */
  readonly save: (proof: StoredProof) => Promise<void>
  /** When the stored proof of a server was last renewed. */
  readonly findProvenAt: (publicId: string) => Promise<Date | undefined>
  readonly refreshList: RefreshList
  readonly isLeaseHolder: () => boolean
  /** For tests. */
  readonly tickMs?: number
}

export class EndpointProver {
  readonly #parts: Parts
  readonly #clock: Clock
  readonly #endpoints = new Map<string, NamedEndpoint>()
  /** Endpoints that are not announced at the moment, so that no server evades a failure by leaving, or by another port. */
  readonly #former: LRUCache<string, NamedEndpoint>
  /** When something was last asked (uptime), by `host:port`, which several servers can name, and by public ID. */
  readonly #askedAt = new Map<string, number>()
  /** Endpoints that are being asked, or wait for their turn, as `host:port`. */
  readonly #busy = new Set<string>()
  readonly #asker: EndpointAsker
  readonly #running = new Set<Promise<void>>()
  readonly #stop = new AbortController()
  readonly #outage: OutageLog
  #isProving = false
  #timer: NodeJS.Timeout | undefined
  #stopListening = () => {}

  constructor(parts: Parts) {
    this.#parts = parts
    this.#clock = parts.deps.clock
    this.#asker = new EndpointAsker({ ...parts, get: (publicId) => parts.list.registry.get(publicId) }, this.#stop.signal)
    const perf = { now: () => this.#clock.uptime() }
    this.#former = new LRUCache({ maxSize: MAX_REMEMBERED, sizeCalculation: () => 1, ttl: REMEMBER_MS, ttlResolution: 0, perf })
    const [begin, end] = ['storing a proven endpoint failed, will retry', 'storing proven endpoints works again']
    this.#outage = new OutageLog({ log: parts.deps.log, level: 'warn', begin, end })
  }

  /** Call it after the list has loaded. */
  start(): void {
    const { list, tickMs = TICK_MS } = this.#parts
    this.#followLease()
    this.#stopListening = list.onChange(
      (changes) => {
        if (this.#isProving) for (const { publicId } of changes) this.#track(publicId)
      },
      () => false,
    )
    this.#timer = setInterval(() => this.#tick(), tickMs)
  }

  /** Stops running attempts. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#stopListening()
    this.#stop.abort()
    await Promise.all([this.#asker.close(), ...this.#running])
  }

  /** Starts over when this node gets the lease, and forgets all endpoints when it loses it. */
  #followLease(): void {
    const isLeaseHolder = this.#parts.isLeaseHolder()
    if (isLeaseHolder === this.#isProving) return
    this.#isProving = isLeaseHolder
    this.#endpoints.clear()
    this.#former.clear()
    if (isLeaseHolder) for (const { publicId } of this.#parts.list.registry.all()) this.#track(publicId, true)
  }

  #track(publicId: string, isStart = false): void {
    const server = this.#parts.list.registry.get(publicId)
    const key = server && keyOf(server)
    const known = this.#endpoints.get(publicId)
    if (known !== undefined && key !== undefined && isSameEndpoint(known, key)) {
      if (known.probe !== key.probe) known.resume(key.probe, this.#clock.uptime())
      return
    }
    if (known !== undefined) {
      this.#endpoints.delete(publicId)
      this.#former.set(textOf(known), known)
    }
    if (server === undefined || key === undefined) return
    const endpoint = this.#endpointOf(key, currentProofOf(server), isStart)
    this.#endpoints.set(publicId, endpoint)
    if (endpoint.isProven && !isStart && !this.#former.has(textOf(key))) void this.#run(endpoint, () => this.#forgetIfOld(endpoint))
  }

  /** While a server was away, its endpoint may have become another's. */
  async #forgetIfOld(endpoint: NamedEndpoint): Promise<void> {
    const provenAt = await this.#parts.findProvenAt(endpoint.publicId).catch(() => undefined)
    if (provenAt === undefined || this.#clock.now() - provenAt.getTime() < REMEMBER_MS || this.#isObsolete(endpoint)) return
    endpoint.forget()
    await this.#save(endpoint, false)
  }

  /** One that was announced within the last hour keeps its failures. */
  #endpointOf(key: NamedEndpointKey, proof: Proof | undefined, isStart: boolean): NamedEndpoint {
    const former = this.#former.get(textOf(key))
    if (former === undefined || !isSameEndpoint(former, key)) return new NamedEndpoint(key, this.#clock.uptime(), proof, isStart)
    former.resume(key.probe, this.#clock.uptime())
    return former
  }

  #tick(): void {
    this.#followLease()
    this.#asker.fill()
    const uptime = this.#clock.uptime()
    const due: NamedEndpoint[] = []
    for (const endpoint of this.#endpoints.values())
      if (!endpoint.isRunning && (endpoint.dueAt <= uptime || endpoint.resolveAt <= uptime)) due.push(endpoint)
    // Proven ones first: those who claim another user's endpoint must not delay its owner. Then in turn.
    for (const endpoint of due.toSorted((a, b) => Number(b.isProven) - Number(a.isProven) || a.askedAt - b.askedAt))
      void this.#run(endpoint, endpoint.dueAt <= uptime ? () => this.#attempt(endpoint) : () => this.#followName(endpoint))
  }

  /** Asks a server now, and reports each step. Resolves when it is done, or at once for a server that can't be asked. */
  async test(publicId: string, onStep: OnStep): Promise<void> {
    for (let wait = 0; wait <= MAX_WAITS; wait += 1) {
      // The newest announce may not have been noticed yet.
      this.#track(publicId)
      const server = this.#parts.list.registry.get(publicId)
      const endpoint = this.#endpoints.get(publicId) ?? (server && this.#sourceEndpointOf(server))
      if (endpoint === undefined || this.#stop.signal.aborted) return
      const waitMs = this.#mayAskAt(endpoint) - this.#clock.uptime()
      if (!endpoint.isRunning && waitMs <= 0) return this.#run(endpoint, () => this.#attempt(endpoint, onStep))
      onStep({ step: 'wait', seconds: Math.max(1, Math.ceil(waitMs / 1000)) })
      // The next regular attempt would let it wait again.
      endpoint.dueAt = Math.max(endpoint.dueAt, this.#clock.uptime() + waitMs + TEST_FIRST_MS)
      await sleep(Math.max(1000, waitMs), undefined, { signal: this.#stop.signal }).catch(() => undefined)
    }
  }

  /** A server that names no host is asked at its source address; nothing is stored. */
  #sourceEndpointOf({ publicId, online, announced, address, fields: { ownerId } }: ProvedServer): NamedEndpoint | undefined {
    if (!online || announced === undefined || announced.host !== '') return undefined
    const probe = announced.probe === 'udp' ? 'udp' : 'tcp'
    const key = { publicId, ownerId, host: address, port: announced.port, probe } as const
    return Object.assign(new NamedEndpoint(key, this.#clock.uptime(), undefined), { isSource: true })
  }

  #run(endpoint: NamedEndpoint, act: () => Promise<void>): Promise<void> {
    endpoint.isRunning = true
    const running = act().finally(() => {
      endpoint.isRunning = false
      this.#running.delete(running)
    })
    this.#running.add(running)
    return running
  }

  /** Resolves the name, and asks if its addresses changed. */
  async #followName(endpoint: NamedEndpoint): Promise<void> {
    const found = await this.#asker.find(endpoint)
    if (found !== undefined && !this.#isObsolete(endpoint) && endpoint.hasOtherAddresses(found.addresses)) await this.#attempt(endpoint)
  }

  /** The uptime from which an endpoint may be asked: no endpoint, and no server, is asked more often than every 30 seconds. */
  #mayAskAt({ publicId, host, port }: NamedEndpoint): number {
    const place = hostAndPort(host, port)
    const askedAt = (key: string) => this.#askedAt.get(key) ?? -Infinity
    return (this.#busy.has(place) ? this.#clock.uptime() : Math.max(askedAt(publicId), askedAt(place))) + MIN_INTERVAL_MS
  }

  #noteAsked(...keys: readonly string[]): void {
    const uptime = this.#clock.uptime()
    for (const [key, at] of this.#askedAt) if (uptime - at >= MIN_INTERVAL_MS) this.#askedAt.delete(key)
    for (const key of keys) this.#askedAt.set(key, uptime)
  }

  /** Resolves and asks, unless it was asked a moment ago. */
  async #attempt(endpoint: NamedEndpoint, onStep: OnStep = () => {}): Promise<void> {
    const uptime = this.#clock.uptime()
    endpoint.dueAt = Math.max(uptime, this.#mayAskAt(endpoint))
    if (endpoint.dueAt > uptime) return
    const place = hostAndPort(endpoint.host, endpoint.port)
    this.#busy.add(place)
    this.#noteAsked(endpoint.publicId, place)
    endpoint.askedAt = uptime
    try {
      const found = await this.#asker.find(endpoint)
      if (found !== undefined) onStep({ step: 'resolve', addresses: found.addresses, failure: found.failure })
      const answers = new Map<string, Outcome>()
      const ask = async (address: string) => answers.set(address, await this.#asker.ask(endpoint, address, onStep))
      await Promise.all((found?.addresses ?? []).map(ask))
      // Its questions may have waited for their turn.
      this.#noteAsked(endpoint.publicId, place)
      if (!this.#isObsolete(endpoint)) await this.#record(endpoint, found, answers)
    } finally {
      this.#busy.delete(place)
    }
  }

  async #record(endpoint: NamedEndpoint, found: Found | undefined, answers: ReadonlyMap<string, Outcome>): Promise<void> {
    const [uptime, now] = [this.#clock.uptime(), this.#clock.now()]
    const results = [...answers.values()].map(({ result }) => result)
    if (found !== undefined && found.failure !== '') endpoint.recordNoAddress(found.failure, uptime, now)
    else if (!endpoint.isProven && isOnlyIpv6(answers)) endpoint.recordNoAddress('UNREACHABLE', uptime, now)
    else if (found === undefined || results.every((result) => result === 'inconclusive')) return endpoint.postpone(uptime)
    else endpoint.record(answers, found.isIncomplete, uptime, now)
    return this.#save(endpoint, results.includes('answered'))
  }

  /** The server names another endpoint by now, or this node may no longer act. */
  #isObsolete(endpoint: NamedEndpoint): boolean {
    return this.#stop.signal.aborted || !this.#parts.isLeaseHolder() || this.#endpoints.get(endpoint.publicId) !== endpoint
  }

  async #save(endpoint: NamedEndpoint, hasAnswered: boolean): Promise<void> {
    const { list, refreshList, save } = this.#parts
    const { publicId, ownerId } = endpoint
    const proof = endpoint.proof()
    const provenAt = hasAnswered ? new Date(this.#clock.now()) : undefined
    try {
      await save({ publicId, ownerId, ...proof, provenAt })
      const server = list.registry.get(publicId)
      if (server !== undefined && !isDeepStrictEqual(currentProofOf(server), proof)) await refreshList(publicId)
      this.#outage.succeeded()
    } catch (error) {
      this.#outage.failed({ err: error })
      endpoint.postpone(this.#clock.uptime())
    }
  }
}

/** Whether it has IPv6 addresses alone, and this machine has no IPv6. */
const isOnlyIpv6 = (answers: ReadonlyMap<string, Outcome>) =>
  answers.size > 0 && [...answers].every(([address, outcome]) => isIPv6(address) && hasNoRoute(outcome))

const isSameEndpoint = (one: NamedEndpointKey, other: NamedEndpointKey) =>
  one.host === other.host && one.port === other.port && one.ownerId === other.ownerId

const textOf = ({ publicId, host, port }: NamedEndpointKey) => `${publicId} ${hostAndPort(host, port)}`

/** Undefined for a server that is to be asked at no other place than its source address. */
function keyOf({ publicId, online, announced, address, otherAddress, fields: { ownerId } }: ProvedServer) {
  if (!online || announced === undefined || announced.host === '' || announced.probe === 'none') return undefined
  const { host, port, probe } = announced
  if ((host === address || host === otherAddress) && probe === '') return undefined
  return { publicId, ownerId, host, port, probe: probe === 'udp' ? 'udp' : 'tcp' } as const
}
