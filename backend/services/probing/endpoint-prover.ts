/**
 * Proves the endpoints that servers name (docs/decisions/0033): resolves the name, asks each address, and stores which ones answered with what
 * only the holder of the credential can know. One node does it, outside the path of announces.
 */
import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { Clock } from '#backend/platform/clock.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { limitKey } from '#backend/platform/http/client-address.ts'
import { OutageLog } from '#backend/platform/outage-log.ts'
import { isPublicAddress } from '#backend/platform/outbound/public-address.ts'
import type { ResolveWithTtl } from '#backend/platform/outbound/resolver.ts'
import type { RefreshList } from '#backend/masterlist/refresh-list.ts'
import { type Proof, currentProofOf, hostAndPort } from '#backend/masterlist/registry/endpoint.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import type { AskScheduler } from './ask-scheduler.ts'
import { askTcpForProof } from './ask-tcp.ts'
import { askUdp } from './ask-udp.ts'
import { MIN_INTERVAL_MS, NamedEndpoint } from './named-endpoint.ts'
import type { NetworkWatch } from './network-watch.ts'
import type { StoredProof } from './proofs.queries.ts'
import type { Outcome, Target } from './question.ts'

const TICK_MS = 500
const MAX_ADDRESSES = 4
const MAX_LOOKUPS = 16

export type ProvedServer = Pick<
  ServerRecord,
  'publicId' | 'online' | 'announced' | 'address' | 'otherAddress' | 'credentialId' | 'credentials'
> & { readonly fields: { readonly ownerId: string; readonly proof: Proof | undefined } }

export interface ProvedList {
  readonly registry: { get(publicId: string): ProvedServer | undefined; all(): Iterable<ProvedServer> }
  onChange(listener: (changes: readonly { readonly publicId: string }[]) => void, wantsCounts: () => boolean): () => void
}

/** A step of an attempt, as the panel shows it. */
export type Step =
  | { readonly step: 'wait'; readonly seconds: number }
  | { readonly step: 'resolve'; readonly addresses: readonly string[]; readonly failure: Proof['failure'] }
  | { readonly step: 'ask'; readonly address: string }
  | { readonly step: 'answer'; readonly address: string; readonly result: 'answered' | 'inconclusive' | NonNullable<Proof['failure']> }

type OnStep = (step: Step) => void

interface Parts {
  readonly deps: Pick<Deps, 'env' | 'clock' | 'log'>
  readonly list: ProvedList
  readonly scheduler: AskScheduler
  readonly network: NetworkWatch
  readonly resolve: ResolveWithTtl
  /** Stores a proof. */
  readonly save: (proof: StoredProof) => Promise<void>
  readonly refreshList: RefreshList
  readonly isLeaseHolder: () => boolean
  /** For tests, which have no internet. */
  readonly isAllowed?: (address: string) => boolean
  readonly tickMs?: number
}

export class EndpointProver {
  readonly #parts: Parts
  readonly #clock: Clock
  readonly #endpoints = new Map<string, NamedEndpoint>()
  /** When an endpoint was last asked (uptime), by `host:port`: several servers can name the same one. */
  readonly #askedAt = new Map<string, number>()
  readonly #lookups = pLimit(MAX_LOOKUPS)
  readonly #running = new Set<Promise<void>>()
  readonly #stop = new AbortController()
  readonly #outage: OutageLog
  #isProving = false
  #timer: NodeJS.Timeout | undefined
  #stopListening = () => {}

  constructor(parts: Parts) {
    this.#parts = parts
    this.#clock = parts.deps.clock
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
    await Promise.all(this.#running)
  }

  /** Starts over when this node gets the lease, and forgets all endpoints when it loses it. */
  #followLease(): void {
    const isLeaseHolder = this.#parts.isLeaseHolder()
    if (isLeaseHolder === this.#isProving) return
    this.#isProving = isLeaseHolder
    this.#endpoints.clear()
    if (isLeaseHolder) for (const { publicId } of this.#parts.list.registry.all()) this.#track(publicId)
  }

  #track(publicId: string): void {
    const server = this.#parts.list.registry.get(publicId)
    const known = this.#endpoints.get(publicId)
    const key = server && keyOf(server)
    if (server === undefined || key === undefined) return void this.#endpoints.delete(publicId)
    const isSame =
      known?.host === key.host && known.port === key.port && known.probe === key.probe && known.ownerId === server.fields.ownerId
    if (isSame) return
    this.#endpoints.set(publicId, new NamedEndpoint(key, this.#clock.uptime(), currentProofOf(server)))
  }

  #tick(): void {
    this.#followLease()
    this.#parts.scheduler.fill()
    const uptime = this.#clock.uptime()
    const due: NamedEndpoint[] = []
    for (const endpoint of this.#endpoints.values())
      if (!endpoint.isRunning && (endpoint.dueAt <= uptime || endpoint.resolveAt <= uptime)) due.push(endpoint)
    // Proven ones first: those who claim another user's endpoint must not delay its owner.
    for (const isProven of [true, false])
      for (const endpoint of due)
        if (endpoint.isProven === isProven)
          this.#run(endpoint, endpoint.dueAt <= uptime ? () => this.#attempt(endpoint) : () => this.#followName(endpoint))
  }

  /** Asks a server now, and reports each step. Resolves when it is done, or at once for a server that can't be asked. */
  async test(publicId: string, onStep: OnStep): Promise<void> {
    const server = this.#parts.list.registry.get(publicId)
    if (server === undefined) return
    // The newest announce may not have been noticed yet.
    this.#track(publicId)
    const endpoint = this.#endpoints.get(publicId) ?? this.#sourceEndpointOf(server)
    if (endpoint === undefined) return
    for (;;) {
      const waitMs = (this.#askedAt.get(hostAndPort(endpoint.host, endpoint.port)) ?? -Infinity) + MIN_INTERVAL_MS - this.#clock.uptime()
      if (!endpoint.isRunning && waitMs <= 0) break
      onStep({ step: 'wait', seconds: Math.max(1, Math.ceil(waitMs / 1000)) })
      await sleep(Math.max(1000, waitMs), undefined, { signal: this.#stop.signal }).catch(() => undefined)
      if (this.#stop.signal.aborted) return
    }
    const attempt = Promise.withResolvers<void>()
    this.#run(endpoint, () => this.#attempt(endpoint, onStep).finally(attempt.resolve))
    await attempt.promise
  }

  /** A server that names no host is asked at its source address; nothing is stored. */
  #sourceEndpointOf({ publicId, online, announced, address, fields: { ownerId } }: ProvedServer): NamedEndpoint | undefined {
    if (!online || announced === undefined || announced.host !== '') return undefined
    const probe = announced.probe === 'udp' ? 'udp' : 'tcp'
    return new NamedEndpoint({ publicId, ownerId, host: address, port: announced.port, probe }, this.#clock.uptime(), undefined)
  }

  #run(endpoint: NamedEndpoint, act: () => Promise<void>): void {
    endpoint.isRunning = true
    const running = act().finally(() => {
      endpoint.isRunning = false
      this.#running.delete(running)
    })
    this.#running.add(running)
  }

  /** Resolves the name, and asks if its addresses changed. */
  async #followName(endpoint: NamedEndpoint): Promise<void> {
    const addresses = await this.#addressesOf(endpoint)
    if (this.#isObsolete(endpoint) || addresses === undefined || !endpoint.hasOtherAddresses(addresses)) return
    if (addresses.length > 0) await this.#attempt(endpoint)
  }

  /** Resolves and asks, unless the endpoint was asked a moment ago. */
  async #attempt(endpoint: NamedEndpoint, onStep: OnStep = () => {}): Promise<void> {
    const { host, port } = endpoint
    const uptime = this.#clock.uptime()
    const text = hostAndPort(host, port)
    const askedAt = this.#askedAt.get(text) ?? -Infinity
    if (uptime - askedAt < MIN_INTERVAL_MS) {
      endpoint.dueAt = askedAt + MIN_INTERVAL_MS
      return
    }
    for (const [other, at] of this.#askedAt) if (uptime - at >= MIN_INTERVAL_MS) this.#askedAt.delete(other)
    this.#askedAt.set(text, uptime)
    const addresses = await this.#addressesOf(endpoint, onStep)
    const answers = new Map<string, Outcome>()
    await Promise.all((addresses ?? []).map(async (address) => answers.set(address, await this.#ask(endpoint, address, onStep))))
    if (this.#isObsolete(endpoint)) return
    if (addresses === undefined) return endpoint.postpone(this.#clock.uptime())
    if (addresses.length > 0) endpoint.record(answers, this.#clock.uptime(), this.#clock.now())
    await this.#save(endpoint)
  }

  /** The public addresses to ask. Empty if there are none, which counts as a failure; undefined if no name server could be asked. */
  async #addressesOf(endpoint: NamedEndpoint, onStep: OnStep = () => {}): Promise<readonly string[] | undefined> {
    const { host } = endpoint
    const { deps, isAllowed = isPublicAddress } = this.#parts
    const found = isIP(host) === 0 ? await this.#lookUp(host) : { addresses: [host], ttlSeconds: Infinity, isInconclusive: false }
    endpoint.planNextResolve(this.#clock.uptime(), found.ttlSeconds)
    if (found.isInconclusive) return undefined
    const all = [...new Set(found.addresses)].toSorted()
    const addresses = (deps.env.REACHABILITY_PRIVATE ? all : all.filter((address) => isAllowed(address))).slice(0, MAX_ADDRESSES)
    const failure = addresses.length > 0 ? '' : all.length === 0 ? 'UNRESOLVED' : 'PRIVATE'
    onStep({ step: 'resolve', addresses, failure })
    if (failure !== '' && !this.#isObsolete(endpoint)) endpoint.recordNoAddress(failure, this.#clock.uptime(), this.#clock.now())
    return addresses
  }

  #lookUp(host: string): ReturnType<ResolveWithTtl> {
    return this.#lookups(() => this.#parts.resolve(host, this.#stop.signal))
  }

  async #ask(endpoint: NamedEndpoint, address: string, onStep: OnStep): Promise<Outcome> {
    const { network, scheduler } = this.#parts
    const target = this.#targetOf(endpoint, address)
    if (target === undefined) return INCONCLUSIVE
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    this.#stop.signal.addEventListener('abort', () => resolve(INCONCLUSIVE), { once: true })
    scheduler.add({
      key: `${endpoint.publicId} ${address}`,
      target: limitKey(address),
      isFailing: !endpoint.isProven && endpoint.failure !== '',
      questions: endpoint.probe === 'udp' ? 1 : 2,
      run: async () => {
        onStep({ step: 'ask', address })
        resolve(await this.#question(endpoint.probe, target))
      },
    })
    const outcome = await promise
    onStep({ step: 'answer', address, result: outcome.result === 'failed' ? outcome.failure : outcome.result })
    if (outcome.result === 'answered') network.noteAnswer()
    if (outcome.result === 'failed' && endpoint.hasJustGoneSilent(address)) network.noteSilence(limitKey(address))
    return outcome.result === 'failed' && network.isSuspect ? INCONCLUSIVE : outcome
  }

  #question(probe: 'tcp' | 'udp', target: Target): Promise<Outcome> {
    if (probe === 'udp') return askUdp(target, [target.endpoint], this.#stop.signal)
    return askTcpForProof(target, this.#clock.now(), this.#stop.signal)
  }

  /** Undefined if its announces used a credential that no longer works. */
  #targetOf({ publicId, host, port }: NamedEndpoint, address: string): Target | undefined {
    const server = this.#parts.list.registry.get(publicId)
    const credential = server?.credentials.find(({ id }) => id === server.credentialId)
    if (credential === undefined) return undefined
    return { publicId, address, port, endpoint: hostAndPort(host, port), key: Buffer.from(credential.key, 'hex') }
  }

  /** The server names another endpoint by now, or this node may no longer act. */
  #isObsolete(endpoint: NamedEndpoint): boolean {
    return this.#stop.signal.aborted || !this.#parts.isLeaseHolder() || this.#endpoints.get(endpoint.publicId) !== endpoint
  }

  async #save(endpoint: NamedEndpoint): Promise<void> {
    const { list, refreshList, save } = this.#parts
    const { publicId, ownerId } = endpoint
    const proof = endpoint.proof()
    const provenAt = endpoint.isProven && endpoint.failure === '' ? new Date(this.#clock.now()) : undefined
    try {
      await save({ publicId, ownerId, ...proof, provenAt })
      const server = list.registry.get(publicId)
      if (server !== undefined && JSON.stringify(currentProofOf(server)) !== JSON.stringify(proof)) await refreshList(publicId)
      this.#outage.succeeded()
    } catch (error) {
      this.#outage.failed({ err: error })
      endpoint.postpone(this.#clock.uptime())
    }
  }
}

const INCONCLUSIVE: Outcome = { result: 'inconclusive' }

/** Undefined for a server that is to be asked at no other place than its source address. */
function keyOf({ publicId, online, announced, address, otherAddress, fields: { ownerId } }: ProvedServer) {
  if (!online || announced === undefined || announced.host === '' || announced.probe === 'none') return undefined
  const { host, port, probe } = announced
  if ((host === address || host === otherAddress) && probe === '') return undefined
  return { publicId, ownerId, host, port, probe: probe === 'udp' ? 'udp' : 'tcp' } as const
}
