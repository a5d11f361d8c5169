/** Assembles what asks game servers: one scheduler and one view of our own network for both the reachability check and the proofs of endpoints. */
import type { Deps } from '#backend/platform/deps.ts'
import type { FindingSink } from '#backend/core/protection/finding.ts'
import type { RunningMasterList } from '#backend/masterlist/masterlist.ts'
import { EndpointTestEvent } from '#contract/servers/endpoint.ts'
import type { Live } from '#backend/services/live/live.ts'
import type { RefreshList } from '#backend/masterlist/refresh-list.ts'
import { currentProofOf } from '#backend/masterlist/registry/endpoint.ts'
import { AskScheduler } from './ask-scheduler.ts'
import { EndpointProver } from './endpoint-prover.ts'
import { NetworkWatch } from './network-watch.ts'
import { findProvenAt, saveProof } from './proofs.queries.ts'
import { ReachabilityCheck, type SaveProof } from './reachability.ts'

interface Parts {
  readonly deps: Deps
  readonly list: RunningMasterList
  readonly findings: FindingSink
  readonly refreshList: RefreshList
  readonly isLeaseHolder: () => boolean
  readonly live: Pick<Live, 'sendEverywhere'>
}

export class Probing {
  readonly #parts: Parts
  readonly #scheduler: AskScheduler
  readonly #reachability: ReachabilityCheck
  readonly #prover: EndpointProver
  /** The users who wait for a test, by public ID. */
  readonly #testing = new Map<string, Set<string>>()

  constructor(parts: Parts) {
    const { deps, list, findings, refreshList, isLeaseHolder } = parts
    this.#parts = parts
    this.#scheduler = new AskScheduler(deps.clock)
    const shared = { deps, list, scheduler: this.#scheduler, network: new NetworkWatch(deps.log), isLeaseHolder }
    this.#reachability = new ReachabilityCheck({ ...shared, findings, saveProof: (...proof) => void this.#saveProof(...proof) })
    this.#prover = new EndpointProver({
      ...shared,
      refreshList,
      resolve: deps.resolveName,
      save: (proof) => saveProof(deps.db, proof),
      findProvenAt: (publicId) => findProvenAt(deps.db, publicId),
    })
    deps.bus.on('endpointTest', ({ publicId, userId }) => {
      if (isLeaseHolder()) void this.#test(publicId, userId)
    })
  }

  /** Call it after the list has loaded. */
  async start(): Promise<void> {
    await this.#reachability.start()
    this.#prover.start()
  }

  async close(): Promise<void> {
    await Promise.all([this.#reachability.close(), this.#prover.close()])
    await this.#scheduler.close()
  }

  /** Asks a server now, on the node that asks servers. The user's panels see each step. */
  test(publicId: string, userId: string): void {
    const { deps, isLeaseHolder } = this.#parts
    if (isLeaseHolder()) void this.#test(publicId, userId)
    else deps.bus.publish('endpointTest', { publicId, userId })
  }

  /** A second test of a server joins the first. */
  async #test(publicId: string, userId: string): Promise<void> {
    const users = this.#testing.get(publicId)
    if (users !== undefined) return void users.add(userId)
    this.#testing.set(publicId, new Set([userId]))
    const nothing = { public_id: publicId, addresses: [], address: '', result: '', seconds: 0 }
    const send = (step: Partial<EndpointTestEvent>) => {
      const event = EndpointTestEvent.parse({ ...nothing, ...step })
      for (const each of this.#testing.get(publicId) ?? []) this.#parts.live.sendEverywhere(each, 'endpoint_test', event)
    }
    let result: EndpointTestEvent['result'] = 'inconclusive'
    await this.#prover.test(publicId, (step) => {
      if (step.step === 'answer') result = step.result
      if (step.step === 'resolve' && step.failure !== '') result = step.failure
      send(step.step === 'resolve' ? { step: step.step, addresses: [...step.addresses], result: step.failure } : step)
    })
    send({ step: 'done', result })
    this.#testing.delete(publicId)
  }

  /** A server that is asked at its source address also proves that address: of two servers there, the proven one is listed. */
  async #saveProof(...[{ publicId, ownerId }, { address, port }, failure]: Parameters<SaveProof>): Promise<void> {
    const { deps, list, refreshList } = this.#parts
    // It may have named a host since it was asked.
    if (list.registry.get(publicId)?.announced?.host !== '') return
    const now = deps.clock.now()
    const isProven = failure === ''
    const server = list.registry.get(publicId)
    const known = server && currentProofOf(server)
    const failedAt = known?.failure === failure ? known.failedAt : now
    const proof = {
      host: '',
      port,
      addresses: isProven ? [address] : [],
      isNameProven: false,
      failure,
      failedAt: isProven ? undefined : failedAt,
    }
    try {
      await saveProof(deps.db, { publicId, ownerId, ...proof, provenAt: isProven ? new Date(now) : undefined })
      if (known?.failure !== failure || known.addresses.join() !== proof.addresses.join()) await refreshList(publicId)
    } catch (error) {
      // The next answer is in ten minutes at most.
      deps.log.warn({ err: error }, 'storing that a server answered failed')
    }
  }
}
