/** Probes each online game server at the address it announces from, and reports the silent ones (docs/decisions/0012). */
import { m } from '#api-messages'
import { STORED } from '#backend/platform/messages/stored-text.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { listOpenIssues } from '#backend/services/detection/detector-runner.queries.ts'
import { type FindingSink, evidence } from '#backend/core/protection/finding.ts'
import { limitKey } from '#backend/platform/http/client-address.ts'
import { isPublicAddress } from '#backend/platform/outbound/public-address.ts'
import { type ProbeOutcome, type ProbeTarget, hostOf, probe } from './probe.ts'
import { type ProbeJob, ProbeScheduler } from './probe-scheduler.ts'
import { ProbedServer } from './probed-server.ts'
import { RECOVERED } from '#backend/platform/outage-log.ts'

const KIND = 'UNREACHABLE'
const TICK_MS = 500
const RELOAD_MS = 60_000
/** Failures of a server are forgotten after this long offline. */
const FORGET_MS = 3_600_000
/** If servers at this many addresses become silent and none answers in between, our own network is the likely cause. */
const MIN_SILENT_ADDRESSES = 5
const EXPECTED = m.finding_unreachable_expected({}, STORED)

export interface CheckedServer {
  readonly publicId: string
  readonly online: boolean
  readonly address: string
  readonly announced: { readonly port: number } | undefined
  readonly fields: { readonly ownerId: string }
  readonly credentialId: string | undefined
  readonly credentials: readonly { readonly id: string; readonly key: string }[]
}

export interface CheckedList {
  readonly registry: { get(publicId: string): CheckedServer | undefined; all(): Iterable<CheckedServer> }
  onChange(listener: (changes: readonly { readonly publicId: string }[]) => void, wantsCounts: () => boolean): () => void
}

export class ReachabilityCheck {
  readonly #deps: Deps
  readonly #list: CheckedList
  readonly #findings: FindingSink
  readonly #servers = new Map<string, ProbedServer>()
  readonly #scheduler = new ProbeScheduler((job) => this.#probe(job))
  /** Addresses of servers that stopped answering, since the last answer of any server. */
  readonly #silentAddresses = new Set<string>()
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

  /** @param isLeaseHolder whether this node probes. @param tickMs how often it looks for due probes. */
  constructor(deps: Deps, list: CheckedList, findings: FindingSink, isLeaseHolder: () => boolean, tickMs = TICK_MS) {
    this.#isLeaseHolder = isLeaseHolder
    this.#deps = deps
    this.#list = list
    this.#findings = findings
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

  /** Aborts running probes. Resolves once all connections are closed. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#stopListening()
    this.#stop.abort()
    await this.#scheduler.close()
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
    if (!online || announced === undefined) {
      if (server?.isOnline === true) server.markOffline(uptime)
      return
    }
    const host = hostOf({ address, port: announced.port })
    // A server with an open issue is probed soon, also after a restart, because its first answer resolves the issue.
    const isSpread = wasOnline && !this.#open.has(publicId)
    if (server === undefined) this.#servers.set(publicId, new ProbedServer({ publicId, ownerId, host }, uptime, { wasOnline, isSpread }))
    else if (!server.isOnline || server.host !== host) server.markOnline(host, uptime)
  }

  #tick(): void {
    const uptime = this.#deps.clock.uptime()
    if (uptime - this.#reloadedAt >= RELOAD_MS) this.#reloading = this.#reloadOpenIssues()
    this.#followLease(uptime)
    for (const server of this.#servers.values()) {
      if (!server.isOnline) {
        if (uptime - server.offlineAt >= FORGET_MS) this.#servers.delete(server.publicId)
      } else if (server.dueAt <= uptime && (server.isRecentlyBack || !this.#scheduler.has(server))) this.#schedule(server, uptime)
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
    this.#scheduler.add({ server, address: limitKey(target.address), isFailing })
  }

  /** Undefined if the server was deleted or transferred. */
  #recordOf({ publicId, ownerId }: ProbedServer): CheckedServer | undefined {
    const record = this.#list.registry.get(publicId)
    return record?.fields.ownerId === ownerId ? record : undefined
  }

  #mayProbe(address: string): boolean {
    return this.#deps.env.REACHABILITY_PRIVATE || isPublicAddress(address)
  }

  /** Undefined while the server cannot be probed, or its announces used a credential that no longer works. */
  #targetOf(server: ProbedServer): ProbeTarget | undefined {
    const record = this.#recordOf(server)
    if (record?.online !== true || record.announced === undefined || !this.#mayProbe(record.address)) return undefined
    const { publicId, credentials, credentialId } = record
    const credential = credentials.find((candidate) => candidate.id === credentialId)
    if (credential === undefined) return undefined
    return { publicId, address: record.address, port: record.announced.port, key: Buffer.from(credential.key, 'latin1') }
  }

  async #probe({ server, address }: ProbeJob): Promise<void> {
    const { clock } = this.#deps
    // The server may have moved while the job was pending.
    const target = this.#isLeaseHolder() ? this.#targetOf(server) : undefined
    if (target === undefined || limitKey(target.address) !== address) return server.recordInconclusive(clock.uptime())
    const outcome = await probe(target, clock.now(), this.#stop.signal)
    // A new lease holder probes again.
    if (this.#stop.signal.aborted || !this.#isLeaseHolder()) return
    if (outcome.result === 'inconclusive' || !this.#isStillValid(server, target, outcome)) return server.recordInconclusive(clock.uptime())
    if (outcome.result === 'answered') this.#recordAnswer(server)
    else this.#recordFailure(server, target, outcome.observed)
  }

  /** A failure counts even if the port changed or the server went offline during the probe. Otherwise servers could dodge every probe. */
  #isStillValid(server: ProbedServer, target: ProbeTarget, { result }: ProbeOutcome): boolean {
    if (result === 'failed') {
      const record = this.#recordOf(server)
      return record !== undefined && limitKey(record.address) === limitKey(target.address)
    }
    const current = this.#targetOf(server)
    return current !== undefined && hostOf(current) === hostOf(target)
  }

  get #isNetworkSuspect(): boolean {
    return this.#silentAddresses.size >= MIN_SILENT_ADDRESSES
  }

  #recordAnswer(server: ProbedServer): void {
    const { clock, log } = this.#deps
    if (this.#isNetworkSuspect) log.warn(RECOVERED, 'game servers are reachable again')
    this.#silentAddresses.clear()
    server.resetFailures(clock.uptime(), true)
    this.#resolve(server, m.resolution_answered({}, STORED))
  }

  #recordFailure(server: ProbedServer, target: ProbeTarget, observed: string): void {
    const { clock, env, log } = this.#deps
    const wasSuspect = this.#isNetworkSuspect
    if (server.hasJustGoneSilent) this.#silentAddresses.add(limitKey(target.address))
    if (this.#isNetworkSuspect) {
      if (!wasSuspect) log.warn('many servers became unreachable at once, check outbound network')
      return server.recordInconclusive(clock.uptime())
    }
    const at = clock.now()
    const report = server.recordFailure(evidence(at, observed, EXPECTED, target.address), clock.uptime())
    if (report === undefined) return
    const { publicId, ownerId } = server
    this.#open.add(publicId)
    this.#findings.report({
      kind: KIND,
      publicId,
      ownerId,
      fingerprint: '',
      severity: 'LOW',
      summary: m.finding_unreachable({ host: hostOf(target) }, STORED),
      at,
      consequence: env.REACHABILITY === 'require' ? 'UNLISTED' : 'NOTICE',
      ...report,
    })
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
