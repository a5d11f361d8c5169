/**
 * Asks each online game server at the address that it announces from, and reports the silent ones (docs/decisions/0012). Servers that name another
 * endpoint are asked there (endpoint-prover.ts).
 */
import { m } from '#api-messages'
import { STORED } from '#backend/platform/messages/stored-text.ts'
import type { Probe, ProofFailure } from '#contract/servers/probes.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { listOpenIssues } from '#backend/core/protection/open-issues.ts'
import { type FindingSink, evidence } from '#backend/core/protection/finding.ts'
import { limitKey } from '#backend/platform/http/client-address.ts'
import { isPublicAddress } from '#backend/platform/outbound/public-address.ts'
import { hostAndPort } from '#backend/masterlist/registry/endpoint.ts'
import type { AskScheduler } from './ask-scheduler.ts'
import { askTcp, askTcpForProof } from './ask-tcp.ts'
import { askUdp } from './ask-udp.ts'
import type { NetworkWatch } from './network-watch.ts'
import { type Outcome, type Target, endpointTexts } from './question.ts'
import { ProbedServer } from './probed-server.ts'

const KIND = 'UNREACHABLE'
const TICK_MS = 500
const RELOAD_MS = 60_000
/** Failures of a server are forgotten after this long offline. */
const FORGET_MS = 3_600_000
const EXPECTED = m.finding_unreachable_expected({}, STORED)

export interface CheckedServer {
  readonly publicId: string
  readonly online: boolean
  readonly address: string
  readonly announced: { readonly port: number; readonly host: string; readonly probe: Probe | '' } | undefined
  readonly fields: { readonly ownerId: string }
  readonly credentialId: string | undefined
  readonly credentials: readonly { readonly id: string; readonly key: string }[]
}

export interface CheckedList {
  readonly registry: { get(publicId: string): CheckedServer | undefined; all(): Iterable<CheckedServer> }
  onChange(listener: (changes: readonly { readonly publicId: string }[]) => void, wantsCounts: () => boolean): () => void
}

/** Stores that a server which says how it can be asked answered at its address, or no longer does. */
export type SaveProof = (
  server: { readonly publicId: string; readonly ownerId: string },
  target: Target,
  failure: ProofFailure | '',
) => void

interface Parts {
  readonly deps: Pick<Deps, 'db' | 'env' | 'clock' | 'log'>
  readonly list: CheckedList
  readonly findings: FindingSink
  readonly scheduler: AskScheduler
  readonly network: NetworkWatch
  readonly saveProof: SaveProof
  /** Whether this node probes. */
  readonly isLeaseHolder: () => boolean
  /** How often it looks for due probes. */
  readonly tickMs?: number
}

export class ReachabilityCheck {
  readonly #deps: Parts['deps']
  readonly #list: CheckedList
  readonly #findings: FindingSink
  readonly #servers = new Map<string, ProbedServer>()
  readonly #scheduler: AskScheduler
  readonly #network: NetworkWatch
  readonly #saveProof: SaveProof
  readonly #isLeaseHolder: () => boolean
  readonly #tickMs: number
  readonly #stop = new AbortController()
  /** Servers with an open issue, as far as this node knows. */
  #open = new Set<string>()
  #reloadedAt = 0
  #isProbing = false
  #reloading: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #stopListening = () => {}

  constructor({ deps, list, findings, scheduler, network, saveProof, isLeaseHolder, tickMs = TICK_MS }: Parts) {
    this.#isLeaseHolder = isLeaseHolder
    this.#deps = deps
    this.#list = list
    this.#findings = findings
    this.#scheduler = scheduler
    this.#network = network
    this.#saveProof = saveProof
    this.#tickMs = tickMs
  }

  /** Starts probing, or resolves all issues if the check is switched off. Call it after the list has loaded. */
  async start(): Promise<void> {
    await this.#reloadOpenIssues()
    const { env, clock } = this.#deps
    if (!env.checksReachability) {
      for (const publicId of this.#open) this.#findings.resolve(KIND, publicId, m.resolution_reachability_off({}, STORED))
      return
    }
    this.#followLease(clock.uptime())
    this.#stopListening = this.#list.onChange(
      (changes) => {
        if (!this.#isProbing) return
        for (const { publicId } of changes) {
          const server = this.#list.registry.get(publicId)
          if (server === undefined) this.#servers.delete(publicId)
          else this.#track(server, clock.uptime(), false)
        }
      },
      () => false,
    )
    this.#timer = setInterval(() => this.#tick(), this.#tickMs)
  }

  /** Aborts running probes. The scheduler waits for them. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#stopListening()
    this.#stop.abort()
    await this.#reloading
  }

  /** Starts over when this node gets the lease, and forgets all servers when it loses it. */
  #followLease(uptime: number): void {
    const isLeaseHolder = this.#isLeaseHolder()
    if (isLeaseHolder === this.#isProbing) return
    this.#isProbing = isLeaseHolder
    this.#servers.clear()
    if (isLeaseHolder) for (const server of this.#list.registry.all()) this.#track(server, uptime, true)
  }

  #track({ publicId, online, address, announced, fields: { ownerId } }: CheckedServer, uptime: number, wasOnline: boolean): void {
    if (this.#servers.get(publicId)?.ownerId !== ownerId) this.#servers.delete(publicId)
    const server = this.#servers.get(publicId)
    if (!online || announced === undefined || !this.#isToBeAsked(announced)) {
      if (server?.isOnline === true) server.markOffline(uptime)
      return
    }
    const host = hostAndPort(address, announced.port)
    // A server with an open issue is probed soon, also after a restart, because its first answer resolves the issue.
    const isSpread = wasOnline && !this.#open.has(publicId)
    if (server === undefined) this.#servers.set(publicId, new ProbedServer({ publicId, ownerId, host }, uptime, { wasOnline, isSpread }))
    else if (!server.isOnline || server.host !== host) server.markOnline(host, uptime)
  }

  #tick(): void {
    const uptime = this.#deps.clock.uptime()
    if (uptime - this.#reloadedAt >= RELOAD_MS) this.#reloading = this.#reloadOpenIssues()
    this.#followLease(uptime)
    this.#scheduler.fill()
    for (const server of this.#servers.values()) {
      if (!server.isOnline) {
        if (uptime - server.offlineAt >= FORGET_MS) this.#servers.delete(server.publicId)
      } else if (
        server.dueAt <= uptime &&
        (server.isRecentlyBack || !this.#scheduler.has({ ownerId: server.ownerId, key: server.publicId }))
      )
        this.#schedule(server, uptime)
    }
  }

  #schedule(server: ProbedServer, uptime: number): void {
    const record = this.#recordOf(server)
    if (record?.online === true && !this.#mayProbe(record.address)) {
      server.resetFailures(uptime, false)
      return this.#resolve(server, m.resolution_not_probed({}, STORED))
    }
    const target = this.#targetOf(server)
    if (target === undefined) return server.recordSkip(uptime)
    const isFailing = !server.isRecentlyBack && (server.failures > 0 || this.#open.has(server.publicId))
    const key = limitKey(target.address)
    this.#scheduler.add({
      ownerId: server.ownerId,
      key: server.publicId,
      target: key,
      isFailing,
      questions: this.#saysHow(server) ? 2 : 1,
      run: () => this.#probe(server, key),
    })
  }

  /** Undefined if the server was deleted or transferred. */
  #recordOf({ publicId, ownerId }: ProbedServer): CheckedServer | undefined {
    const record = this.#list.registry.get(publicId)
    return record?.fields.ownerId === ownerId ? record : undefined
  }

  #mayProbe(address: string): boolean {
    return this.#deps.env.REACHABILITY_PRIVATE || isPublicAddress(address)
  }

  /** Without a word from the operator, only servers that say how are asked. */
  #isToBeAsked({ host, probe }: NonNullable<CheckedServer['announced']>): boolean {
    if (host !== '' || probe === 'none') return false
    return probe !== '' || this.#deps.env.probesAllServers
  }

  /** Undefined while the server cannot be probed, or its announces used a credential that no longer works. */
  #targetOf(server: ProbedServer): Target | undefined {
    const record = this.#recordOf(server)
    if (record?.online !== true || record.announced === undefined || !this.#mayProbe(record.address)) return undefined
    if (!this.#isToBeAsked(record.announced)) return undefined
    const { publicId, credentials, credentialId } = record
    const credential = credentials.find((candidate) => candidate.id === credentialId)
    if (credential === undefined) return undefined
    const { address, announced } = record
    return {
      publicId,
      address,
      port: announced.port,
      endpoint: hostAndPort(address, announced.port),
      key: Buffer.from(credential.key, 'hex'),
    }
  }

  async #probe(server: ProbedServer, address: string): Promise<void> {
    const { clock } = this.#deps
    // The server may have moved while the job was pending.
    const target = this.#isLeaseHolder() ? this.#targetOf(server) : undefined
    if (target === undefined || limitKey(target.address) !== address) return server.recordInconclusive(clock.uptime())
    const outcome = await this.#ask(server, target)
    // A new lease holder probes again.
    if (this.#stop.signal.aborted || !this.#isLeaseHolder()) return
    if (outcome.result === 'inconclusive' || !this.#isStillValid(server, target, outcome)) return server.recordInconclusive(clock.uptime())
    if (outcome.result === 'answered') this.#recordAnswer(server, target)
    else this.#recordFailure(server, target, outcome)
  }

  #ask(server: ProbedServer, target: Target): Promise<Outcome> {
    if (this.#recordOf(server)?.announced?.probe === 'udp') return askUdp(target, endpointTexts(target), this.#stop.signal)
    // Its answer is stored as a proof.
    const ask = this.#saysHow(server) ? askTcpForProof : askTcp
    return ask(target, this.#deps.clock.now(), this.#stop.signal)
  }

  /** A failure counts even if the port changed or the server went offline during the probe. Otherwise servers could dodge every probe. */
  #isStillValid(server: ProbedServer, target: Target, { result }: Outcome): boolean {
    if (result === 'failed') {
      const record = this.#recordOf(server)
      return record !== undefined && limitKey(record.address) === limitKey(target.address)
    }
    const current = this.#targetOf(server)
    return current?.endpoint === target.endpoint
  }

  #recordAnswer(server: ProbedServer, target: Target): void {
    this.#network.noteAnswer()
    server.resetFailures(this.#deps.clock.uptime(), true)
    this.#resolve(server, m.resolution_answered({}, STORED))
    if (this.#saysHow(server)) this.#saveProof(server, target, '')
  }

  #recordFailure(server: ProbedServer, target: Target, { failure, observed }: Extract<Outcome, { result: 'failed' }>): void {
    const { clock, env } = this.#deps
    if (server.hasJustGoneSilent) this.#network.noteSilence(limitKey(target.address))
    if (this.#network.isSuspect) return server.recordInconclusive(clock.uptime())
    const at = clock.now()
    const report = server.recordFailure(evidence(at, observed, EXPECTED, target.address), clock.uptime())
    if (report === undefined) return
    if (this.#saysHow(server)) this.#saveProof(server, target, failure)
    const { publicId, ownerId } = server
    this.#open.add(publicId)
    this.#findings.report({
      kind: KIND,
      publicId,
      ownerId,
      fingerprint: '',
      severity: 'LOW',
      summary: m.finding_unreachable({ host: target.endpoint }, STORED),
      at,
      consequence: env.REACHABILITY === 'require' ? 'UNLISTED' : 'NOTICE',
      ...report,
    })
  }

  #saysHow(server: ProbedServer): boolean {
    const probe = this.#recordOf(server)?.announced?.probe
    return probe === 'tcp' || probe === 'udp'
  }

  #resolve({ publicId, ownerId }: ProbedServer, reason: string): void {
    if (this.#open.delete(publicId)) this.#findings.resolve(KIND, publicId, reason, ownerId)
  }

  /** Keeps the known issues while the database is unavailable. */
  async #reloadOpenIssues(): Promise<void> {
    this.#reloadedAt = this.#deps.clock.uptime()
    try {
      const open = new Set((await listOpenIssues(this.#deps.db, KIND)).map(({ publicId }) => publicId))
      // Recent findings may not be written yet.
      for (const { publicId, failures } of this.#servers.values()) if (failures > 0 && this.#open.has(publicId)) open.add(publicId)
      this.#open = open
    } catch {
      // The next reload is in a minute.
    }
  }
}
