/** Resolves the name of an endpoint and asks its addresses, within the limits that all questions share. */
import { isIP } from 'node:net'
import pLimit from 'p-limit'
import type { ProofFailure } from '#contract/servers/probes.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { limitKey } from '#backend/platform/http/client-address.ts'
import { isPublicAddress } from '#backend/platform/outbound/public-address.ts'
import type { ResolveWithTtl } from '#backend/platform/outbound/resolver.ts'
import { type Proof, hostAndPort } from '#backend/masterlist/registry/endpoint.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import type { AskScheduler } from './ask-scheduler.ts'
import { askTcpForProof } from './ask-tcp.ts'
import { askUdp } from './ask-udp.ts'
import type { NamedEndpoint } from './named-endpoint.ts'
import type { NetworkWatch } from './network-watch.ts'
import { type Outcome, type Target, endpointTexts } from './question.ts'

const MAX_ADDRESSES = 4
const MAX_LOOKUPS = 16

const INCONCLUSIVE: Outcome = { result: 'inconclusive' }

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
  readonly #lookups = pLimit(MAX_LOOKUPS)

  constructor(parts: AskerParts, stop: AbortSignal) {
    this.#parts = parts
    this.#stop = stop
  }

  /** Undefined if no name server could be asked. */
  async find(endpoint: NamedEndpoint): Promise<Found | undefined> {
    const { deps, isAllowed = isPublicAddress } = this.#parts
    const known = endpoint.proven
    const { addresses: found, ttlSeconds, isPartial, isInconclusive } = await this.#lookUp(endpoint.host)
    endpoint.planNextResolve(deps.clock.uptime(), ttlSeconds)
    if (isInconclusive && known.length === 0) return undefined
    // A lost reply takes no address away.
    const all = [...new Set([...found, ...(isPartial ? known : [])])].toSorted()
    const allowed = deps.env.REACHABILITY_PRIVATE ? all : all.filter((address) => isAllowed(address))
    const addresses = allowed.slice(0, MAX_ADDRESSES)
    const failure = addresses.length > 0 ? '' : all.length === 0 ? 'UNRESOLVED' : 'PRIVATE'
    return { addresses, isIncomplete: addresses.length < all.length, failure }
  }

  async #lookUp(host: string): ReturnType<ResolveWithTtl> {
    if (isIP(host) !== 0) return { addresses: [host], ttlSeconds: Infinity, isPartial: false, isInconclusive: false }
    return this.#lookups(() => this.#parts.resolve(host, this.#stop))
  }

  async ask(endpoint: NamedEndpoint, address: string, onStep: OnStep): Promise<Outcome> {
    const { network } = this.#parts
    const target = this.#targetOf(endpoint, address)
    if (target === undefined) return INCONCLUSIVE
    const outcome = await this.#schedule(endpoint, target, onStep)
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

  #schedule(endpoint: NamedEndpoint, target: Target, onStep: OnStep): Promise<Outcome> {
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    const drop = () => resolve(INCONCLUSIVE)
    this.#stop.addEventListener('abort', drop, { once: true })
    const { address, port } = target
    this.#parts.scheduler.add({
      key: `${endpoint.publicId} ${address} ${port}`,
      target: limitKey(address),
      isFailing: !endpoint.isProven && endpoint.failure !== '',
      questions: endpoint.probe === 'udp' ? 1 : 2,
      drop,
      run: async () => {
        onStep({ step: 'ask', address })
        resolve(await this.#question(endpoint, target))
      },
    })
    return promise.finally(() => this.#stop.removeEventListener('abort', drop))
  }

  #question({ probe, isSource }: NamedEndpoint, target: Target): Promise<Outcome> {
    if (probe === 'udp') return askUdp(target, isSource ? endpointTexts(target) : [target.endpoint], this.#stop)
    return askTcpForProof(target, this.#parts.deps.clock.now(), this.#stop)
  }
}
