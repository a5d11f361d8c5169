/** Resolves the name of an endpoint and asks its addresses, within the limits that all questions share. */
import { isIP } from 'node:net'
import type { ProofFailure } from '#contract/servers/probes.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { familyOf, limitKey } from '#backend/platform/http/client-address.ts'
import { isOfOneMachine, isPublicAddress, plainAddress } from '#backend/platform/outbound/public-address.ts'
import type { ResolveWithTtl, Resolved } from '#backend/platform/outbound/resolver.ts'
import { type Proof, hostAndPort } from '#backend/masterlist/registry/endpoint.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { type AskJob, AskScheduler } from './ask-scheduler.ts'
import { askTcpForProof } from './ask-tcp.ts'
import { askUdp } from './ask-udp.ts'
import type { NamedEndpoint } from './named-endpoint.ts'
import type { NetworkWatch } from './network-watch.ts'
import { type Outcome, type Target, endpointTexts } from './question.ts'

const MAX_ADDRESSES = 4

const INCONCLUSIVE: Outcome = { result: 'inconclusive' }
const NOT_LOOKED_UP: Resolved = { addresses: [], ttlSeconds: 0, isPartial: true, isInconclusive: true }

export type ProvedServer = Pick<
  ServerRecord,
  'publicId' | 'online' | 'announced' | 'address' | 'otherAddress' | 'credentialId' | 'credentials'
> & { readonly fields: { readonly ownerId: string; readonly proof: Proof | undefined } }

/** A step of an attempt, as the panel shows it. */
export type Step =
  | { readonly step: 'wait'; readonly seconds: number }
  | { readonly step: 'resolve'; readonly addresses: readonly string[]; readonly failure: Proof['failure'] }
  | { readonly step: 'ask'; readonly address: string }
  | { readonly step: 'answer'; readonly address: string; readonly result: 'answered' | 'inconclusive' | ProofFailure }

export type OnStep = (step: Step) => void

export interface AskerParts {
  readonly deps: Pick<Deps, 'env' | 'clock'>
  readonly get: (publicId: string) => ProvedServer | undefined
  readonly scheduler: AskScheduler
  readonly network: NetworkWatch
  readonly resolve: ResolveWithTtl
  /** For tests, which have no internet. */
  readonly isAllowed?: (address: string) => boolean
}

/** Where an endpoint is. */
export interface Found {
  /** The public addresses to ask. Empty if there are none. */
  readonly addresses: readonly string[]
  /** Whether the name has others. */
  readonly isIncomplete: boolean
  /** Why there are none. */
  readonly failure: '' | 'UNRESOLVED' | 'PRIVATE'
}

export class EndpointAsker {
  readonly #parts: AskerParts
  readonly #stop: AbortSignal
  /** A name is a target, too: its name server may be anybody's. */
  readonly #lookups: AskScheduler

  constructor(parts: AskerParts, stop: AbortSignal) {
    this.#parts = parts
    this.#stop = stop
    this.#lookups = new AskScheduler(parts.deps.clock)
  }

  /** Starts what may start. */
  fill(): void {
    this.#lookups.fill()
    this.#parts.scheduler.fill()
  }

  /** Call it after the stop signal. Resolves when no lookup runs. */
  async close(): Promise<void> {
    await this.#lookups.close()
  }

  /** Undefined if no name server could be asked. */
  async find(endpoint: NamedEndpoint): Promise<Found | undefined> {
    const { deps, isAllowed = isPublicAddress } = this.#parts
    const mayAsk = deps.env.REACHABILITY_PRIVATE ? isOfOneMachine : isAllowed
    const known = endpoint.proven
    const { addresses: found, ttlSeconds, isPartial, isInconclusive } = await this.#lookUp(endpoint)
    endpoint.planNextResolve(deps.clock.uptime(), ttlSeconds)
    if (isInconclusive && known.length === 0) return undefined
    // A lost reply takes no address away.
    const all = [...new Set([...found.map(plainAddress), ...(isPartial ? known : [])])].toSorted(compareAddresses)
    const addresses = all.filter(mayAsk).slice(0, MAX_ADDRESSES)
    const failure = addresses.length > 0 ? '' : all.length === 0 ? 'UNRESOLVED' : 'PRIVATE'
    return { addresses, isIncomplete: addresses.length < all.length, failure }
  }

  async #lookUp(endpoint: NamedEndpoint): Promise<Resolved> {
    const { publicId, host } = endpoint
    if (isIP(host) !== 0) return { addresses: [host], ttlSeconds: Infinity, isPartial: false, isInconclusive: false }
    const job = { ...jobOf(endpoint), key: `${publicId} ${host}`, target: host, questions: 1 }
    return (await this.#inTurn(this.#lookups, job, () => this.#parts.resolve(host, this.#stop))) ?? NOT_LOOKED_UP
  }

  async ask(endpoint: NamedEndpoint, address: string, onStep: OnStep): Promise<Outcome> {
    const { network } = this.#parts
    const target = this.#targetOf(endpoint, address)
    if (target === undefined) return INCONCLUSIVE
    const job = {
      ...jobOf(endpoint),
      key: `${endpoint.publicId} ${address}`,
      target: limitKey(address),
      questions: endpoint.probe === 'udp' ? 1 : 2,
    }
    const ask = () => {
      onStep({ step: 'ask', address })
      return this.#question(endpoint, target)
    }
    const outcome = (await this.#inTurn(this.#parts.scheduler, job, ask)) ?? INCONCLUSIVE
    onStep({ step: 'answer', address, result: outcome.result === 'failed' ? outcome.failure : outcome.result })
    if (outcome.result === 'answered') network.noteAnswer()
    if (outcome.result === 'failed' && endpoint.hasJustGoneSilent(address)) network.noteSilence(limitKey(address))
    return outcome.result === 'failed' && network.isSuspect ? INCONCLUSIVE : outcome
  }

  /** Undefined if its announces used a credential that no longer works. */
  #targetOf({ publicId, host, port }: NamedEndpoint, address: string): Target | undefined {
    const server = this.#parts.get(publicId)
    const credential = server?.credentials.find(({ id }) => id === server.credentialId)
    if (credential === undefined) return undefined
    return { publicId, address, port, endpoint: hostAndPort(host, port), key: Buffer.from(credential.key, 'hex') }
  }

  /** Runs it within the limits. Undefined if it is dropped: a newer one replaces it, or the program stops. */
  #inTurn<Result>(scheduler: AskScheduler, job: Omit<AskJob, 'run' | 'drop'>, run: () => Promise<Result>): Promise<Result | undefined> {
    const { promise, resolve } = Promise.withResolvers<Result | undefined>()
    const drop = () => resolve(undefined)
    this.#stop.addEventListener('abort', drop, { once: true })
    scheduler.add({ ...job, drop, run: async () => resolve(await run()) })
    return promise.finally(() => this.#stop.removeEventListener('abort', drop))
  }

  #question({ probe, isSource }: NamedEndpoint, target: Target): Promise<Outcome> {
    if (probe === 'udp') return askUdp(target, isSource ? endpointTexts(target) : [target.endpoint], this.#stop)
    return askTcpForProof(target, this.#parts.deps.clock.now(), this.#stop)
  }
}

const jobOf = ({ ownerId, isProven, failure }: NamedEndpoint) => ({ ownerId, isFailing: !isProven && failure !== '' })

/** IPv4 first: of many addresses, those that most players can use. */
const compareAddresses = (one: string, other: string) =>
  Number(familyOf(one) === 'ipv6') - Number(familyOf(other) === 'ipv6') || (one < other ? -1 : 1)
